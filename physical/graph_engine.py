"""Engines whose operators form a running graph, for whole streams and for sessions."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from semantics import Plan, Schema

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.interval.dataflow import Algebra
    from physical.interval.execute import AnyStream
    from physical.interval.session import Session
    from physical.stream import PhysicalStream


class GraphEngine:
    """Every plan, by the operators of an algebra; this one is that of time intervals."""

    name = "interval"

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002  # all of them
        return True

    def run(self, plan: Plan, sources: "Mapping[str, AnyStream]", horizon: int | None = None) -> "PhysicalStream":
        from physical.interval.execute import run

        return run(plan, sources, horizon, self.algebra())

    def session(self, sources: Mapping[str, Schema], slack: int = 0) -> "Session":
        """A long-running graph of queries over these sources."""
        from functools import partial

        from physical.interval.dataflow import Dataflow
        from physical.interval.session import Session

        flow = partial(Dataflow, algebra=self.algebra())
        return Session(dict(sources), slack=slack, allow_unbounded=True, flow=flow)

    def algebra(self) -> "Algebra":
        """How plans become operators."""
        from physical.interval.dataflow import INTERVAL

        return INTERVAL
