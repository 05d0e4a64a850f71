"""From counts to snapshots, one after the other and never all at once; and back."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge
from itertools import groupby, pairwise
from operator import itemgetter

from semantics.algebra import EMPTY
from semantics.multiset import Multiset
from semantics.sparse.row_steps import Counts, Steps
from semantics.time import End, Instant, Interval
from semantics.value import Row

Change = tuple[Instant, Multiset]
"""An instant, and the snapshot that is valid from there on."""

_time = itemgetter(0)


def changes(counts: Counts, horizon: End) -> Iterator[Change]:
    """The snapshots at 0 and at every instant at which something changes."""
    events = sorted([(t, row, n) for row, steps in counts.items() for t, n in steps], key=_time)
    if horizon > 0 and not (events and events[0][0] == 0):
        yield 0, EMPTY
    held: dict[Row, int] = {}
    for t, changed in groupby(events, key=_time):
        for _, row, n in changed:
            held[row] = n
            if not n:
                del held[row]
        yield t, Multiset.sum(held.items())


def aligned(inputs: Sequence[Counts], horizon: End) -> Iterator[tuple[Instant, tuple[Multiset, ...]]]:
    """The snapshots of several inputs, at every instant at which one of them changes."""
    held = [EMPTY] * len(inputs)
    numbered = [_numbered(i, changes(counts, horizon)) for i, counts in enumerate(inputs)]
    for t, changed in groupby(merge(*numbered, key=_time), key=_time):
        for _, i, now in changed:
            held[i] = now
        yield t, tuple(held)


def _numbered(number: int, stream: Iterator[Change]) -> Iterator[tuple[Instant, int, Multiset]]:
    return ((t, number, now) for t, now in stream)


def lasting(counts: Counts, horizon: End) -> Iterator[tuple[Interval, Multiset]]:
    """The snapshots that hold something, each with the interval in which it stays."""
    for (start, snapshot), (end, _) in pairwise([*changes(counts, horizon), (horizon, EMPTY)]):
        if snapshot:
            yield Interval(int(start), end), snapshot


def recorded(snapshots: Iterable[Change], spend: Callable[[int], None]) -> Counts:
    """Counts again, from snapshots in the order of time; their changes are counted as they come."""
    counts: dict[Row, Steps] = {}
    before: dict[Row, int] = {}
    for t, snapshot in snapshots:
        now = dict(snapshot.pairs())
        changed = dict.fromkeys(before.keys() - now.keys(), 0) | dict(now.items() - before.items())
        spend(len(changed))
        for row, n in changed.items():
            counts.setdefault(row, []).append((t, n))
        before = now
    return counts
