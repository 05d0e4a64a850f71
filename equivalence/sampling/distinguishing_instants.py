"""The instants at which two plans can differ.

Where the past does not matter, equal snapshots of the sources give equal results. So of all instants with the same
snapshots the first is enough, and the first difference is not missed.
"""

from collections.abc import Mapping

from semantics import Instant, LogicalStream, Multiset, Plan

Streams = Mapping[str, LogicalStream]


def distinguishing_instants(streams: Streams, horizon: int, *plans: Plan) -> list[Instant]:
    """All instants; or, if all plans are snapshot-reducible, the first of each group with the same snapshots.

    >>> from semantics import parse, source, to_logical
    >>> streams = {"A": to_logical(parse("raw(x int): (1)@0 (2)@1 (1)@2"), 4)}
    >>> a = source("A", x=int)
    >>> distinguishing_instants(streams, 4, a.distinct().plan), distinguishing_instants(streams, 4, a.window(2).plan)
    ([0, 1, 3], [0, 1, 2, 3])
    """
    if not all(map(is_reducible, plans)):
        return list(range(horizon))
    first: dict[tuple[Multiset, ...], Instant] = {}
    for t in range(horizon):
        first.setdefault(tuple([stream.snapshots[t] for stream in streams.values()]), t)
    return list(first.values())


def is_reducible(plan: Plan) -> bool:
    """Does the output at an instant depend on the inputs at that instant only?"""
    return all(node.reducible for node in plan.walk())


def at_instants(streams: Streams, instants: list[Instant]) -> dict[str, LogicalStream]:
    """The streams with only their snapshots at these instants."""
    return {
        name: LogicalStream(stream.schema, tuple([stream.snapshots[t] for t in instants]))
        for name, stream in streams.items()
    }
