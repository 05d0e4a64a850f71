"""Physical streams in columns: rows with validity intervals, in the order of their starts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from physical.columns.column import ColumnVector, concatenated, from_values, rows
from physical.kernels.types import ENDLESS, Array, Ints
from semantics import FOREVER, Interval, IntervalStream, LogicalStream, RawStream, Schema, StreamError, Value
from semantics.stream import physical_to_logical, raw_to_physical
from semantics.time import End, Instant
from semantics.value import Row, Type, identical_row

if TYPE_CHECKING:
    from physical.columns.canonical import Canonical

Element = tuple[Row, int, int]
"""A row, its start and its end; the code ENDLESS stands for an end that never comes."""


@dataclass(frozen=True, slots=True, eq=False)
class PhysicalStream:
    """A batch of elements or a whole stream: one array per column, and the start and the end of every element."""

    schema: Schema
    columns: tuple[ColumnVector, ...]
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.start)

    def take(self, positions: Array | slice) -> "PhysicalStream":
        """The elements at these positions, or where this mask is True."""
        if isinstance(positions, np.ndarray) and positions.dtype == np.bool_ and positions.all():
            return self
        columns = tuple(column.take(positions) for column in self.columns)
        return PhysicalStream(self.schema, columns, self.start[positions], self.end[positions])

    def valid_during(self, start: Ints, end: Ints) -> "PhysicalStream":
        """The same rows with other intervals."""
        return PhysicalStream(self.schema, self.columns, start, end)

    def with_columns(self, schema: Schema, columns: Sequence[ColumnVector]) -> "PhysicalStream":
        """Other rows with the same intervals."""
        return PhysicalStream(schema, tuple(columns), self.start, self.end)

    def checked(self, where: str) -> "PhysicalStream":
        """This stream, if no interval is empty and starts are in order; otherwise an error names the wrong element."""
        for wrong, expected in (
            (self.start < 0, "a start ≥ 0"),
            (self.end <= self.start, "an end after its start"),
            (self.start[1:] < self.start[:-1], "a start at or after the one before"),
        ):
            if wrong.any():
                i = int(np.argmax(wrong)) + len(self) - len(wrong)
                span = f"[{self.start[i]}, {self.end[i]})"
                raise StreamError(f"{where}: element {i} must have {expected}, got {span}")
        return self

    @staticmethod
    @cache
    def empty(schema: Schema) -> "PhysicalStream":
        return PhysicalStream.from_elements(schema, [])

    @classmethod
    def from_elements(cls, schema: Schema, elements: Iterable[tuple[Sequence[Value], Interval]]) -> "PhysicalStream":
        """A stream of Python rows: for small inputs and tests."""
        listed = list(elements)
        columns = tuple(from_values([row[i] for row, _ in listed], t) for i, t in enumerate(schema.types))
        start = np.array([interval.start for _, interval in listed], np.int64)
        end = np.array([_code(interval.end) for _, interval in listed], np.int64)
        return cls(schema, columns, start, end).checked("PhysicalStream")

    @classmethod
    def of(cls, stream: "RawStream | IntervalStream | LogicalStream | PhysicalStream") -> "PhysicalStream":
        """Any stream in columns; a logical one up to its horizon."""
        match stream:
            case PhysicalStream():
                return stream
            case RawStream():
                return cls.from_elements(stream.schema, raw_to_physical(stream).elements)
            case IntervalStream():
                return cls.from_elements(stream.schema, stream.elements)
            case LogicalStream():
                chronons = [(row, Interval(t, t + 1)) for row, t, n in stream for _ in range(n)]
                return cls.from_elements(stream.schema, chronons)

    @classmethod
    def from_raw(cls, stream: RawStream) -> "PhysicalStream":
        """A stream in which every element is valid for the one instant at which it occurs."""
        return cls.of(stream)

    def to_interval(self) -> IntervalStream:
        """The same stream as Python rows."""
        spans = zip(self.start.tolist(), self.end.tolist(), strict=True)
        elements = [(row, Interval(s, _instant(e))) for row, (s, e) in zip(rows(self.columns), spans, strict=True)]
        return IntervalStream(self.schema, elements)

    def to_elements(self) -> list[Element]:
        """The elements as Python rows, each with its start and its end: for small batches."""
        listed = rows(self.columns)
        if Type.FLOAT in self.schema.types:
            listed = [identical_row(row) for row in listed]
        return list(zip(listed, self.start.tolist(), self.end.tolist(), strict=True))

    def to_logical(self, horizon: Instant) -> LogicalStream:
        """The snapshots of this stream at the instants 0 … horizon − 1 (2)."""
        return physical_to_logical(self.to_interval(), horizon)

    def canonical(self) -> "Canonical":
        """The maximal runs of constant multiplicity of every row."""
        from physical.columns.canonical import canonical

        return canonical(self)

    def equivalent(self, other: "PhysicalStream") -> bool:
        """Are all snapshots of both streams equal (16)?"""
        from physical.columns.canonical import first_difference

        return first_difference(self, other) is None


def joined(streams: Sequence[PhysicalStream]) -> PhysicalStream:
    """One stream after the other; the caller takes care of the order of starts."""
    streams = [stream for stream in streams if len(stream)] or streams[:1]
    if len(streams) == 1:
        return streams[0]
    columns = tuple(concatenated([s.columns[i] for s in streams]) for i in range(len(streams[0].columns)))
    start = np.concatenate([s.start for s in streams])
    return PhysicalStream(streams[0].schema, columns, start, np.concatenate([s.end for s in streams]))


def in_order(stream: PhysicalStream) -> PhysicalStream:
    """The same elements in the order of their starts; elements that start together keep their order."""
    if len(stream) < 2 or bool((stream.start[1:] >= stream.start[:-1]).all()):
        return stream
    from physical.kernels.sort import stable_order  # numba takes time to import; making a stream does not need it

    return stream.take(stable_order(stream.start))


def _code(end: End) -> int:
    return ENDLESS if end == FOREVER else int(end)


def _instant(code: int) -> End:
    return FOREVER if code == ENDLESS else code
