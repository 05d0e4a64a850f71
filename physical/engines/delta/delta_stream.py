"""Streams of signed elements: +e at the first instant of a row, −e at the first instant at which it is gone.

The snapshot at t is the sum of all signs at t or before. A negative element retracts an earlier positive one of the
same row, so no prefix of a stream counts a row below zero. Elements at one instant change the snapshot together: only
their sum matters. An edge between operators may also carry *occurrences*: positive elements, each for its instant only,
as in raw streams; windows make signed elements of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from physical.columns.column import ColumnVector, concatenated, from_values, rows, taken
from physical.columns.stream import PhysicalStream
from physical.kernels.types import Array, Ints
from semantics import Schema, StreamError, Value
from semantics.value import Row

Signs = NDArray[np.int8]
Sign = Literal["+", "-"]


@dataclass(frozen=True, slots=True, eq=False)
class DeltaStream:
    """A batch of signed elements, or a whole stream of them, in the order of time."""

    schema: Schema
    columns: tuple[ColumnVector, ...]
    time: Ints
    sign: Signs

    def __len__(self) -> int:
        return len(self.time)

    @property
    def start(self) -> Ints:
        """When elements take effect, under the name that every batch has for it."""
        return self.time

    @property
    def negative(self) -> Array:
        """Which elements are retractions."""
        return self.sign < 0

    def take(self, positions: Array | slice) -> "DeltaStream":
        """The elements at these positions, or where this mask is True."""
        return DeltaStream(self.schema, taken(self.columns, positions), self.time[positions], self.sign[positions])

    def with_columns(self, schema: Schema, columns: Sequence[ColumnVector]) -> "DeltaStream":
        """Other rows, which come and go at the same instants."""
        return DeltaStream(schema, tuple(columns), self.time, self.sign)

    def at(self, time: Ints) -> "DeltaStream":
        """The same elements at other instants."""
        return DeltaStream(self.schema, self.columns, time, self.sign)

    def with_sign(self, sign: Signs) -> "DeltaStream":
        """The same rows at the same instants with other signs."""
        return DeltaStream(self.schema, self.columns, self.time, sign)

    def until(self, t: int, inclusive: bool = True) -> tuple["DeltaStream", "DeltaStream"]:
        """The elements at t or before (or, if not inclusive, before t), and the rest."""
        due = int(np.searchsorted(self.time, t, side="right" if inclusive else "left"))
        return self.take(np.s_[:due]), self.take(np.s_[due:])

    @staticmethod
    @cache
    def empty(schema: Schema) -> "DeltaStream":
        return DeltaStream.from_elements(schema, [])

    @classmethod
    def from_elements(cls, schema: Schema, elements: Iterable[tuple[Sign, Sequence[Value], int]]) -> "DeltaStream":
        """A stream of Python rows, each with its sign and its instant: for small inputs and tests."""
        listed = list(elements)
        columns = tuple(from_values([row[i] for _, row, _ in listed], t) for i, t in enumerate(schema.types))
        signs = np.array([1 if sign == "+" else -1 for sign, _, _ in listed], np.int8)
        return cls(schema, columns, np.array([t for _, _, t in listed], np.int64), signs)

    @classmethod
    def of_bounds(cls, stream: PhysicalStream, bounds: tuple[Ints, Ints]) -> "DeltaStream":
        """The rows of a stream as they come and go at these times; a code is 2 · position, plus 1 where it goes."""
        time, codes = bounds
        sign = (1 - 2 * (codes & 1)).astype(np.int8)
        return cls(stream.schema, taken(stream.columns, codes >> 1), time, sign)

    def to_elements(self) -> list[tuple[Sign, Row, int]]:
        """The elements as Python rows: for small results and tests."""
        signs: list[Sign] = ["-" if sign < 0 else "+" for sign in self.sign.tolist()]
        return list(zip(signs, rows(self.columns), self.time.tolist(), strict=True))

    def checked(self, where: str) -> "DeltaStream":
        """This stream, if it is in order and negative elements retract rows that are there; otherwise an error."""
        from physical.engines.delta.retraction import unmatched  # it imports this module

        late = self.time[1:] < self.time[:-1]
        if late.any():
            i = int(np.argmax(late)) + 1
            raise StreamError(f"{where}: element {i} must be at {self.time[i - 1]} or later, got {self.time[i]}")
        wrong = unmatched(self)
        if wrong is not None:
            row = rows(self.take(np.s_[wrong : wrong + 1]).columns)[0]
            raise StreamError(f"{where}: element {wrong} must take back a row that is there, got {row}")
        return self


def joined(streams: Sequence[DeltaStream]) -> DeltaStream:
    """One stream after the other; the caller takes care of the order of time."""
    streams = [stream for stream in streams if len(stream)] or streams[:1]
    if len(streams) == 1:
        return streams[0]
    columns = tuple(concatenated([s.columns[i] for s in streams]) for i in range(len(streams[0].columns)))
    time, sign = np.concatenate([s.time for s in streams]), np.concatenate([s.sign for s in streams])
    return DeltaStream(streams[0].schema, columns, time, sign)


def in_order(stream: DeltaStream) -> DeltaStream:
    """The same elements in the order of time; elements of one instant keep their order."""
    if len(stream) < 2 or bool((stream.time[1:] >= stream.time[:-1]).all()):
        return stream
    from physical.kernels.sort import stable_order  # numba takes time to import; making a stream does not need it

    return stream.take(stable_order(stream.time))
