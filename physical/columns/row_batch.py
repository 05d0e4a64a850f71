"""A batch of few elements as Python rows; arrays are made of them only if somebody asks.

Making arrays for one element takes longer than treating it, so small batches travel between operators as rows.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from physical.columns.column import ColumnVector, from_values
from physical.columns.stream import Element, PhysicalStream
from physical.kernels.types import ENDLESS, Ints
from semantics import FOREVER, IntervalStream, RawStream, Schema

_set: Callable[[object, str, Any], None] = object.__setattr__


class RowBatch(PhysicalStream):
    """Elements in the order of their starts; rows are those of the schema, with one NaN and one zero."""

    __slots__ = ("_columns", "elements")
    schema: Schema
    elements: list[Element]
    _columns: PhysicalStream | None

    def __init__(self, schema: Schema, elements: list[Element]) -> None:
        _set(self, "schema", schema)
        _set(self, "elements", elements)
        _set(self, "_columns", None)

    def __len__(self) -> int:
        return len(self.elements)

    @property
    def columns(self) -> tuple[ColumnVector, ...]:
        return self.in_columns().columns

    @property
    def start(self) -> Ints:
        return self.in_columns().start

    @property
    def end(self) -> Ints:
        return self.in_columns().end

    def to_elements(self) -> list[Element]:
        return self.elements

    def in_columns(self) -> PhysicalStream:
        """The same elements in arrays."""
        if self._columns is None:
            _set(self, "_columns", from_rows(self.schema, self.elements))
        assert self._columns is not None
        return self._columns

    def __reduce__(self) -> tuple[object, ...]:
        return (RowBatch, (self.schema, self.elements))


def from_rows(schema: Schema, elements: Sequence[Element]) -> PhysicalStream:
    """Elements in arrays."""
    columns = tuple(from_values([row[i] for row, _, _ in elements], t) for i, t in enumerate(schema.types))
    start = np.array([start for _, start, _ in elements], np.int64)
    return PhysicalStream(schema, columns, start, np.array([end for _, _, end in elements], np.int64))


def rows_of(stream: RawStream | IntervalStream) -> list[Element]:
    """The elements of a stream of Python rows, which were checked when it was made."""
    if isinstance(stream, RawStream):
        return [(row, t, t + 1) for row, t in stream.elements]
    return [(row, i.start, ENDLESS if i.end == FOREVER else int(i.end)) for row, i in stream.elements]
