"""Files that come into a folder, and tables that grow, as streaming frames."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from physical.engines.spark.decode_dataframe import frame_of
from physical.engines.spark.errors import readable_errors
from physical.engines.spark.frame import Frame
from physical.engines.spark.read import READ_OPTIONS, by_own_readers, is_here, literal_path, loaded
from physical.files.errors import FileError
from physical.files.layout import Layout

FILE_COLUMNS: Final = "path string, modificationTime timestamp, length long, content binary"
"""The columns of Spark's source for any files; only the names are used."""
EVERY_FILE: Final = {"maxFileAge": "100000d", "ignoreMissingFiles": False, "ignoreCorruptFiles": False}
"""No file is passed over; by default Spark ignores those that were changed a week before the latest one."""


def arriving_at(spark: SparkSession, address: str, layout: Layout, most: int | None = None) -> Frame:
    """The stream at a folder, `table:NAME` or `FORMAT:URL`, as it grows; `most` limits the files of a batch."""
    options = EVERY_FILE if most is None else {**EVERY_FILE, "maxFilesPerTrigger": most}
    found = (
        _from_folder(spark, address, layout, options)
        if is_here(address)
        else _by_spark(spark, address, layout, options)
    )
    return replace(found, clock_unit=layout.unit if layout.start in layout.timestamps else None)


def _by_spark(spark: SparkSession, address: str, layout: Layout, options: Mapping[str, Any]) -> Frame:
    """A table, or what Spark's own readers find at a URL."""
    kind, _, url = address.partition(":")
    with readable_errors():
        if kind == "table":
            return frame_of(spark.readStream.table(url), layout, address)
        reader = spark.readStream.format(kind).options(**READ_OPTIONS.get(kind, {}), **options)
        return frame_of(reader.schema(loaded(spark, address).schema).load(url), layout, address)


def _from_folder(spark: SparkSession, address: str, layout: Layout, options: Mapping[str, Any]) -> Frame:
    """Files of any format: a worker reads each whole, with our own readers, whose errors name the line."""
    folder = Path(address).resolve()
    if not folder.is_dir():
        raise FileError(address, "there is no such folder", "a folder into which files come, table:NAME or FORMAT:URL")
    reader = spark.readStream.format("binaryFile").schema(FILE_COLUMNS).options(recursiveFileLookup=True, **options)
    # Here Spark writes paths as they are, with `file:` before them: a `%` in one is a `%`, and no escape.
    plain = f.regexp_replace("path", "^file:/+", "/").alias("path")
    return by_own_readers(reader.load(literal_path(folder)).select(plain), layout)
