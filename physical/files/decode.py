"""Rows of a file, as Arrow reads them, into columns and intervals; every value is checked."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from physical.columns.arrow import from_array
from physical.columns.arrow_buffers import as_type
from physical.columns.arrow_types import kept, parsed_column, type_from_arrow, typed_column
from physical.columns.column import ColumnVector
from physical.columns.expressions import evaluate
from physical.columns.stream import PhysicalStream
from physical.files.errors import FileError
from physical.files.layout import Layout
from physical.files.locate import blame, place_of
from physical.files.times import WrongValue, counted_instants, instants
from physical.files.typed_texts import parsed
from physical.kernels.types import ENDLESS, Bools, Ints
from semantics import SchemaError, SnapeqError, Type
from semantics.types import BASIC_TYPES

MAX_COUNT = 2**40
"""The largest count of a row: sums of such counts stay within 64 bits."""


@dataclass(frozen=True, eq=False)
class DecodedBatch:
    """Some rows of a file, the number of the first one, and the count of each row if a column has it."""

    elements: PhysicalStream
    first: int
    counts: Ints | None = None
    row_numbers: Ints | None = None
    """The numbers of all rows, if they do not follow each other."""

    @property
    def numbers(self) -> Ints:
        """The number of each row in the file."""
        return np.arange(self.first, self.first + len(self.elements)) if self.row_numbers is None else self.row_numbers


@dataclass(frozen=True)
class Decoder:
    """Decodes the rows of a file with a layout; errors name the place in the file."""

    path: Path
    layout: Layout

    def batch(self, table: pa.RecordBatch, first: int) -> DecodedBatch:
        """The rows of a table whose first row has this number."""
        columns = tuple(self._column(table, name) for name in self.layout.schema.names)
        start, end = self._times(table, first) if self.layout.clock is None else self._computed(columns, first)
        empty = end <= start
        if empty.any():
            i = int(np.argmax(empty))
            raise self.error(first + i, f"the end {end[i]} is not after the start {start[i]}", "an end after its start")
        return DecodedBatch(PhysicalStream(self.layout.schema, columns, start, end), first, self._counts(table, first))

    def error(self, row: int, problem: str, expected: str, column: str = "") -> FileError:
        """An error about one row."""
        return FileError(self.path, problem, expected, place=place_of(self.path, row), column=column)

    def _column(self, table: pa.RecordBatch, name: str) -> ColumnVector:
        chunks = pa.chunked_array([table.column(name)])
        if self.layout.type_of(name) not in BASIC_TYPES:
            return self._typed(chunks, name)
        if pa.types.is_string(chunks.type) and self.layout.type_of(name) is not Type.STR:
            raise FileError(self.path, "this is a column of text", self.layout.expected(name), column=name)
        try:
            return from_array(name, as_type(chunks, self.layout.arrow_type(name)))
        except (pa.ArrowException, SchemaError) as error:
            problem = f"a column of {chunks.type} does not fit: {str(error).splitlines()[0]}"
            raise FileError(self.path, problem, self.layout.expected(name), column=name) from None

    def _typed(self, chunks: pa.ChunkedArray, name: str) -> ColumnVector:
        """A column of points in time, spans, decimals, arrays or rows."""
        type_ = self.layout.type_of(name)
        try:
            if pa.types.is_string(chunks.type) or pa.types.is_large_string(chunks.type):
                return self._parsed(chunks, type_)
            there = type_from_arrow(chunks.type)
            if there is None or not kept(there, type_):
                raise SchemaError(f"{type_.name} is declared")
            return typed_column(name, chunks, type_)
        except FileError:
            raise
        except (pa.ArrowException, SnapeqError, ValueError) as error:
            problem = f"a column of {chunks.type} does not fit: {str(error).splitlines()[0]}"
            raise FileError(self.path, problem, self.layout.expected(name), column=name) from None

    def _parsed(self, texts: pa.ChunkedArray, type_: Type) -> ColumnVector:
        """A column of texts; the error about one that cannot be read names its line, if the file has lines."""
        try:
            return parsed_column(texts, type_, parsed)
        except ValueError:
            if self.path.is_file():
                blame(self.path, self.layout)
            raise

    def _times(self, table: pa.RecordBatch, first: int) -> tuple[Ints, Ints]:
        layout = self.layout
        if layout.start is None:
            return np.zeros(table.num_rows, np.int64), np.full(table.num_rows, ENDLESS)
        start = self._instants(table, layout.start, first, None)
        return start, start + 1 if layout.end is None else self._instants(table, layout.end, first, ENDLESS)

    def _computed(self, columns: tuple[ColumnVector, ...], first: int) -> tuple[Ints, Ints]:
        """Starts that are computed from the columns."""
        layout, number = self.layout, len(columns[0])
        assert layout.clock is not None
        try:
            found = evaluate(layout.clock, columns, number)
            start = counted_instants(found, layout.unit)
        except WrongValue as wrong:
            raise self.error(
                first + wrong.position, str(wrong), "a time from instant 0 on", layout.start or ""
            ) from None
        return start, start + 1

    def _instants(self, table: pa.RecordBatch, name: str, first: int, null: int | None) -> Ints:
        try:
            return instants(table.column(name), self.layout.unit, name in self.layout.timestamps, null)
        except WrongValue as wrong:
            raise self.error(first + wrong.position, str(wrong), self.layout.expected(name), name) from None
        except pa.ArrowException as error:
            problem = f"a column of {table.column(name).type} does not fit: {str(error).splitlines()[0]}"
            raise FileError(self.path, problem, self.layout.expected(name), column=name) from None

    def _counts(self, table: pa.RecordBatch, first: int) -> Ints | None:
        name = self.layout.count
        if name is None or name not in table.schema.names:
            return None
        counts = self._column(table, name)
        wrong: Bools = ~counts.mask() | (counts.values < 1) | (counts.values > MAX_COUNT)
        if wrong.any():
            i = int(np.argmax(wrong))
            value = counts.values[i] if counts.mask()[i] else "NULL"
            raise self.error(first + i, f"{value} is no count", f"a whole number 1 … {MAX_COUNT}", name)
        values: Ints = counts.values
        return values
