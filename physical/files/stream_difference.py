"""Where two streams in batches differ first, with little memory.

An element adds its count to its row at its start and takes it away at its end. Two streams are equivalent iff at every
instant both add the same to every row; the first instant at which they do not is the first difference. Elements that
both streams have at the same position cancel out before anything else is done: results of two engines are often alike,
and then the comparison costs hardly more than reading them.
"""

from collections.abc import Iterator

import numpy as np

from physical.columns.column import ColumnVector, identity_codes, unified
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream, joined
from physical.kernels.dense_numbers import dense
from physical.kernels.types import ENDLESS, Bools, Ints
from semantics import Instant, Schema, Type

CountedBatches = Iterator[PhysicalStream]
"""Elements in the order of their starts, the count as the last column."""

CHANGES_WORTH_SETTLING = 1 << 15
"""The new changes for which all open changes are added up; fewer wait for more."""


def first_difference(
    left: CountedBatches, right: CountedBatches, schema: Schema, balance: "Balance | None" = None
) -> Instant | None:
    """The first instant at which two streams differ, by this balance; None if they are equivalent."""
    balance = balance or Balance(schema)
    sides = (ComparedStream(left, schema), ComparedStream(right, schema))
    while min(side.known for side in sides) < ENDLESS:
        behind = min(sides, key=lambda side: (side.known, len(side.batch)))
        balance.add(behind.batch, 1 if behind is sides[0] else -1)
        behind.read()
        for side, rest, sign in zip(sides, unmatched(*(side.batch for side in sides)), (1, -1), strict=True):
            balance.add(rest[0], sign)
            side.batch = rest[1]
        found = balance.first_before(min(side.taken for side in sides))
        if found is not None:
            return found
    return balance.first_before(ENDLESS, force=True)


class ComparedStream:
    """One of the streams: its current batch, and the instant before which no later element starts."""

    def __init__(self, batches: CountedBatches, schema: Schema) -> None:
        self.batches = batches
        self.nothing = PhysicalStream.empty(schema)
        self.batch = self.nothing
        self.known = 0

    @property
    def taken(self) -> int:
        """All elements that start before this instant have left the batch."""
        return int(self.batch.start[0]) if len(self.batch) else self.known

    def read(self) -> None:
        """Replace the current batch by the next one."""
        following = next((batch for batch in self.batches if len(batch)), None)
        self.batch = self.nothing if following is None else following
        self.known = ENDLESS if following is None else int(following.start[-1])


class Balance:
    """For each row and instant, how much more one side adds than the other; the amount is the last column."""

    def __init__(self, schema: Schema) -> None:
        self.open = PhysicalStream.empty(schema)
        self.fresh: list[PhysicalStream] = []

    def add(self, elements: PhysicalStream, sign: int) -> None:
        """Add elements of one side: each adds its count at its start and takes it away at its end."""
        if len(elements):
            ending = elements.take(elements.end < ENDLESS)
            self.fresh += [_change(elements, elements.start, sign), _change(ending, ending.end, -sign)]

    def first_before(self, t: int, force: bool = False) -> Instant | None:
        """The first instant before t at which the sides differ; without force it may be found in a later call."""
        if sum(map(len, self.fresh)) < max(CHANGES_WORTH_SETTLING, len(self.open)) and not force:
            return None
        self._settle()
        earliest = int(self.open.start.min()) if len(self.open) else ENDLESS
        return earliest if earliest < t else None

    def _settle(self) -> None:
        """Add up all changes of a row at an instant, and forget those that cancel out."""
        whole, self.fresh = joined([self.open, *self.fresh]), []
        if not len(whole):
            return
        *columns, amounts = whole.columns
        numbers, places = _numbers([ColumnVector(Type.INT, whole.start), *columns])
        total = np.zeros(len(places), np.int64)
        np.add.at(total, numbers, amounts.values)
        left = np.flatnonzero(total)
        first = whole.take(places[left])
        self.open = first.with_columns(whole.schema, (*first.columns[:-1], ColumnVector(Type.INT, total[left])))


def _numbers(columns: list[ColumnVector]) -> tuple[Ints, Ints]:
    """The same as row_numbers, in one pass if all columns fit side by side into 64 bits."""
    side_by_side, room = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        codes, valid = identity_codes(column)
        low, high = int(codes.min()), int(codes.max())
        room *= high - low + 1
        if valid is not None or room >= ENDLESS:
            return row_numbers(columns)
        side_by_side = side_by_side * (high - low + 1) + (codes - low)
    return dense(side_by_side)


def _change(elements: PhysicalStream, at: Ints, sign: int) -> PhysicalStream:
    *columns, counts = elements.columns
    changed = elements.with_columns(elements.schema, (*columns, ColumnVector(Type.INT, sign * counts.values)))
    return changed.valid_during(at, at)


Rest = tuple[PhysicalStream, PhysicalStream]


def unmatched(left: PhysicalStream, right: PhysicalStream) -> tuple[Rest, Rest]:
    """For each stream, the elements that differ within the common length, and those beyond it."""
    length = min(len(left), len(right))
    heads = left.take(np.s_[:length]), right.take(np.s_[:length])
    differ = ~_same(*heads)
    return (
        (heads[0].take(differ), left.take(np.s_[length:])),
        (heads[1].take(differ), right.take(np.s_[length:])),
    )


def _same(left: PhysicalStream, right: PhysicalStream) -> Bools:
    """Which elements are the same at the same place?"""
    same: Bools = (left.start == right.start) & (left.end == right.end)
    for columns in zip(left.columns, right.columns, strict=True):
        if same.any():
            (mine, valid), (theirs, other) = (identity_codes(column) for column in unified(columns))
            same &= mine == theirs
            if valid is not None or other is not None:
                same &= columns[0].mask() == columns[1].mask()
    return same
