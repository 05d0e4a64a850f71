"""Declared orders, as in ORDER BY price DESC: which rows of a snapshot come before which."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Literal

from semantics.dataclass_on_use import dataclass
from semantics.value import NULL, Row, Value, order, row_order

Ranking = Literal["rows", "rank", "dense"]
"""What counts as the place of a row: the rows before it (ROW_NUMBER), those of them that are no peers (RANK), or the
different values before it (DENSE_RANK)."""


@dataclass(frozen=True)
class SortKey:
    """One column of a declared order. NULL is less than every value and NaN greater, unless NULLs are put elsewhere."""

    column: int
    descending: bool = False
    nulls_last: bool | None = None
    """Where NULLs stand; if it is not said, first, and in a descending order last."""

    @property
    def ends_with_nulls(self) -> bool:
        return self.descending if self.nulls_last is None else self.nulls_last


def in_order(keys: Sequence[SortKey], rows: Sequence[Row]) -> list[Row]:
    """The rows in a declared order; peers, which it does not tell apart, in the total order on rows.

    >>> in_order([SortKey(0, descending=True)], [(1, "b"), (None, "x"), (2, "a"), (1, "a")])
    [(2, 'a'), (1, 'a'), (1, 'b'), (None, 'x')]
    """
    ordered = sorted(rows, key=row_order)
    for key in reversed(keys):
        ordered.sort(key=lambda row, key=key: _place(key, row[key.column]), reverse=key.descending)  # type: ignore[misc]
    return ordered


def _place(key: SortKey, value: Value) -> tuple[bool, tuple[int, int | float | str]]:
    """The sort key of a value, to be sorted backwards if the order is descending."""
    return ((value is NULL) == (key.ends_with_nulls != key.descending), order(value))


def places(keys: Sequence[SortKey], ranking: Ranking, counts: Mapping[Row, int]) -> list[tuple[Row, range]]:
    """Each row with the places of its occurrences, counted from 0, in the declared order; peers may share a place.

    >>> counts = {("a", 5): 1, ("b", 7): 2, ("c", 5): 1}
    >>> places([SortKey(1)], "rows", counts)
    [(('a', 5), range(0, 1)), (('c', 5), range(1, 2)), (('b', 7), range(2, 4))]
    >>> [[taken.start for _, taken in places([SortKey(1)], ranking, counts)] for ranking in ("rank", "dense")]
    [[0, 0, 2], [0, 0, 1]]
    """
    placed: list[tuple[Row, range]] = []
    peers = groupby(in_order(keys, list(counts)), key=lambda row: tuple(row[key.column] for key in keys))
    before = 0
    for number, (_, members) in enumerate(peers):
        shared = {"rank": before, "dense": number}
        for row in members:
            own = range(before, before + counts[row])
            placed.append((row, own if ranking == "rows" else range(shared[ranking], shared[ranking] + 1)))
            before = own.stop
    return placed
