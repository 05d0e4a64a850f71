"""The two engines over basic windows: incremental, and the re-evaluation of whole windows to compare it with."""

from typing import TYPE_CHECKING

from physical.by_algebra import ByAlgebra

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.interval.dataflow import Algebra


class IncrementalEngine(ByAlgebra):
    """Plans over basic windows, of which every slide computes the new ones only."""

    name = "incremental"

    def __init__(self, chunks: int = 1) -> None:
        self.chunks = chunks

    def algebra(self) -> "Algebra":
        from physical.incremental.factory import Incremental
        from physical.incremental.stage import algebra

        return algebra(Incremental, self.chunks)


class ReevaluationEngine(IncrementalEngine):
    """The same plans over the same windows, each evaluated anew as a whole at every slide."""

    name = "reevaluation"

    def algebra(self) -> "Algebra":
        from physical.incremental.factory import Reevaluation
        from physical.incremental.stage import algebra

        return algebra(Reevaluation, self.chunks)
