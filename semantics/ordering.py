"""Declared orders, as in ORDER BY price DESC: which rows of a snapshot come before which."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

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


def places(keys: Sequence[SortKey], ranking: Ranking, rows: Sequence[Row]) -> list[tuple[Row, int]]:
    """Each row with its place, counted from 0, in the declared order.

    >>> rows = [("a", 5), ("b", 7), ("c", 5), ("d", 9)]
    >>> [[place for _, place in places([SortKey(1)], ranking, rows)] for ranking in ("rows", "rank", "dense")]
    [[0, 1, 2, 3], [0, 0, 2, 3], [0, 0, 1, 2]]
    """
    placed: list[tuple[Row, int]] = []
    peers = groupby(in_order(keys, rows), key=lambda row: tuple(row[key.column] for key in keys))
    for number, (_, members) in enumerate(peers):
        first = len(placed)
        for row in members:
            placed.append((row, {"rows": len(placed), "rank": first, "dense": number}[ranking]))
    return placed
