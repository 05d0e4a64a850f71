"""Rows in the order in which they arrived, each with the watermark that was in force then."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pyarrow as pa

from equivalence.recordings.late_policy import ONE_BATCH, Lateness, Watermark
from equivalence.recordings.moments import moments
from physical.columns.arrow_buffers import from_numbers, validity
from physical.columns.stream import PhysicalStream
from physical.files.decode import DecodedBatch, Decoder
from physical.files.errors import FileError
from physical.files.locate import place_of
from physical.files.raw_batches import column_names
from physical.files.reader import FileReader
from physical.files.times import WrongValue
from physical.kernels.types import Array, Ints
from semantics import SnapeqError

BEFORE_ALL: Final = -1
"""The watermark before any row has come: nothing is late."""


@dataclass(frozen=True, eq=False)
class Arrived:
    """Some rows; for each the watermark when it came, and the watermark after all of them."""

    batch: DecodedBatch
    watermarks: Ints
    after: int

    @property
    def elements(self) -> PhysicalStream:
        return self.batch.elements


@dataclass(frozen=True)
class _Decoder(Decoder):
    """Decodes some rows of a table; errors name their place in the whole file."""

    numbers: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    def error(self, row: int, problem: str, expected: str, column: str = "") -> FileError:
        return FileError(self.path, problem, expected, place=place_of(self.path, int(self.numbers[row])), column=column)


class Arrivals:
    """Reads one stream in the order of its file, and keeps its watermark.

    A row without a time that has a watermark is a punctuation: it is no element.
    """

    def __init__(self, reader: FileReader, watermark: Watermark | None, lateness: Lateness) -> None:
        self.reader = reader
        self.delay = 0 if watermark is None else watermark.delay
        self.lags_behind_time = watermark is not None and watermark.column == reader.layout.start
        self.column = None if watermark is None or self.lags_behind_time else watermark.column
        self.batch_column = lateness.batch if lateness.batch != ONE_BATCH else None
        self.is_one_batch = lateness.batch == ONE_BATCH
        self.in_force = BEFORE_ALL
        """The watermark for the next row, or of the current micro-batch."""
        self.latest = BEFORE_ALL
        """What the rows so far make of the watermark."""
        self.previous = BEFORE_ALL
        self.current_batch: Any = None

    def batches(self) -> Iterator[Arrived]:
        first = 0
        for table in self.reader.tables(self._others()):
            yield self._arrived(table, first)
            first += table.num_rows

    def _others(self) -> dict[str, pa.DataType | None]:
        """The columns beside the stream's own."""
        wanted = [name for name in (self.column, self.batch_column) if name is not None]
        there = column_names(self.reader.path)
        missing = [name for name in wanted if name not in there]
        if missing:
            options = "--watermark or --batch"
            raise SnapeqError(f"{self.reader.path}: no column {missing[0]} ({options}); there are: {', '.join(there)}")
        return {name: None for name in wanted if name not in self.reader.layout.names}

    def _arrived(self, table: pa.RecordBatch, first: int) -> Arrived:
        given = None if self.column is None else self._given(table, self.column, first)
        known = self._timed(table)
        is_row = known if given is None else known | (given < 0)
        numbers = np.arange(first, first + table.num_rows)[is_row]
        rows = table if is_row.all() else table.filter(from_numbers(is_row))
        elements = _Decoder(self.reader.path, self.reader.layout, numbers).batch(rows, 0).elements
        marks = self._watermarks(elements.start, given, is_row, rows)
        return Arrived(DecodedBatch(elements, first, row_numbers=numbers), marks, max(self.latest, self.in_force))

    def _timed(self, table: pa.RecordBatch) -> Array:
        """Which rows have a time; where it is computed, all of them must."""
        layout = self.reader.layout
        if layout.clock is not None:
            return np.ones(table.num_rows, np.bool_)
        assert layout.start is not None
        return validity(table.column(layout.start))

    def _given(self, table: pa.RecordBatch, name: str, first: int) -> Ints:
        """The watermarks that stand in the file, −1 where there is none."""
        unit = self.reader.layout.unit
        try:
            found = moments(table.column(name), Fraction(unit), unit, null=BEFORE_ALL)
        except WrongValue as wrong:
            place = place_of(self.reader.path, first + wrong.position)
            raise FileError(self.reader.path, str(wrong), "a watermark: a time", place=place, column=name) from None
        return np.where(found < 0, found, np.maximum(found - self.delay, 0))

    def _watermarks(self, start: Ints, given: Ints | None, is_row: Array, rows: pa.RecordBatch) -> Ints:
        if given is not None:
            reached = np.maximum.accumulate(np.maximum(given, self.in_force)) if len(given) else given
            self.in_force = int(reached[-1]) if len(given) else self.in_force
            return reached[is_row]
        if not self.lags_behind_time:
            return np.full(len(start), BEFORE_ALL)
        if self.is_one_batch:
            self.latest = max(self.latest, int(start.max(initial=-1)) - self.delay)
            return np.full(len(start), BEFORE_ALL)
        if self.batch_column is not None:
            return self._by_batch(start, rows.column(self.batch_column).to_pylist())
        before = np.maximum.accumulate(np.concatenate([[self.in_force], start - self.delay]))
        self.in_force = int(before[-1])
        return np.maximum(before[:-1], BEFORE_ALL)

    def _by_batch(self, start: Ints, ids: list[Any]) -> Ints:
        """Rows of a micro-batch are late by the watermark with which the one before it ran."""
        found = np.empty(len(start), np.int64)
        for i, (t, batch) in enumerate(zip(start.tolist(), ids, strict=True)):
            if batch != self.current_batch:
                self.current_batch, self.previous, self.in_force = batch, self.in_force, self.latest
            self.latest = max(self.latest, t - self.delay)
            found[i] = self.previous
        return found
