"""Where a continuous query writes: a folder of Parquet files for every batch, which any tool can read.

A batch that is repeated after a crash replaces its folder, so results and late elements count once.
"""

from dataclasses import dataclass
from typing import Final

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import LongType, StringType, StructField, StructType

from physical.engines.spark.continuous.packed_rows import CHANGE, COUNT, LATE
from physical.engines.spark.frame import END, SPARK_TYPES, START, Frame, names
from physical.kernels.types import ENDLESS
from semantics import Schema, SchemaError

TIME: Final = "_time"
LATE_COLUMNS: Final = StructType([StructField("source", StringType()), StructField("late", LongType())])


@dataclass(frozen=True)
class FolderSink:
    """Results of a query go to a folder, and the numbers of late elements to where its state is."""

    schema: Schema
    folder: str
    state: str
    changelog: bool

    def __post_init__(self) -> None:
        taken = sorted({TIME, CHANGE, START, END, COUNT} & set(self.schema.names))
        if taken:
            problem = f"the query has a column {', '.join(taken)}, which results need for themselves"
            raise SchemaError(f"continuous: {problem}; expected another name (AS)")

    def put(self, batch: DataFrame, number: int) -> None:
        """Write the output of a batch, or overwrite it; a batch without output leaves no trace."""
        known = batch.persist()
        try:
            late = {row[0]: row[1] for row in known.groupBy(LATE).agg(f.sum(COUNT)).collect()}
            if None in late:
                rows = known.where(f.col(LATE).isNull())
                self._outside(rows).write.mode("overwrite").parquet(f"{self.folder}/batch-{number:09d}")
                del late[None]
            if late:
                counts = batch.sparkSession.createDataFrame(list(late.items()), LATE_COLUMNS)
                counts.coalesce(1).write.mode("overwrite").parquet(f"{self.state}/late/batch-{number:09d}")
        finally:
            known.unpersist()

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
        return _read(spark, f"{self.folder}/batch-*", self.columns())

    def results(self, spark: SparkSession) -> Frame:
        """The results so far; intervals may be cut where a watermark was, which does not change any snapshot."""
        inside = self.written(spark).toDF(*names(self.schema), START, END, COUNT)
        return Frame(inside.drop(COUNT).withColumn(END, f.coalesce(END, f.lit(ENDLESS))), self.schema)

    def late(self, spark: SparkSession) -> dict[str, int]:
        """How many elements of each source came too late so far, for sources with any."""
        counts = _read(spark, f"{self.state}/late/batch-*", LATE_COLUMNS).groupBy("source").agg(f.sum("late"))
        return {row[0]: row[1] for row in counts.collect()}


def _read(spark: SparkSession, path: str, schema: StructType) -> DataFrame:
    try:
        found = spark.read.schema(schema).parquet(path)
        assert found.columns, "a remote session looks for the files only when it is asked for something"
        return found
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        return spark.createDataFrame([], schema)
