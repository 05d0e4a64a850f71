"""Spark as an engine for any plan; its inputs and its result have to fit into this process."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from physical.columns.stream import PhysicalStream
from physical.engines.spark.supported import check_supported, is_supported
from physical.engines.spark.worker_python import by_this_python
from physical.kernels.types import ENDLESS
from semantics import Plan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from physical.engines.spark.exchange import Spread
    from physical.runtime.run_whole import AnyStream


ROWS_PER_PARTITION: Final = 50_000
MIN_PARTITIONS: Final = 2
"""One partition for this many rows, and at least MIN_PARTITIONS, so that rows are partitioned at all."""


class SparkEngine:
    """The algebra on Spark; the session starts with the first plan."""

    name = "spark"
    knows_now = True
    knows_types = True
    knows_functions = True
    knows_all_aggregates = True
    lifts = True
    """A Spark job costs much more than a case, so checkers should run many cases in one plan."""

    time_limit = 300.0
    """Seconds that a run may take; the first run starts Spark."""

    def __init__(self, master: str | None = None, spread: "Spread | None" = None) -> None:
        self.master = master
        self.spread = spread

    def supports(self, plan: Plan) -> bool:
        return is_supported(plan)

    @by_this_python()
    def run(self, plan: Plan, sources: Mapping[str, "AnyStream"], horizon: int | None = None) -> PhysicalStream:
        from physical.engines.spark.spark_session import check_installed, session

        check_installed()
        check_supported(plan)
        from physical.engines.spark.compile import Compiler
        from physical.engines.spark.frame import to_frame
        from physical.engines.spark.looking_ahead import result

        spark = session(self.master)
        streams = {name: PhysicalStream.of(sources[name]) for name in plan.sources().keys() & set(sources)}
        frames = {name: to_frame(spark, stream) for name, stream in streams.items()}
        over = self._spread(spark, sum(map(len, streams.values())))
        return coalesced(result(plan, Compiler(frames, over, horizon)).collected())

    def _spread(self, spark: "SparkSession", rows: int) -> "Spread":
        """Few partitions: the hundreds that a cluster has are too many for data from this machine's memory."""
        from physical.engines.spark.exchange import Spread
        from physical.engines.spark.spark_session import SHUFFLE_PARTITIONS

        usual = int(spark.conf.get(SHUFFLE_PARTITIONS) or 1)
        return self.spread or Spread(min(usual, max(MIN_PARTITIONS, rows // ROWS_PER_PARTITION)), heaviest=None)


def coalesced(stream: PhysicalStream) -> PhysicalStream:
    """The same stream without the cuts at slices of time."""
    from physical.engines.interval.split_and_coalesce import IntervalCoalesce

    return IntervalCoalesce(stream.schema).slice([stream], 0, ENDLESS) if len(stream) else stream
