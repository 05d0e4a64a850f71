"""Which validity each row has under a policy: cut short, dropped, or whole."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from equivalence.query_files.constraint_checks import unordered_checks
from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.recordings.arrivals import Arrivals, Arrived
from equivalence.recordings.key_times import KeyTimes
from equivalence.recordings.late_policy import Lateness
from physical.columns.column import ColumnVector
from physical.columns.column import rows as python_rows
from physical.columns.stream import PhysicalStream, in_order
from physical.files.reader import FileReader
from physical.files.spill import Spill
from physical.kernels.types import ENDLESS, Ints
from semantics import FOREVER, Column, Schema, Type
from semantics.time import End

NO_WINDOW = 1
"""The size of a window that holds each row for its own instant."""


@dataclass(frozen=True)
class LateStream:
    """A stream as one window sees it: `size` is the window's, and `step` the distance of its panes or bins."""

    reader: FileReader
    query: QueryOverFiles
    name: str
    lateness: Lateness
    size: End = NO_WINDOW
    step: int = 1
    offset: int = 0
    landmark: tuple[int, int] | None = None
    """Of a window that keeps everything until a reset: the first start, and the distance of starts."""
    keys: tuple[int, ...] = ()
    """The columns by which rows are told apart where each key has its own time."""
    held: int | None = None
    """How long after a row its key is remembered; None means for ever."""
    timed: bool = False
    """Is the row's own instant its last column?"""

    @property
    def schema(self) -> Schema:
        own = self.reader.layout.schema
        return Schema((*own.columns, Column(_time_name(own.names), Type.INT))) if self.timed else own

    def batches(self) -> Iterator[PhysicalStream]:
        """The rows in the order of time. Those that may still be overtaken wait, on disk if they are many."""
        waiting = Spill(self.schema, in_order)
        keyed = KeyTimes(self.held)
        try:
            for arrived in self.arrived():
                waiting.add(in_order(self._valid(arrived, keyed)))
                yield waiting.before(self._no_start_before(arrived.after))
            yield from waiting.rest()
        finally:
            waiting.close()

    def arrived(self) -> Iterator[Arrived]:
        """The rows in the order of the file, as far as they keep what is declared of them."""
        checks, _ = unordered_checks(self.reader, self.query.declaration(self.name))
        for arrived in self._arrivals().batches():
            for check in checks:
                check(arrived.batch)
            yield arrived

    def last_watermark(self) -> int:
        """The watermark after all rows."""
        after = -1
        for arrived in self._arrivals().batches():
            after = arrived.after
        return after

    def _arrivals(self) -> Arrivals:
        return Arrivals(self.reader, self.lateness.watermarks.get(self.name), self.lateness)

    def _valid(self, arrived: Arrived, keyed: KeyTimes) -> PhysicalStream:
        rows, marks = self._with_time(arrived.elements), arrived.watermarks
        match self.lateness.late:
            case "keep" | "update":
                return self._from(rows, rows.start)
            case "drop-row":
                return self._from(rows, rows.start).take(rows.start >= marks)
            case "drop-key":
                by = [rows.columns[i] for i in self.keys]
                keys = python_rows(by) if by else [()] * len(rows)
                return self._from(rows, rows.start).take(keyed.accepted(keys, rows.start.tolist(), marks.tolist()))
            case "drop-bin":
                end = (rows.start - self.offset) // self.step * self.step + self.step + self.offset
                return self._from(rows, rows.start).take(end - 1 >= self._open_from(marks))
            case "drop-pane":
                whole = self._from(rows, np.maximum(rows.start, self._open_from(marks)))
                return whole.take(whole.start < whole.end)

    def _open_from(self, marks: Ints) -> Ints:
        """Panes whose last instant is this one or later are still open."""
        return marks + 1 if self.lateness.closes_early else marks

    def _with_time(self, rows: PhysicalStream) -> PhysicalStream:
        if not self.timed:
            return rows
        return PhysicalStream(self.schema, (*rows.columns, ColumnVector(Type.INT, rows.start)), rows.start, rows.end)

    def _from(self, rows: PhysicalStream, start: Ints) -> PhysicalStream:
        """From this instant on, as long as the window holds the rows."""
        if self.landmark is not None:
            return self._until_reset(rows, start, *self.landmark)
        size = ENDLESS if self.size == FOREVER else int(self.size)
        end = np.where(rows.start > ENDLESS - size, ENDLESS, rows.start + size)
        return rows.valid_during(start, end)

    def _until_reset(self, rows: PhysicalStream, start: Ints, first: int, reset: int) -> PhysicalStream:
        """Up to the next reset; what comes before the first landmark is never there."""
        end = rows.start - (rows.start - first) % reset + reset
        return rows.valid_during(np.where(rows.start < first, end, start), end)

    def _no_start_before(self, watermark: int) -> int:
        """No row that is still to come starts earlier."""
        match self.lateness.late:
            case "keep" | "update" | "drop-key":
                return 0
            case "drop-row" | "drop-pane":
                return watermark
            case "drop-bin":
                return watermark - self.step


def _time_name(names: tuple[str, ...]) -> str:
    """A name for the time that no column has."""
    return next(name for i in range(len(names) + 1) if (name := f"time_{i}" if i else "time") not in names)
