"""Rows that become valid together, and when each of them expires: a basic window, or a result computed from one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from physical.columns.column import ColumnVector, concatenated, from_values, taken
from physical.columns.stream import PhysicalStream
from physical.kernels.types import Array, Ints
from semantics import Schema, Type

ALL_USABLE: Final = np.empty(0, np.bool_)
"""To kernels, an empty mask means that every row is usable."""


@dataclass(frozen=True, slots=True, eq=False)
class ExpiringRows:
    """Rows, and when they expire: one instant for all of them, or one for each."""

    columns: tuple[ColumnVector, ...]
    length: int
    end: Ints | int

    def __len__(self) -> int:
        return self.length

    def take(self, positions: Array) -> "ExpiringRows":
        """The rows at these positions, or where this mask is True."""
        if positions.dtype == np.bool_:
            positions = np.flatnonzero(positions)
        end = self.end if isinstance(self.end, int) else self.end[positions]
        return ExpiringRows(taken(self.columns, positions), len(positions), end)

    def part(self, first: int, last: int) -> "ExpiringRows":
        """The rows from the first position up to, but not including, the last one."""
        end = self.end if isinstance(self.end, int) else self.end[first:last]
        return ExpiringRows(taken(self.columns, np.s_[first:last]), min(last, self.length) - first, end)

    def with_columns(self, columns: Sequence[ColumnVector]) -> "ExpiringRows":
        """Other rows that expire at the same instants."""
        return ExpiringRows(tuple(columns), self.length, self.end)

    def until(self, end: int) -> "ExpiringRows":
        """The same rows, all of which expire then."""
        return ExpiringRows(self.columns, self.length, end)

    def ends(self) -> Ints:
        """When each row expires."""
        return np.full(self.length, self.end, np.int64) if isinstance(self.end, int) else self.end

    @property
    def bytes(self) -> int:
        """The size of the arrays."""
        arrays = [np.asarray(self.end), *(column.values for column in self.columns)]
        masks = [column.valid for column in self.columns if column.valid is not None]
        return sum(int(array.nbytes) for array in [*arrays, *masks])

    def stream(self, schema: Schema, start: int) -> PhysicalStream:
        """The same rows as elements that start together."""
        return PhysicalStream(schema, self.columns, np.full(self.length, start, np.int64), self.ends())

    @classmethod
    def of(cls, stream: PhysicalStream) -> "ExpiringRows":
        """The elements of a stream that start together."""
        end = stream.end
        common = len(end) > 0 and bool((end == end[0]).all())
        return cls(stream.columns, len(end), int(end[0]) if common else end)


def nothing(types: Sequence[Type]) -> ExpiringRows:
    """No rows."""
    return ExpiringRows(tuple(from_values([], type_) for type_ in types), 0, 0)


def together(batches: Sequence[ExpiringRows]) -> ExpiringRows:
    """One batch after the other; there is at least one."""
    some = [batch for batch in batches if len(batch)] or list(batches[:1])
    if len(some) == 1:
        return some[0]
    columns = tuple(concatenated([batch.columns[i] for batch in some]) for i in range(len(some[0].columns)))
    return ExpiringRows(columns, sum(len(batch) for batch in some), _common_end(some))


def _common_end(batches: Sequence[ExpiringRows]) -> Ints | int:
    first = batches[0].end
    if isinstance(first, int) and all(isinstance(batch.end, int) and batch.end == first for batch in batches):
        return first
    return np.concatenate([batch.ends() for batch in batches])
