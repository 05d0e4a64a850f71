"""The interval engine with its state in stores."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from semantics import Plan, Schema

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.interval.execute import AnyStream
    from physical.interval.session import Session
    from physical.stream import PhysicalStream


class StoredEngine:
    """The time-interval algebra; sweep areas and what waits for a slice are kept in stores."""

    name = "stored"

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002  # all of them
        return True

    def run(self, plan: Plan, sources: "Mapping[str, AnyStream]", horizon: int | None = None) -> "PhysicalStream":
        from physical.interval.execute import run
        from physical.storage.state import StateStores

        return run(plan, sources, horizon, algebra=StateStores().algebra)

    def session(self, sources: Mapping[str, Schema], slack: int = 0) -> "Session":
        """A long-running graph of queries over these sources."""
        from physical.interval.dataflow import Dataflow
        from physical.interval.session import Session
        from physical.storage.state import StateStores

        flow = partial(Dataflow, algebra=StateStores().algebra)
        return Session(dict(sources), slack=slack, allow_unbounded=True, flow=flow)
