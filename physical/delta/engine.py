"""The engine `delta`: every plan, over signed elements."""

from typing import TYPE_CHECKING

from physical.graph_engine import GraphEngine

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.interval.dataflow import Algebra


class DeltaEngine(GraphEngine):
    """The positive–negative approach: rows come and go, and nobody says beforehand when."""

    name = "delta"
    retracts = True

    def algebra(self) -> "Algebra":
        from physical.delta.flow import INTERVALS

        return INTERVALS
