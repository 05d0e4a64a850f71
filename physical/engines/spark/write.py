"""Results as folders of Parquet files: in canonical form, the files in the order of time."""

from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from physical.engines.spark.dialect import SPARK, Dialect
from physical.engines.spark.errors import SparkFailed, readable_errors
from physical.engines.spark.frame import END, START, Frame, names
from physical.engines.spark.slices import Slices
from physical.files.errors import FileError
from physical.files.layout import COUNT
from physical.kernels.types import ENDLESS


def ordered(runs: Frame, slices: Slices, dialect: Dialect = SPARK) -> DataFrame:
    """Runs with the column names of the query, by start, then by row; the end is NULL if a run never ends."""
    called = names(runs.schema)
    end = f.when(f.col(END) != ENDLESS, f.col(END)).alias(END)
    by = [START, *called[:-1]]
    number = len(slices.bounds)
    if not dialect.numbers_partitions:
        data = runs.data.orderBy(*by)
    else:
        cut = runs.data.repartitionById(number, slices.number(f.col(START))) if number > 1 else runs.data.coalesce(1)
        data = cut.sortWithinPartitions(*by)
    data = data.select(*called[:-1], START, end, called[-1])
    return data.toDF(*runs.schema.names[:-1], START, END, COUNT)


def write_parquet(runs: Frame, folder: str, slices: Slices, dialect: Dialect = SPARK) -> None:
    """Write a result to a new folder, or to an address of a file system; nothing is overwritten.

    There is a file for each slice of time in which something starts.
    """
    there = FileError(folder, "it is there already", "the name of a folder that is new")
    if "://" not in folder and Path(folder).exists():
        raise there
    try:
        with readable_errors():
            ordered(runs, slices, dialect).write.mode("error").parquet(folder)
    except SparkFailed as error:
        raise there if "PATH_ALREADY_EXISTS" in str(error.__cause__) else error from None
