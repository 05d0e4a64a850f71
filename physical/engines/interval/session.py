"""Long-running queries by the time-interval algebra: `physical.Session`."""

from collections.abc import Iterable

from physical.engines.interval.algebra import interval_graph
from physical.runtime.graph_session import GraphSession
from semantics import Schema


class Session(GraphSession):
    """A running graph of queries over named sources."""

    def __init__(
        self,
        sources: dict[str, Schema],
        *,
        slack: int = 0,
        drop_late: bool = False,
        raw: Iterable[str] = (),
        allow_unbounded: bool = False,
    ) -> None:
        super().__init__(
            sources, interval_graph, slack=slack, drop_late=drop_late, raw=raw, allow_unbounded=allow_unbounded
        )
