"""The rows that are valid now, side by side in memory: new rows are appended, expired rows are dropped at the front.

`rows` is a view of the arrays. Arrays have room behind the last row, so the cost of appending a basic window does not
depend on how many rows are there. Rows that have been shown are never moved or overwritten.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from physical.columns.column import ColumnVector, unified
from physical.engines.incremental.expiring_rows import ExpiringRows, nothing
from physical.kernels.types import Array
from semantics import Type


class Strip:
    """An array that grows at its end and shrinks at its front."""

    def __init__(self, values: Array) -> None:
        self.room: Array = values
        self.first, self.last = 0, len(values)

    def append(self, values: Array) -> None:
        last = self.last + len(values)
        if last > len(self.room):
            kept = self.shown
            self.room = np.empty(2 * (len(kept) + len(values)), kept.dtype)
            self.room[: len(kept)] = kept
            self.first, self.last, last = 0, len(kept), len(kept) + len(values)
        self.room[self.last : last] = values
        self.last = last

    @property
    def shown(self) -> Array:
        return self.room[self.first : self.last]


class LiveRows:
    """The rows that have not expired."""

    def __init__(self, types: Sequence[Type]) -> None:
        self.types = tuple(types)
        self.rows = nothing(types)
        self.in_order = True
        """Do rows expire in the order in which they came?"""
        self.gone, self.version = 0, 0
        """How many rows went from the front since all rows were last replaced, and how often they were replaced."""
        self._strips: list[Strip] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def expires_at_once(self) -> bool:
        """Will all rows expire together?"""
        end = self.rows.end
        return isinstance(end, int) or bool((end == end[:1]).all())

    def append(self, batch: ExpiringRows) -> None:
        """Append rows; the first batch is not copied."""
        if len(batch) == 0:
            return
        if len(self.rows) == 0:
            self.replace(batch)
            return
        self.in_order = self.in_order and _expires_last(self.rows, batch)
        pairs = [_alike(pair) for pair in zip(self.rows.columns, batch.columns, strict=True)]
        if self._strips is None or any(
            old is not kept for (old, _), kept in zip(pairs, self.rows.columns, strict=True)
        ):
            self._strips = _strips(ExpiringRows(tuple(old for old, _ in pairs), len(self.rows), self.rows.ends()))
        more = _arrays(ExpiringRows(tuple(new for _, new in pairs), len(batch), batch.ends()))
        for strip, values in zip(self._strips, more, strict=True):
            strip.append(values)
        self._show([old for old, _ in pairs])

    def expire(self, now: int) -> bool:
        """Drop the rows that end now or before; True if there were any."""
        end = self.rows.end
        if isinstance(end, int):
            gone = len(self.rows) if end <= now else 0
            if gone:
                self.replace(nothing(self.types))
            return gone > 0
        if not self.in_order:
            return self._expire_anywhere(now)
        gone = int(np.searchsorted(end, now, side="right"))
        if gone:
            self._drop(gone)
        return gone > 0

    def replace(self, batch: ExpiringRows) -> None:
        """Hold these rows and no others."""
        self.rows, self._strips = batch, None
        self.gone, self.version = 0, self.version + 1
        self.in_order = isinstance(batch.end, int) or bool((batch.end[1:] >= batch.end[:-1]).all())

    def _expire_anywhere(self, now: int) -> bool:
        alive = self.rows.ends() > now
        if alive.all():
            return False
        self.replace(self.rows.take(alive))
        return True

    def _drop(self, count: int) -> None:
        self.gone += count
        if self._strips is None:
            self.rows = self.rows.part(count, len(self.rows))
            return
        for strip in self._strips:
            strip.first += count
        self._show(self.rows.columns)

    def _show(self, like: Sequence[ColumnVector]) -> None:
        """Make the rows what the strips hold."""
        assert self._strips is not None
        *strips, end = self._strips
        arrays = iter(strips)
        columns = tuple(_column(column, arrays) for column in like)
        self.rows = ExpiringRows(columns, end.last - end.first, end.shown)


def _expires_last(rows: ExpiringRows, batch: ExpiringRows) -> bool:
    """Does a batch, in its order, expire after all rows that are there?"""
    last, end = int(rows.ends()[-1]) if not isinstance(rows.end, int) else rows.end, batch.end
    if isinstance(end, int):
        return end >= last
    return bool(end[0] >= last and (end[1:] >= end[:-1]).all())


def _alike(pair: tuple[ColumnVector, ColumnVector]) -> tuple[ColumnVector, ColumnVector]:
    """Both columns with the same words, and with a mask if one of them has a mask."""
    old, new = unified(pair)
    if (old.valid is None) == (new.valid is None):
        return old, new
    return _masked(old), _masked(new)


def _masked(column: ColumnVector) -> ColumnVector:
    return column if column.valid is not None else ColumnVector(column.type, column.values, column.mask(), column.words)


def _strips(batch: ExpiringRows) -> list[Strip]:
    return [Strip(array) for array in _arrays(batch)]


def _arrays(batch: ExpiringRows) -> list[Array]:
    """All arrays that grow: values and masks, column by column, and the ends."""
    arrays = [array for c in batch.columns for array in (c.values, c.valid) if array is not None]
    return [*arrays, batch.ends()]


def _column(like: ColumnVector, arrays: Any) -> ColumnVector:
    values = next(arrays).shown
    return ColumnVector(like.type, values, None if like.valid is None else next(arrays).shown, like.words)
