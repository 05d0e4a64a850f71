"""The two engines over basic windows: incremental, and the re-evaluation of whole windows to compare it with."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from semantics import Plan, Schema

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.interval.dataflow import Algebra
    from physical.interval.execute import AnyStream
    from physical.interval.session import Session
    from physical.stream import PhysicalStream


class IncrementalEngine:
    """Plans over basic windows, of which every slide computes the new ones only."""

    name = "incremental"

    def __init__(self, chunks: int = 1) -> None:
        self.chunks = chunks

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002  # what cannot be split runs after the merge
        return True

    def run(self, plan: Plan, sources: "Mapping[str, AnyStream]", horizon: int | None = None) -> "PhysicalStream":
        from physical.interval.execute import run

        return run(plan, sources, horizon, self.algebra())

    def session(self, sources: Mapping[str, Schema], slack: int = 0) -> "Session":
        """A long-running graph of queries over these sources."""
        from physical.interval.dataflow import Dataflow
        from physical.interval.session import Session

        flow = partial(Dataflow, algebra=self.algebra())
        return Session(dict(sources), slack=slack, allow_unbounded=True, flow=flow)

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
