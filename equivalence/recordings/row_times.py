"""When the rows of a recording are: their own times, and the ends of their panes, in the query's unit."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pyarrow as pa

from equivalence.recordings.anomalies import AnomalyLog
from equivalence.recordings.moments import is_numeric, since_1970, unit_name
from equivalence.recordings.moments import moments as read_moments
from equivalence.recordings.places import MILLISECOND_NAMES, Place, Places
from equivalence.recordings.reading import Reading
from equivalence.recordings.recorded_files import RecordedBatch, at
from physical.columns.arrow_buffers import as_type, numbers, validity
from physical.files.errors import FileError
from physical.files.times import WrongValue
from physical.kernels.types import Ints
from semantics import SnapeqError


@dataclass
class RowTimes:
    """Reads times; `error` makes an error about the row with a number."""

    reading: Reading
    places: Places
    anomalies: AnomalyLog
    name: str
    error: Callable[[int, str, str, str], FileError]
    closed: list[Ints]
    """Where rows of panes that were over when they were written are noted."""
    units: dict[Place, Fraction] = field(default_factory=dict)
    """What the numbers of time columns count, where they showed it themselves."""

    def pane_ends(self, batch: RecordedBatch, first: int) -> Ints:
        """The ends of the rows' panes; a pane that is none of the query's is an anomaly."""
        places, size = self.places, self.reading.pane_size
        begins = None if places.window_start is None else self.moments(batch, places.window_start, first, signed=True)
        if places.window_end is not None:
            ends = self.moments(batch, places.window_end, first)
        elif begins is not None and size is not None:
            ends = begins + size
        else:
            raise SnapeqError(f"{self.name}: windows have a start and no end; say which column it is: --window-end")
        wrong = (ends - self.reading.pane_offset) % self.reading.pane_step != 0
        wrong |= ends <= 0
        if begins is not None and size is not None:
            wrong |= ends - begins != size
        if begins is not None and self.reading.pane_reset is not None:
            landmark, reset = self.reading.pane_reset
            wrong |= begins != ends - 1 - (ends - 1 - landmark) % reset
        if places.watermark is not None:
            marks = self.moments(batch, places.watermark, first, null=-1)
            self.closed.append(first + np.flatnonzero(marks >= ends))
        for i in np.flatnonzero(wrong).tolist():
            shown = f"[{'…' if begins is None else self.shown(begins[i])}, {self.shown(ends[i])})"
            self.anomalies.note("unaligned pane", first + i, f"{shown} is no pane of the query")
        return np.maximum(ends, 1)

    def shown(self, t: np.int64) -> str:
        return self.reading.calendar.show(int(t))

    def moments(
        self, batch: RecordedBatch, place: Place, first: int, null: int | None = None, *, signed: bool = False
    ) -> Ints:
        array = at(batch.table, place)
        try:
            return read_moments(array, self.unit_of(array, place), self.reading.unit, null, signed=signed)
        except WrongValue as wrong:
            expected = "a time: ISO 8601, or a number in the query's unit (SET TIME UNIT …) or that of --engine-unit"
            raise self.error(first + wrong.position, str(wrong), expected, ".".join(place)) from None
        except pa.ArrowException as error:
            problem = f"a column of {array.type} does not fit: {str(error).splitlines()[0]}"
            raise FileError(batch.part.name, problem, "times", column=".".join(place)) from None

    def unit_of(self, array: pa.Array, place: Place) -> Fraction:
        """What the numbers of a column count: as it is said, as its name says, or as they show themselves."""
        if self.reading.file_unit is not None:
            return self.reading.file_unit
        if place[-1].lower() in MILLISECOND_NAMES:
            return Fraction(1)
        if self.reading.calendar.milliseconds is None or not is_numeric(array.type):
            return Fraction(self.reading.unit)
        if place not in self.units:
            largest = np.max(numbers(as_type(array, pa.int64())), initial=0, where=validity(array))
            self.units[place] = since_1970(int(largest), self.reading.unit)
        return self.units[place]

    def remarks(self) -> list[str]:
        """What was taken for granted while the rows were read."""
        other = {place: unit for place, unit in self.units.items() if unit != self.reading.unit}
        return [
            f"{'.'.join(place)} is taken for {unit_name(unit)} since 1970; if it is something else, say --engine-unit"
            for place, unit in other.items()
        ]
