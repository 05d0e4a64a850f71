"""The engine `delta`: every plan, over signed elements."""

from typing import TYPE_CHECKING

from physical.runtime.engine import GraphEngine
from semantics.plan import Limit, Over, SessionWindow, Unnest

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.runtime.operator_graph import Algebra


class DeltaEngine(GraphEngine):
    """The positive–negative approach: rows come and go, and no element says beforehand when its row goes."""

    name = "delta"
    retracts = True
    lacks = (Unnest, Limit, SessionWindow, Over)

    def algebra(self) -> "Algebra":
        from physical.engines.delta.algebra import DELTA_TO_INTERVAL_ALGEBRA

        return DELTA_TO_INTERVAL_ALGEBRA
