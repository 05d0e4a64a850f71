"""Where a continuous query writes: a folder of Parquet files for every batch, which any tool can read.

A batch that is repeated after a crash replaces its folder, so results and late elements count once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import LongType, StringType, StructField, StructType

from physical.engines.spark.continuous.batch_files import FileGuard
from physical.engines.spark.continuous.packed_rows import CHANGE, COUNT, LATE
from physical.engines.spark.errors import marked
from physical.engines.spark.frame import END, SPARK_TYPES, START, Frame, names
from physical.engines.spark.read import literal_path
from physical.engines.spark.worker_tasks import WorkerFailure
from physical.kernels.types import ENDLESS
from semantics import Schema, SchemaError, SnapeqError

TIME: Final = "_time"
ROWS_PER_FILE: Final = 1_000_000
COUNT_COLUMNS: Final = StructType([StructField("source", StringType()), StructField("late", LongType())])


@dataclass(frozen=True)
class FolderSink:
    """Results of a query go to a folder, and the numbers of late elements to where its state is."""

    schema: Schema
    folder: str
    state: str
    changelog: bool
    guard: FileGuard = field(default_factory=FileGuard)

    def __post_init__(self) -> None:
        taken = sorted({TIME, CHANGE, START, END, COUNT} & set(self.schema.names))
        if taken:
            problem = f"the query has a column {', '.join(taken)}, which results need for themselves"
            raise SchemaError(f"continuous: {problem}; expected another name (AS)")

    @property
    def checkpoint(self) -> str:
        """Where Spark writes down which batches are done, and the state of the parts."""
        return f"{self.state}/checkpoint"

    def put(self, batch: DataFrame, number: int) -> None:
        """Write the output of a batch, or overwrite it; a batch without output leaves no trace."""
        try:
            skipped = self.guard.skipped(batch.sparkSession, self.checkpoint, number)
        except SnapeqError as error:
            raise WorkerFailure(marked(error)) from None
        self._write_counts(batch.sparkSession, "skipped", number, skipped)
        self._write(batch, number)

    def _write(self, batch: DataFrame, number: int) -> None:
        known = batch.persist()
        try:
            late = {row[0]: row[1] for row in known.groupBy(LATE).agg(f.sum(COUNT)).collect()}
            if None in late:
                rows = self._in_files(known.where(f.col(LATE).isNull()), late.pop(None))
                self._outside(rows).write.mode("overwrite").parquet(f"{self.folder}/batch-{number:09d}")
            self._write_counts(batch.sparkSession, "late", number, late)
        finally:
            known.unpersist()

    def _in_files(self, rows: DataFrame, number: int) -> DataFrame:
        """Few files, however many parts there are; but a log of changes has one for each part, in the order of time."""
        return rows if self.changelog else rows.coalesce(1 + number // ROWS_PER_FILE)

    def _write_counts(self, spark: SparkSession, kind: str, number: int, counts: Mapping[str, int]) -> None:
        """Write down how many elements or files of each source do not count in a batch, if there are any."""
        if counts:
            table = spark.createDataFrame(list(counts.items()), COUNT_COLUMNS)
            table.coalesce(1).write.mode("overwrite").parquet(f"{self.state}/{kind}/batch-{number:09d}")

    def _outside(self, rows: DataFrame) -> DataFrame:
        """Rows with the column names of the query; the end is NULL for rows that are valid for ever."""
        called = [f.col(inside).alias(name) for inside, name in zip(names(self.schema), self.schema.names, strict=True)]
        if self.changelog:
            return rows.select(*called, f.col(START).alias(TIME), CHANGE, COUNT)
        end = f.when(f.col(END) != ENDLESS, f.col(END)).alias(END)
        return rows.select(*called, START, end, COUNT)

    def columns(self) -> StructType:
        """The columns of what is written."""
        fields = [StructField(c.name, SPARK_TYPES[c.type]) for c in self.schema.columns]
        start, count = StructField(TIME if self.changelog else START, LongType()), StructField(COUNT, LongType())
        second = StructField(CHANGE, StringType()) if self.changelog else StructField(END, LongType())
        return StructType([*fields, start, second, count])

    def written(self, spark: SparkSession) -> DataFrame:
        """All that was written so far."""
        return read_or_empty(spark, f"{literal_path(self.folder)}/batch-*", self.columns())

    def results(self, spark: SparkSession) -> Frame:
        """The results so far; intervals may be cut where a watermark was, which does not change any snapshot."""
        inside = self.written(spark).toDF(*names(self.schema), START, END, COUNT)
        each = inside.withColumn(COUNT, f.explode(f.sequence(f.lit(1).cast("long"), f.col(COUNT))))
        return Frame(each.drop(COUNT).withColumn(END, f.coalesce(END, f.lit(ENDLESS))), self.schema)

    def late(self, spark: SparkSession) -> dict[str, int]:
        """How many elements of each source came too late so far, for sources with any."""
        return self._counts(spark, "late")

    def skipped(self, spark: SparkSession) -> dict[str, int]:
        """How many files of each source were left out so far, for sources with any."""
        return self._counts(spark, "skipped")

    def _counts(self, spark: SparkSession, kind: str) -> dict[str, int]:
        found = read_or_empty(spark, f"{literal_path(self.state)}/{kind}/batch-*", COUNT_COLUMNS)
        return {row[0]: row[1] for row in found.groupBy("source").agg(f.sum("late")).collect()}


def read_or_empty(spark: SparkSession, path: str, schema: StructType | str) -> DataFrame:
    """The Parquet files at paths of a pattern; no rows if there are none."""
    try:
        found = spark.read.schema(schema).parquet(path)
        assert found.columns, "a remote session looks for the files only when it is asked for something"
        return found
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        return spark.createDataFrame([], schema)
