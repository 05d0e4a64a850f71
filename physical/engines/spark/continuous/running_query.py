"""A running continuous query: started or resumed in a folder, drained, ended, and its results read."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.streaming.query import StreamingQuery

from physical.engines.spark.continuous.batch_files import FileGuard, times_of_repeated
from physical.engines.spark.continuous.claim import END_COLUMNS, NO_PART, claim, ends_of
from physical.engines.spark.continuous.compaction import compact, complete_compaction
from physical.engines.spark.continuous.monitor import BatchProgress, batches
from physical.engines.spark.continuous.query_frame import continuous, parts_of, sources_of
from physical.engines.spark.continuous.sink import FolderSink
from physical.engines.spark.continuous.stored_files import FilesHere, files_at, is_remote
from physical.engines.spark.errors import SlowStart, readable_errors
from physical.engines.spark.frame import Frame
from physical.engines.spark.read import literal_path
from physical.engines.spark.spark_session import LOCAL_CHECKPOINTS, SHUFFLE_PARTITIONS, set_for_now
from physical.engines.spark.worker_python import by_this_python
from physical.kernels.types import ENDLESS
from semantics import Plan, Unsupported
from semantics.notation.show import show

if TYPE_CHECKING:
    from physical.columns.stream import PhysicalStream

STATE_STORE: Final = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB: Final = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
QUERY_SETTINGS: Final[Mapping[str, str]] = {
    STATE_STORE: ROCKSDB,
    "spark.sql.streaming.multipleWatermarkPolicy": "min",
    "spark.sql.streaming.noDataMicroBatches.enabled": "true",
    "spark.sql.streaming.queryEvolution.enableSourceEvolution": "false",
}
"""What a query needs of its session; it copies the settings when it starts, so the session gets its own back."""
RESTARTS: Final = 5
"""So often a query goes on by itself if a Python process did not start within the time that Spark gives it."""


class RunningQuery:
    """A running plan: its results go to one folder, and what it needs to resume to another, inside it or elsewhere."""

    def __init__(
        self, spark: SparkSession, plan: Plan, sink: FolderSink, parts: int, begin: Callable[[], StreamingQuery]
    ) -> None:
        self.spark, self.plan, self.sink, self.parts, self._begin = spark, plan, sink, parts, begin
        self.query, self._stopped = begin(), False

    def drain(self) -> None:
        """Wait until all arrived elements are treated, and all results that are known by then are out."""
        self._until(lambda query: query.processAllAvailable())

    def wait(self) -> None:
        """Wait until the query is stopped; raises the error that ended it, if there was one."""
        self._until(lambda query: query.awaitTermination())

    def _until(self, over: Callable[[StreamingQuery], object]) -> None:
        """Wait for the query; if the machine was too busy for it to start, it goes on where it was."""
        for left in reversed(range(RESTARTS + 1)):
            try:
                with readable_errors():
                    over(self.query)
                return
            except SlowStart:
                if self._stopped or not left:
                    raise
                self.query = self._begin()
                if self._stopped:  # meanwhile
                    self.query.stop()

    def finish(self, until: int = ENDLESS) -> None:
        """End the streams: give out the results that the watermark still held back, up to an instant if one is given.

        It drains first, because in the same batch the end could overtake files that wait for their turn.
        """
        self.drain()
        ends = self.spark.range(self.parts).select(
            f.col("id").cast("int").alias("part"),
            f.lit(until).alias("until"),
            f.lit(None).cast("string").alias("about"),
        )
        with readable_errors():
            ends.coalesce(1).write.mode("append").parquet(ends_of(self.sink))
        self.drain()
        self.stop()

    def stop(self) -> None:
        """Stop for now; `start` with the same folder resumes it."""
        self._stopped = True
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
        with readable_errors():
            return dict.fromkeys(sources_of(self.plan), 0) | self.sink.late(self.spark)

    def progress(self) -> list[BatchProgress]:
        """How the last batches fared; Spark keeps a hundred of them."""
        with readable_errors():
            return list(batches(self.query.recentProgress, self.sink.guard.streams))

    def skipped(self) -> dict[str, int]:
        """How many files of each source were left out so far, because they were gone or empty."""
        with readable_errors():
            return dict.fromkeys(sources_of(self.plan), 0) | self.sink.skipped(self.spark)


@by_this_python()
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
    ahead: int | None = None,
    skip_missing: bool = False,
    compacts: bool = False,
) -> RunningQuery:
    """Run a plan over streaming frames continuously; in a folder that has run it before, it resumes.

    What it needs to resume is in `state`, by default a folder inside. It looks for new data every `pause` seconds. An
    element that is more than `ahead` units in the future is an error (see `AheadBound`), and so is a file that is gone
    or empty when its batch is computed, unless `skip_missing`. If it `compacts`, the results of earlier batches are
    merged before it starts.
    """
    wanted = parts or int(spark.conf.get(SHUFFLE_PARTITIONS) or 1)
    sink = FolderSink(plan.schema, folder, state or f"{folder}/_query", changelog)
    number = parts_of(plan, wanted)
    with readable_errors():
        claim(spark, sink, {"plan": show(plan), "slack": slack, "parts": number, "changelog": changelog})
        complete_compaction(spark, sink)
        if compacts:
            compact(spark, sink, wanted)
        ends = spark.readStream.schema(END_COLUMNS).parquet(literal_path(ends_of(sink))).where(f.col("part") != NO_PART)
        data = continuous(
            plan, sources, ends, slack=slack, parts=number, allow_unbounded=allow_unbounded, changelog=changelog,
            ahead=ahead,
        )  # fmt: skip
        streams = tuple(name for name in sources_of(plan) if sources[name].data.isStreaming)

        @by_this_python()
        def begin() -> StreamingQuery:
            guard = FileGuard(streams, skip_missing, times_of_repeated(spark, sink.checkpoint))
            with set_for_now(spark, {**_settings(spark, sink), SHUFFLE_PARTITIONS: str(number)}):
                return _written(data, replace(sink, guard=guard), pause)

        return RunningQuery(spark, plan, replace(sink, guard=FileGuard(streams)), number, begin)


def _settings(spark: SparkSession, sink: FolderSink) -> Mapping[str, str]:
    is_here = not is_remote(spark) and isinstance(files_at(spark, sink.checkpoint), FilesHere)
    return {**QUERY_SETTINGS, **LOCAL_CHECKPOINTS} if is_here else QUERY_SETTINGS


def _written(data: DataFrame, sink: FolderSink, pause: float) -> StreamingQuery:
    """Write batch after batch to the sink; Spark records which ones are done."""
    writer = data.writeStream.foreachBatch(sink.put).outputMode("append").trigger(processingTime=f"{pause} seconds")
    return writer.option("checkpointLocation", sink.checkpoint).start()
