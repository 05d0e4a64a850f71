"""The engine `interval`: every plan, in one pass over its inputs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from physical.runtime.engine import GraphEngine
from semantics import Plan

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.columns.stream import PhysicalStream
    from physical.runtime.operator_graph import Algebra
    from physical.runtime.run_whole import AnyStream


class IntervalEngine(GraphEngine):
    """The time-interval algebra: every element says how long it is valid, so nothing has to be retracted."""

    name = "interval"

    def run(self, plan: Plan, sources: "Mapping[str, AnyStream]", horizon: int | None = None) -> "PhysicalStream":
        from physical.engines.interval.run_plan import run

        return run(plan, sources, horizon)

    def algebra(self) -> "Algebra":
        from physical.engines.interval.algebra import INTERVAL_ALGEBRA

        return INTERVAL_ALGEBRA
