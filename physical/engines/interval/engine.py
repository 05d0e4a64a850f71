"""The engine `interval`: every plan, in one pass over its inputs."""

from typing import TYPE_CHECKING

from physical.runtime.engine import GraphEngine

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.runtime.operator_graph import Algebra


class IntervalEngine(GraphEngine):
    """The time-interval algebra: every element says how long it is valid, so nothing has to be retracted."""

    name = "interval"

    def algebra(self) -> "Algebra":
        from physical.engines.interval.algebra import INTERVAL_ALGEBRA

        return INTERVAL_ALGEBRA
