"""Windows that count occurrences; a snapshot that lasts is one block of them, repeated at every instant."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from semantics.multiset import Multiset
from semantics.plan import CountWindow, PartitionedWindow
from semantics.sparse.budget import Instants
from semantics.sparse.row_steps import Counts
from semantics.sparse.sweep import Change, lasting
from semantics.time import FOREVER, End
from semantics.value import Row

RowsWindow = CountWindow | PartitionedWindow


@dataclass(frozen=True)
class RepeatedBlock:
    """A snapshot at one instant after the other: occurrences in their order, numbered from `first` on."""

    first: int
    occurrences: "Occurrences"
    instants: int

    @cached_property
    def end(self) -> int:
        return self.first + self.occurrences.number * self.instants

    def between(self, first: int, last: int, ties: bool) -> Iterable[tuple[Row, int]]:
        """The occurrences first … last − 1, as far as they are here; with ties from the beginning of an instant."""
        start, end = max(first, self.first) - self.first, min(last, self.end) - self.first
        if ties:
            start -= start % self.occurrences.number
        return self.occurrences.between(start, end) if start < end else ()


@dataclass(frozen=True)
class Occurrences:
    """The rows of a snapshot in their order, with their multiplicities and how many come before them."""

    number: int
    rows: tuple[tuple[Row, int, int], ...]

    @classmethod
    def of(cls, snapshot: Multiset) -> "Occurrences":
        items = snapshot.items()
        places = accumulate((n for _, n in items), initial=0)
        return cls(len(snapshot), tuple((row, n, place) for (row, n), place in zip(items, places, strict=False)))

    def between(self, start: int, end: int) -> Iterable[tuple[Row, int]]:
        """The occurrences start … end − 1 if they are repeated over and over."""
        if len(self.rows) == 1:
            return ((self.rows[0][0], end - start),)
        (full_before, rest_before), (full, rest) = divmod(start, self.number), divmod(end, self.number)
        counted = (
            (row, n * (full - full_before) + min(max(rest - place, 0), n) - min(max(rest_before - place, 0), n))
            for row, n, place in self.rows
        )
        return (pair for pair in counted if pair[1])


def count_window(node: RowsWindow, horizon: End, counts: Counts, check: Callable[[End], None]) -> Iterator[Change]:
    """ω^rows_{N,s}, with ties or without: what it shows from each instant on at which that may change."""
    past: list[RepeatedBlock] = []
    total = 0
    for interval, snapshot in lasting(counts, horizon):
        instants = Instants(interval.start, min(interval.end, interval.start + _settling(node, snapshot)))
        check(instants.number)
        occurrences = Occurrences.of(snapshot)
        for number, t in enumerate(instants, 1):
            yield t, _shown(node, [*past, RepeatedBlock(total, occurrences, number)])
        if interval.end != FOREVER:
            past = _needed(node, [*past, RepeatedBlock(total, occurrences, int(interval.end) - interval.start)])
            total = past[-1].end


def partitions(keys: tuple[int, ...], counts: Counts) -> list[Counts]:
    """The rows of each group by themselves."""
    groups: dict[Row, dict[Row, list[tuple[int, int]]]] = {}
    for row, steps in counts.items():
        groups.setdefault(tuple(row[key] for key in keys), {})[row] = steps
    return list(groups.values())


def _settling(node: RowsWindow, snapshot: Multiset) -> End:
    """After how many instants of the same snapshot the window stays the same; FOREVER if it need not.

    The window has then seen nothing but this snapshot, and is moved by it as a whole. A slide may end the window at
    another place of the snapshot each time, which matters unless all its rows are the same.
    """
    steady = len(snapshot) % node.slide == 0 or len(snapshot.support) == 1
    return -(-(node.rows + node.slide) // len(snapshot)) if steady else FOREVER


def _shown(node: RowsWindow, blocks: list[RepeatedBlock]) -> Multiset:
    first, last = _bounds(node, blocks)
    return Multiset.sum(pair for block in blocks for pair in block.between(first, last, node.ties))


def _needed(node: RowsWindow, blocks: list[RepeatedBlock]) -> list[RepeatedBlock]:
    """Without what lies before the window: it will never come back."""
    first, _ = _bounds(node, blocks)
    return [block for block in blocks if block.end > first]


def _bounds(node: RowsWindow, blocks: list[RepeatedBlock]) -> tuple[int, int]:
    """The numbers of the window's occurrences: the last N up to the last multiple of the slide."""
    last = node.slide * (blocks[-1].end // node.slide)
    return max(last - node.rows, 0), last
