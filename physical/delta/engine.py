"""The engine `delta`: every plan, over signed elements."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from semantics import Plan, Schema

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.interval.dataflow import Dataflow
    from physical.interval.execute import AnyStream
    from physical.interval.session import Session
    from physical.stream import PhysicalStream


class DeltaEngine:
    """The positive–negative approach: rows come and go, and nobody says beforehand when."""

    name = "delta"
    retracts = True

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002  # all of them
        return True

    def run(self, plan: Plan, sources: "Mapping[str, AnyStream]", horizon: int | None = None) -> "PhysicalStream":
        from physical.interval.execute import clipped, run_through
        from physical.stream import PhysicalStream, joined

        results = [PhysicalStream.empty(plan.schema)]
        run_through(self.graph(), plan, sources, horizon, results.append)
        return joined(results) if horizon is None else clipped(joined(results), horizon)

    def session(self, sources: Mapping[str, Schema], slack: int = 0) -> "Session":
        """A long-running graph of queries over these sources."""
        from physical.interval.session import Session

        return Session(dict(sources), slack=slack, allow_unbounded=True, flow=self.graph())

    def graph(self) -> "Callable[..., Dataflow]":
        """What makes the graph of operators of a plan."""
        from physical.delta.flow import IntervalsFlow

        return IntervalsFlow
