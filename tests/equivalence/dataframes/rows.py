"""Streams as DataFrames with `_start` and `_end`, and results as plain rows that can be compared."""

from pyspark.sql import DataFrame, SparkSession

from physical import PhysicalStream
from physical.engines.spark.frame import END, START, spark_schema, to_table
from physical.kernels.types import ENDLESS
from semantics import Stream, canonical


def interval_frame(spark: SparkSession, stream: Stream) -> DataFrame:
    """A stream with its own column names; what never ends has no end."""
    elements = PhysicalStream.of(stream)
    data = spark.createDataFrame(to_table(elements), spark_schema(elements.schema))
    return data.toDF(*elements.schema.names, START, END).replace(ENDLESS, None, subset=[END])


def rows_of(result: DataFrame) -> list[str]:
    return sorted(repr(tuple(row)) for row in result.collect())


def reference_rows(stream: Stream) -> list[str]:
    """The canonical form in the columns of a result."""
    return sorted(repr((*row, span.start, span.end, n)) for row, span, n in canonical(stream))
