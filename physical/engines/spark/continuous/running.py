"""A continuous query that runs: started or taken up again in a folder, drained, ended, and its results read."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.streaming.query import StreamingQuery

from physical.engines.spark.continuous.query import continuous, parts_of, sources_of
from physical.engines.spark.continuous.sink import Sink
from physical.engines.spark.errors import told
from physical.engines.spark.frame import Frame
from physical.engines.spark.session import SHUFFLE_PARTITIONS, set_for_now
from physical.kernels.types import ENDLESS
from semantics import Plan, Unsupported
from semantics.notation.show import show

if TYPE_CHECKING:
    from physical.columns.stream import PhysicalStream

STORE: Final = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB: Final = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
EMPTY: Final = "spark.sql.streaming.verifyCheckpointDirectoryEmptyOnStart"
"""Off, for a stop in the first moment leaves half a file there, and `_agree` sees whose folder it is.

A query reads it from the session after its start, so it stays off."""
ENDS: Final = "part int, until long, about string"
NOBODY: Final = -1
"""The part of the row that says what the folder is for."""


class Running:
    """A plan that runs: results go to a folder, and what it needs to go on to another, below it or elsewhere."""

    def __init__(self, spark: SparkSession, plan: Plan, sink: Sink, parts: int, query: StreamingQuery) -> None:
        self.spark, self.plan, self.sink, self.parts, self.query = spark, plan, sink, parts, query

    def drain(self) -> None:
        """Wait until all that has come is treated, and all that is known by then is out."""
        with told():
            self.query.processAllAvailable()

    def wait(self) -> None:
        """Wait until somebody stops it; an error that ends it is raised."""
        with told():
            self.query.awaitTermination()

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
        with told():
            ends.coalesce(1).write.mode("append").parquet(f"{self.sink.state}/ends")
        self.drain()
        self.stop()

    def stop(self) -> None:
        """Stop for now; `start` with the same folder takes it up again."""
        self.query.stop()

    def results(self) -> "PhysicalStream":
        """All results so far, on this machine."""
        if self.sink.changelog:
            raise Unsupported(f"continuous: {self.sink.folder} holds changes and no intervals; expected changes()")
        return self.sink.results(self.spark).collected()

    def changes(self) -> DataFrame:
        """The log of changes so far: the query's columns, `_time`, `_change` and `_count`."""
        if not self.sink.changelog:
            raise Unsupported(f"continuous: {self.sink.folder} holds intervals and no changes; expected results()")
        return self.sink.written(self.spark)

    def late(self) -> dict[str, int]:
        """How many elements of each source came too late so far."""
        with told():
            return dict.fromkeys(sources_of(self.plan), 0) | self.sink.late(self.spark)


def start(
    spark: SparkSession,
    plan: Plan,
    sources: Mapping[str, Frame],
    folder: str,
    *,
    state: str | None = None,
    slack: int = 0,
    parts: int | None = None,
    changelog: bool = False,
    allow_unbounded: bool = False,
    pause: float = 0,
) -> Running:
    """Run a plan over streaming frames, on and on; a folder that knows it already is taken up where it was left.

    What it needs to go on is in `state`, without one in a folder inside. It looks for more after a pause in seconds.
    """
    wanted = parts or int(spark.conf.get(SHUFFLE_PARTITIONS) or 1)
    sink = Sink(plan.schema, folder, state or f"{folder}/_query", changelog)
    number = parts_of(plan, wanted)
    with told():
        _agree(spark, sink, {"plan": show(plan), "slack": slack, "parts": number, "changelog": changelog})
        ends = spark.readStream.schema(ENDS).parquet(f"{sink.state}/ends").where(f.col("part") != NOBODY)
        data = continuous(
            plan, sources, ends, slack=slack, parts=number, allow_unbounded=allow_unbounded, changelog=changelog
        )
        spark.conf.set(EMPTY, "false")
        with set_for_now(spark, {STORE: ROCKSDB, SHUFFLE_PARTITIONS: str(number)}):
            return Running(spark, plan, sink, number, _written(data, sink, pause))


def _written(data: DataFrame, sink: Sink, pause: float) -> StreamingQuery:
    """Batch after batch into the sink; Spark remembers which were done."""
    writer = data.writeStream.foreachBatch(sink.put).outputMode("append").trigger(processingTime=f"{pause} seconds")
    return writer.option("checkpointLocation", f"{sink.state}/checkpoint").start()


def _agree(spark: SparkSession, sink: Sink, wanted: Mapping[str, object]) -> None:
    """Make sure that the folder is new or was made for the same."""
    about = json.dumps(wanted)
    mine = spark.createDataFrame([(NOBODY, 0, about)], ENDS)
    mine.coalesce(1).write.mode("ignore").parquet(f"{sink.state}/ends")
    found = spark.read.schema(ENDS).parquet(f"{sink.state}/ends").where(f.col("part") == NOBODY).collect()
    if [row["about"] for row in found] != [about]:
        there = ", ".join(row["about"] for row in found) or "nothing"
        raise Unsupported(f"continuous: {sink.folder} was started with {there} and cannot go on with {about}")
