"""Engines that differ in their operators only: what runs these is the same."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from semantics import Plan, Schema

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.interval.dataflow import Algebra
    from physical.interval.execute import AnyStream
    from physical.interval.session import Session
    from physical.stream import PhysicalStream


class ByAlgebra(ABC):
    """An engine that runs every plan with the operators of its algebra."""

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002  # all of them
        return True

    @abstractmethod
    def algebra(self) -> "Algebra":
        """How plans become physical plans, and these operators."""

    def run(self, plan: Plan, sources: "Mapping[str, AnyStream]", horizon: int | None = None) -> "PhysicalStream":
        from physical.interval.execute import run

        return run(plan, sources, horizon, self.algebra())

    def session(self, sources: Mapping[str, Schema], slack: int = 0) -> "Session":
        """A long-running graph of queries over these sources."""
        from physical.interval.dataflow import Dataflow
        from physical.interval.session import Session

        flow = partial(Dataflow, algebra=self.algebra())
        return Session(dict(sources), slack=slack, allow_unbounded=True, flow=flow)
