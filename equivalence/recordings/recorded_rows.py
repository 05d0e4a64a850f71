"""Rows of a recording, in the order in which they were written, each with its time and what it does.

Every row becomes an element: the query's columns, the number of the row in the log, and a signed count. A pane's rows
are at the pane's last instant, an event and a change at their own, and rows without any time at instant 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import pyarrow as pa

from equivalence.recordings.anomalies import AnomalyLog
from equivalence.recordings.missing_keys import check_keys
from equivalence.recordings.moments import is_numeric, timestamps
from equivalence.recordings.operations import Operation
from equivalence.recordings.part import Part
from equivalence.recordings.places import Place, Places, find_interval_places, find_places, type_at
from equivalence.recordings.reading import Reading
from equivalence.recordings.recorded_files import RecordedBatch, RecordedFiles, at, blame
from equivalence.recordings.recording import Anomaly
from equivalence.recordings.row_signs import RowSigns, with_signs
from equivalence.recordings.row_times import RowTimes
from physical.columns.arrow import from_array
from physical.columns.arrow_buffers import as_type
from physical.columns.arrow_types import arrow_type
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream, joined
from physical.files.counted import counted_schema
from physical.files.errors import FileError
from physical.kernels.types import ENDLESS, Ints
from semantics import Schema, SchemaError, Type
from semantics.schema import Column

NUMBER: Final = "_row"
"""The column with the number of the row in the log."""


@dataclass
class RowReader:
    """Reads the rows of a recording; remembers where each part begins."""

    files: RecordedFiles
    reading: Reading
    anomalies: AnomalyLog = field(default_factory=AnomalyLog)
    starts: list[tuple[int, Part]] = field(default_factory=list)
    operations: dict[Operation, int] = field(default_factory=dict)
    """The operations that occurred, each with its first row."""
    closed: list[Ints] = field(default_factory=list)
    """The rows of panes that were over when they were written, as far as the file says the watermark."""
    keys_checked: set[Part] = field(default_factory=set)

    @cached_property
    def file_schema(self) -> pa.Schema:
        return self.files.schema()

    @cached_property
    def places(self) -> Places:
        if self.reading.kind == "intervals":
            return find_interval_places(self.file_schema, self.reading.schema, self.files.name)
        return find_places(self.file_schema, self.reading.schema, self.reading.given, self.files.name)

    @cached_property
    def times(self) -> "RowTimes":
        return RowTimes(self.reading, self.places, self.anomalies, self.files.name, self.error, self.closed)

    @cached_property
    def schema(self) -> Schema:
        """The query's columns, the number of the row, and the count."""
        return counted_schema(Schema((*self.reading.schema.columns, Column(NUMBER, Type.INT))))

    @property
    def has_panes(self) -> bool:
        """Do rows belong to panes?"""
        if not self.file_schema.names:
            return self.reading.kind in ("panes", "updates")
        windows = self.places.window_end is not None or self.places.window_start is not None
        return windows and self.reading.kind not in ("events", "snapshot")

    @property
    def has_times(self) -> bool:
        if not self.file_schema.names:
            return self.reading.kind in ("panes", "updates", "events", "intervals")
        return self.has_panes or (self.places.time is not None and self.reading.kind != "snapshot")

    def place(self, number: int) -> str:
        """The file and the line of a row of the log."""
        return self.places_of([number])[number]

    def places_of(self, numbers: Sequence[int]) -> dict[int, str]:
        """The files and the lines of rows of the log: each file is read once more, at most."""
        found: dict[int, str] = {}
        ends = [*(first for first, _ in self.starts[1:]), ENDLESS]
        for (first, part), end in zip(self.starts, ends, strict=False):
            found |= part.places([number - first for number in numbers if first <= number < end], first)
        return found

    def found_anomalies(self) -> tuple[Anomaly, ...]:
        """All anomalies so far, with their places."""
        places = self.places_of([note.number for note in self.anomalies.notes])
        named = [Anomaly(n.name, places[n.number], n.detail, n.instant) for n in self.anomalies.notes]
        return (*self.files.anomalies, *named)

    def error(self, number: int, problem: str, expected: str, column: str = "") -> FileError:
        return FileError(self.place(number), problem, expected, column=column)

    def batches(self) -> Iterator[PhysicalStream]:
        """All rows, in the order of the log."""
        if not self.file_schema.names:
            return
        self.starts, total = [], 0
        self.anomalies.clear()
        self.operations.clear()
        self.closed.clear()
        types, part = self._types(), None
        batches = self.files.batches(types)
        while True:
            try:
                batch = next(batches, None)
            except FileError:
                for suspect in self.files.parts:
                    blame(suspect, self._typed_places())
                raise
            if batch is None:
                return
            if batch.part is not part:
                part = batch.part
                self.starts.append((total, part))
            yield self._rows(batch, total)
            total += batch.table.num_rows

    def _types(self) -> dict[str, pa.DataType]:
        """The columns to read, each with its type, those of fields within it included."""
        leaves = {place: self._arrow_type(place) for place in self.places.all()}
        return {name: _nested(name, leaves) for name in dict.fromkeys(place[0] for place in leaves)}

    def _arrow_type(self, place: Place) -> pa.DataType:
        """The query's; times with a zone, or with nanoseconds, are read as such first, and must fit it then."""
        wanted, shown = arrow_type(self._type(place)), type_at(self.file_schema, place)
        if wanted == pa.timestamp("us") and pa.types.is_timestamp(shown) and (shown.tz or shown.unit == "ns"):
            return pa.timestamp("ns" if shown.unit == "ns" else "us", shown.tz)
        return wanted

    def _type(self, place: Place) -> Type:
        """That of the query's column, or of numbers that stand for its times; other times and operations are texts."""
        shown = type_at(self.file_schema, place)
        for places in (self.places.values, self.places.before or ()):
            if place in places:
                wanted = self.reading.schema.types[places.index(place)]
                return Type.INT if wanted is Type.TIMESTAMP and pa.types.is_integer(shown) else wanted
        return Type.INT if is_numeric(shown) else Type.STR

    def _typed_places(self) -> list[tuple[Place, Type]]:
        return [(place, self._type(place)) for place in self.places.all()]

    def _rows(self, batch: RecordedBatch, first: int) -> PhysicalStream:
        if self.reading.kind in ("upsert", "updates") and not self.reading.given.missing_is_null:
            check_keys(batch, self._key_places(), self.keys_checked)
        signs = RowSigns(self.reading, self.places, batch, self.files.name, self.place, first, self.operations)
        rows = self._stream(self._values(batch, self.places.values), first, self._starts(batch, first))
        if self.places.end is not None:
            return self._intervals(batch, rows, first)
        if self.places.envelope is None:
            return with_signs(rows, signs.of(rows))
        before = self._stream(self._values(batch, self.places.before or ()), first, rows.start)
        takes, adds = signs.of_envelopes()
        return _interleaved(with_signs(before.take(takes), -1), with_signs(rows.take(adds), 1))

    def _key_places(self) -> list[Place]:
        names = self.reading.schema.names
        return [self.places.values[names.index(name)] for name in self.reading.key or ()]

    def _stream(self, values: tuple[ColumnVector, ...], first: int, start: Ints) -> PhysicalStream:
        lasting = not self.has_panes and self.reading.kind not in ("events", "snapshot")
        end = np.full(len(start), ENDLESS) if lasting else start + 1
        numbers = ColumnVector(Type.INT, np.arange(first, first + len(start)))
        columns = (*values, numbers, ColumnVector(Type.INT, np.ones(len(start), np.int64)))
        return PhysicalStream(self.schema, columns, start, end)

    def _intervals(self, batch: RecordedBatch, rows: PhysicalStream, first: int) -> PhysicalStream:
        """With their own ends, and as often as they say."""
        assert self.places.end is not None
        spans = rows.valid_during(rows.start, self.times.moments(batch, self.places.end, first, null=ENDLESS))
        empty = spans.end <= spans.start
        if empty.any():
            i = int(np.argmax(empty))
            problem = (
                f"the end {self.times.shown(spans.end[i])} is not after the start {self.times.shown(spans.start[i])}"
            )
            raise self.error(first + i, problem, "an end after its start")
        if self.places.count is None:
            return spans
        counts = self._column(batch, self.places.count, pa.int64())
        wrong = ~counts.mask() | (counts.values < 1)
        if wrong.any():
            raise self.error(first + int(np.argmax(wrong)), "this is no count", "a whole number from 1 on")
        return with_signs(spans, counts.values)

    def _values(self, batch: RecordedBatch, places: tuple[Place, ...]) -> tuple[ColumnVector, ...]:
        types = self.reading.schema.types
        return tuple(self._column(batch, place, arrow_type(t)) for place, t in zip(places, types, strict=True))

    def _column(self, batch: RecordedBatch, place: Place, wanted: pa.DataType) -> ColumnVector:
        array = at(batch.table, place)
        try:
            if pa.types.is_integer(array.type) and pa.types.is_timestamp(wanted):
                array = timestamps(array, self.times.unit_of(array, place))
            if pa.types.is_string(array.type) and wanted != pa.string():
                raise SchemaError("this is a column of text")
            return from_array(".".join(place), as_type(pa.chunked_array([array]), wanted))
        except (pa.ArrowException, SchemaError) as error:
            problem = f"a column of {array.type} does not fit: {str(error).splitlines()[0]}"
            raise FileError(batch.part.name, problem, str(wanted), column=".".join(place)) from None

    def _starts(self, batch: RecordedBatch, first: int) -> Ints:
        if self.has_panes:
            return self.times.pane_ends(batch, first) - 1
        if self.has_times and self.places.time is not None:
            return self.times.moments(batch, self.places.time, first)
        return np.zeros(batch.table.num_rows, np.int64)


def _interleaved(old: PhysicalStream, new: PhysicalStream) -> PhysicalStream:
    """By the number of the row; what is taken back comes first."""
    both = joined([old, new])
    return both.take(np.argsort(both.columns[-2].values, kind="stable"))


def _nested(name: str, leaves: dict[Place, pa.DataType]) -> pa.DataType:
    """The type of a column: its own, or a struct of those of the fields that are wanted."""
    here = {place[1:]: type_ for place, type_ in leaves.items() if place[0] == name}
    if () in here:
        return here[()]
    return pa.struct([(field, _nested(field, here)) for field in dict.fromkeys(place[0] for place in here)])
