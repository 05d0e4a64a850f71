"""A continuous query that runs: started or taken up again in a folder, drained, ended, and its results read."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.streaming.query import StreamingQuery

from physical.spark.continuous.query import continuous, parts_of, result_schema, sources_of
from physical.spark.continuous.wire import COUNT, LATE
from physical.spark.errors import Unsupported, told
from physical.spark.frame import END, START, Frame, names
from physical.stream import ENDLESS
from semantics import Plan
from semantics.notation import show

if TYPE_CHECKING:
    from physical.stream import PhysicalStream

ROCKSDB: Final = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
ENDS: Final = "part int, until long, about string"
NOBODY: Final = -1
"""The part of the row that says what the folder is for."""


class Running:
    """A plan that runs in a folder: `checkpoint` for Spark, `results`, and `ends`, which also says what runs."""

    def __init__(self, spark: SparkSession, plan: Plan, folder: str, parts: int, query: StreamingQuery) -> None:
        self.spark, self.plan, self.folder, self.parts, self.query = spark, plan, folder, parts, query

    def drain(self) -> None:
        """Wait until all that has come is treated, and all that is known by then is out."""
        with told():
            self.query.processAllAvailable()

    def finish(self, until: int = ENDLESS) -> None:
        """The streams are over: what the watermark still held back comes out, up to an instant if one is given.

        All that has come is treated before: in the same batch the end might overtake files that wait for their turn.
        """
        self.drain()
        ends = self.spark.range(self.parts).select(
            f.col("id").cast("int").alias("part"),
            f.lit(until).alias("until"),
            f.lit(None).cast("string").alias("about"),
        )
        ends.coalesce(1).write.mode("append").parquet(f"{self.folder}/ends")
        self.drain()
        self.stop()

    def stop(self) -> None:
        """Stop for now; `start` with the same folder takes it up again."""
        self.query.stop()

    def results(self) -> "PhysicalStream":
        """All results so far, on this machine."""
        return results(self.spark, self.plan, self.folder).collected()

    def late(self) -> dict[str, int]:
        """How many elements of each source came too late so far."""
        return late(self.spark, self.plan, self.folder)


def start(
    spark: SparkSession,
    plan: Plan,
    sources: Mapping[str, Frame],
    folder: str,
    *,
    slack: int = 0,
    parts: int | None = None,
    allow_unbounded: bool = False,
) -> Running:
    """Run a plan over streaming frames, on and on; a folder that knows it already is taken up where it was left."""
    wanted = parts or int(spark.conf.get("spark.sql.shuffle.partitions") or 1)
    number = _agreed(spark, plan, folder, slack, parts_of(plan, wanted))
    ends = spark.readStream.schema(ENDS).parquet(f"{folder}/ends").where(f.col("part") != NOBODY)
    data = continuous(plan, sources, ends, slack=slack, parts=number, allow_unbounded=allow_unbounded)
    with told(), _settings(spark, number):
        return Running(spark, plan, folder, number, _written(data, folder))


def results(spark: SparkSession, plan: Plan, folder: str) -> Frame:
    """The results so far: intervals may be cut where the watermark once stood, and mean the same."""
    rows = _rows(spark, plan, folder).where(f.col(LATE).isNull())
    return Frame(rows.select(*names(plan.schema), START, END), plan.schema)


def late(spark: SparkSession, plan: Plan, folder: str) -> dict[str, int]:
    """How many elements of each source came too late so far."""
    counts = _rows(spark, plan, folder).where(f.col(LATE).isNotNull()).groupBy(LATE).agg(f.sum(COUNT))
    return dict.fromkeys(sources_of(plan), 0) | {row[0]: row[1] for row in counts.collect()}


def _rows(spark: SparkSession, plan: Plan, folder: str) -> DataFrame:
    return spark.read.schema(result_schema(plan.schema)).parquet(f"{folder}/results")


def _written(data: DataFrame, folder: str) -> StreamingQuery:
    """Into files of which Spark keeps a list, so that a batch that is done again counts once."""
    writer = data.writeStream.format("parquet").outputMode("append")
    return writer.option("checkpointLocation", f"{folder}/checkpoint").start(f"{folder}/results")


def _agreed(spark: SparkSession, plan: Plan, folder: str, slack: int, parts: int) -> int:
    """The number of parts, once it is sure that the folder is new or was made for the same."""
    about = json.dumps({"plan": show(plan), "slack": slack, "parts": parts})
    mine = spark.createDataFrame([(NOBODY, 0, about)], ENDS)
    mine.coalesce(1).write.mode("ignore").parquet(f"{folder}/ends")
    found = spark.read.schema(ENDS).parquet(f"{folder}/ends").where(f.col("part") == NOBODY).collect()
    if [row["about"] for row in found] != [about]:
        there = ", ".join(row["about"] for row in found) or "nothing"
        raise Unsupported(f"continuous: {folder} was started with {there} and cannot go on with {about}")
    return parts


@contextmanager
def _settings(spark: SparkSession, parts: int) -> Iterator[None]:
    """What the query takes over when it starts, and nobody else."""
    wanted = {"spark.sql.streaming.stateStore.providerClass": ROCKSDB, "spark.sql.shuffle.partitions": str(parts)}
    before = {name: spark.conf.get(name, None) for name in wanted}
    for name, value in wanted.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            spark.conf.unset(name) if old is None else spark.conf.set(name, old)
