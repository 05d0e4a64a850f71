"""Files that come into a folder, and tables that grow, as streaming frames."""

from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession

from physical.engines.spark.decode_dataframe import frame_of
from physical.engines.spark.errors import readable_errors
from physical.engines.spark.frame import Frame
from physical.engines.spark.read import READ_OPTIONS, by_own_readers, is_here, loaded
from physical.files.errors import FileError
from physical.files.layout import Layout

FILE_COLUMNS: Final = "path string, modificationTime timestamp, length long, content binary"
"""The columns of Spark's source for any files; only the names are used."""


def arriving_at(spark: SparkSession, address: str, layout: Layout, most: int | None = None) -> Frame:
    """The stream at a folder, `table:NAME` or `FORMAT:URL`, as it grows; `most` limits the files of a batch."""
    limit: dict[str, Any] = {} if most is None else {"maxFilesPerTrigger": most}
    if is_here(address):
        return _from_folder(spark, address, layout, limit)
    kind, _, url = address.partition(":")
    with readable_errors():
        if kind == "table":
            return frame_of(spark.readStream.table(url), layout, address)
        reader = spark.readStream.format(kind).options(**READ_OPTIONS.get(kind, {}), **limit)
        return frame_of(reader.schema(loaded(spark, address).schema).load(url), layout, address)


def _from_folder(spark: SparkSession, address: str, layout: Layout, limit: dict[str, Any]) -> Frame:
    """Files of any format: a worker reads each whole, with our own readers, whose errors name the line."""
    folder = Path(address).resolve()
    if not folder.is_dir():
        raise FileError(address, "there is no such folder", "a folder into which files come, table:NAME or FORMAT:URL")
    reader = spark.readStream.format("binaryFile").schema(FILE_COLUMNS).options(recursiveFileLookup=True, **limit)
    return by_own_readers(reader.load(str(folder)).select("path"), layout)
