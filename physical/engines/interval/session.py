"""Long-running queries by the time-interval algebra: `physical.Session`."""

from collections.abc import Iterable
from functools import partial

from physical.columns.threads import thread_count
from physical.engines.interval.algebra import interval_graph
from physical.runtime.graph_session import GraphSession
from semantics import Schema


class Session(GraphSession):
    """A running graph of queries over named sources.

    A result is given out at the push or heartbeat that makes it final. With patience, up to so many new elements may
    wait in an operator until a heartbeat comes, or until there are more of them than of those that it holds. Large
    batches are treated by as many threads as `threads` or SNAPEQ_THREADS says, or by all processors.
    """

    def __init__(
        self,
        sources: dict[str, Schema],
        *,
        slack: int = 0,
        drop_late: bool = False,
        raw: Iterable[str] = (),
        allow_unbounded: bool = False,
        patience: int = 0,
        threads: int | None = None,
    ) -> None:
        graph = partial(interval_graph, patience=patience, threads=thread_count(threads))
        super().__init__(sources, graph, slack=slack, drop_late=drop_late, raw=raw, allow_unbounded=allow_unbounded)
