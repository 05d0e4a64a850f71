"""The two engines over basic windows: incremental, and the re-evaluation of whole windows to compare it with."""

from typing import TYPE_CHECKING

from physical.runtime.engine import GraphEngine

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.engines.incremental.chunks import Pace
    from physical.runtime.operator_graph import Algebra


class IncrementalEngine(GraphEngine):
    """Plans over basic windows; every slide computes only what is new."""

    name = "incremental"

    def __init__(self, chunks: int | None = 1) -> None:
        """`chunks` is the number of parts of a basic window; with None the engine finds the best number."""
        self.chunks = chunks

    def algebra(self) -> "Algebra":
        from physical.engines.incremental.stage_operator import algebra
        from physical.engines.incremental.window_evaluator import IncrementalEvaluator

        return algebra(IncrementalEvaluator, self.pace)

    def pace(self) -> "Pace":
        from physical.engines.incremental.chunks import Adaptive, Fixed

        return Adaptive() if self.chunks is None else Fixed(self.chunks)


class ReevaluationEngine(IncrementalEngine):
    """The same plans over the same windows; every slide evaluates whole windows again."""

    name = "reevaluation"

    def algebra(self) -> "Algebra":
        from physical.engines.incremental.stage_operator import algebra
        from physical.engines.incremental.window_evaluator import ReevaluationEvaluator

        return algebra(ReevaluationEvaluator, self.pace)
