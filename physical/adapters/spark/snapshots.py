"""Streams as Spark tables with a row for every tuple and instant, and back."""

from collections.abc import Mapping
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from physical.columns.stream import PhysicalStream
from physical.engines.spark.errors import readable_errors
from physical.engines.spark.frame import END, START, clipped, from_batches, names, to_frame
from physical.engines.spark.native import split
from semantics import Schema

INSTANT: Final = "t"


def snapshot_table(spark: SparkSession, stream: PhysicalStream, horizon: int) -> DataFrame:
    """The columns t, c0, c1, …: one row for each tuple and each instant before the horizon.

    All rows are in one partition, so an aggregate that depends on their order gives the same on every machine.
    """
    frame = split(clipped(to_frame(spark, stream), horizon))
    return frame.data.coalesce(1).select(f.col(START).alias(INSTANT), *names(stream.schema))


def registered(spark: SparkSession, streams: Mapping[str, PhysicalStream], horizon: int) -> dict[str, str]:
    """Make a table for each stream in this session; gives their names."""
    tables = {name: f"source_{i}" for i, name in enumerate(sorted(streams))}
    for name, table in tables.items():
        snapshot_table(spark, streams[name], horizon).createOrReplaceTempView(table)
    return tables


def as_stream(found: DataFrame, schema: Schema) -> PhysicalStream:
    """The chronon stream that rows with an instant stand for."""
    timed = found.select(*names(schema), f.col(INSTANT).alias(START), (f.col(INSTANT) + 1).alias(END))
    with readable_errors():
        return from_batches(timed.toArrow(), schema)
