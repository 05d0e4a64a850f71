"""Streams whose floats may differ a little: at every instant the rows must pair up within a relative tolerance."""

from collections import defaultdict
from typing import cast

from equivalence.conformance.subject.tolerance import close
from physical.columns.column import rows
from physical.columns.stream import PhysicalStream
from physical.files.stream_difference import Balance
from semantics import Instant, Multiset, Row, Schema, Type
from semantics.value import identical_row


class TolerantBalance(Balance):
    """What remains of both sides after all equal rows have cancelled out is paired, instant by instant.

    Only rows that differ cost anything, and each of them costs a step in Python.
    """

    def __init__(self, schema: Schema, tolerance: float) -> None:
        super().__init__(schema)
        self.tolerance = tolerance
        self.floats = {i for i, type_ in enumerate(schema.types[:-1]) if type_ is Type.FLOAT}
        self.surplus: dict[Row, dict[Row, int]] = defaultdict(lambda: defaultdict(int))
        """By the values that must be equal: how much more of a row the left side holds than the right one."""

    def first_before(self, t: int, force: bool = False) -> Instant | None:
        if super().first_before(t, force) is None:
            return None
        due = self.open.start < t
        settled, self.open = self.open.take(due), self.open.take(~due)
        return self._first_wrong(settled)

    def _first_wrong(self, changes: PhysicalStream) -> Instant | None:
        by_instant: dict[int, list[Row]] = defaultdict(list)
        for row, t in zip(rows(changes.columns), changes.start.tolist(), strict=True):
            by_instant[t].append(row)
        return next((t for t in sorted(by_instant) if not self._is_close_after(by_instant[t])), None)

    def _is_close_after(self, changes: list[Row]) -> bool:
        """Apply the changes of one instant; only groups that they touch can have become wrong."""
        touched = {self._apply(change) for change in changes}
        return all(self._is_close(self.surplus[group]) for group in touched)

    def _apply(self, change: Row) -> Row:
        *values, amount = change
        row = identical_row(tuple(values))
        group = tuple(value for i, value in enumerate(row) if i not in self.floats)
        held = self.surplus[group]
        held[row] += cast(int, amount)
        if not held[row]:
            del held[row]
        return group

    def _is_close(self, held: dict[Row, int]) -> bool:
        left = Multiset({row: n for row, n in held.items() if n > 0})
        return close(left, Multiset({row: -n for row, n in held.items() if n < 0}), self.tolerance)
