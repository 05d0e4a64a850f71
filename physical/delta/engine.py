"""The engine `delta`: every plan, over signed elements."""

from typing import TYPE_CHECKING

from physical.by_algebra import ByAlgebra

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.interval.dataflow import Algebra


class DeltaEngine(ByAlgebra):
    """The positive–negative approach: rows come and go, and nobody says beforehand when."""

    name = "delta"
    retracts = True

    def algebra(self) -> "Algebra":
        from physical.delta.flow import TO_INTERVALS

        return TO_INTERVALS
