"""Where two outputs differ: row by row, the longest intervals in which one has it more often than the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge

from semantics import FOREVER, Instant, Interval, Row
from semantics.sparse.row_steps import Counts, Steps
from semantics.value import row_order


@dataclass(frozen=True)
class Cell:
    """A row that an output has `wanted` times in an interval, and another one `got` times."""

    row: Row
    valid: Interval
    wanted: int
    got: int

    @property
    def start(self) -> Instant:
        return self.valid.start

    @property
    def surplus(self) -> int:
        return self.got - self.wanted


def differing_cells(wanted: Counts, got: Counts) -> list[Cell]:
    """All cells, by time and then by row.

    >>> wanted, got = {(1,): [(0, 1), (5, 0)]}, {(1,): [(0, 1), (3, 2), (5, 0)]}
    >>> [(cell.row, cell.start, cell.surplus) for cell in differing_cells(wanted, got)]
    [((1,), 3, 1)]
    """
    return sorted(_cells(wanted, got), key=lambda cell: (cell.start, row_order(cell.row)))


def distance(wanted: Counts, got: Counts) -> int:
    """How many cells differ, each as often as one side has it more."""
    return sum(abs(cell.surplus) for cell in _cells(wanted, got))


def _cells(wanted: Counts, got: Counts) -> Iterator[Cell]:
    for row in wanted.keys() | got.keys():
        right, recorded = wanted.get(row, []), got.get(row, [])
        if right != recorded:
            yield from _of_row(row, right, recorded)


def _of_row(row: Row, wanted: Steps, got: Steps) -> Iterator[Cell]:
    open_since: Instant | None = None
    now = [0, 0]
    for t, side, n in merge(((t, 0, n) for t, n in wanted), ((t, 1, n) for t, n in got)):
        if open_since is not None and t > open_since and now[0] != now[1]:
            yield Cell(row, Interval(open_since, t), now[0], now[1])
        now[side], open_since = n, t
    if open_since is not None and now[0] != now[1]:
        yield Cell(row, Interval(open_since, FOREVER), now[0], now[1])


def same(wanted: Counts, got: Counts) -> bool:
    return {row: steps for row, steps in wanted.items() if steps} == {row: steps for row, steps in got.items() if steps}
