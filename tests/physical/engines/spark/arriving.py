"""Streams that arrive file by file."""

from pathlib import Path

import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from physical.columns.stream import PhysicalStream
from physical.engines.spark.frame import Frame, spark_schema, to_table
from semantics import Schema


def arrive(folder: Path, number: int, elements: PhysicalStream) -> None:
    """Put a file of elements into the folder, whole at once."""
    folder.mkdir(parents=True, exist_ok=True)
    hidden = folder / f".{number}.parquet"
    pq.write_table(to_table(elements), hidden)
    hidden.rename(folder / f"{number}.parquet")


def arriving(spark: SparkSession, folder: Path, schema: Schema) -> Frame:
    """The stream of all files that come into the folder, one in every batch."""
    folder.mkdir(parents=True, exist_ok=True)
    reader = spark.readStream.schema(spark_schema(schema)).option("maxFilesPerTrigger", 1)
    return Frame(reader.parquet(str(folder)), schema)
