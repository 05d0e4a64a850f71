"""What the rows that a function gave say: intervals, panes of a window, or events."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from equivalence.programs.program_output import ProgramOutput
from equivalence.python_functions.python_values import UnfitValidity, UnfitValue, instant_of, value_of
from equivalence.python_functions.row_kinds import Records
from equivalence.recordings.panes import time_windows
from equivalence.verdicts.fault_kind import Fault, FaultKind
from physical.files.layout import COUNT, END, START
from semantics import FOREVER, Interval, Plan, Schema, SnapeqError, SparseStream
from semantics.stream import Run
from semantics.time import End
from semantics.value import brief, identical_row

PANE_START, PANE_END = "window_start", "window_end"
_TIMES_OF: Final = {"intervals": (START, END, COUNT), "panes": (PANE_START, PANE_END, COUNT)}


@dataclass(frozen=True)
class OutputReader:
    """Reads rows of one kind; the pane is the size of the windows, if they have one."""

    schema: Schema
    kind: ProgramOutput
    times: Sequence[str]
    milliseconds: int
    pane: int | None = None
    step: int = 1
    """Panes end at its multiples."""

    def stream(self, found: Records) -> SparseStream:
        """The rows with their validity; a row that cannot be right for what it is made of is a Fault."""
        if not found.rows:
            return SparseStream.of_runs(self.schema, [])
        time = event_time(found.columns, self.times) if self.kind == "events" else ""
        self._check_columns(found, (*_TIMES_OF.get(self.kind, ()), time))
        return SparseStream.of_runs(self.schema, self._runs(found, time))

    def _runs(self, found: Records, time: str) -> Iterator[Run]:
        for number, row in enumerate(found.rows, 1):
            try:
                values = [self._value(row, found, i) for i in range(len(self.schema))]
                yield identical_row(tuple(values)), self._valid(row, time), self._count(row)
            except UnfitValue as error:
                kind = FaultKind.INVALID_INTERVAL if isinstance(error, UnfitValidity) else FaultKind.WRONG_SCHEMA
                raise Fault(kind, f"row {number} of the output, {brief(dict(row))}: {error}") from None

    def _value(self, row: Mapping[str, Any], found: Records, i: int) -> Any:
        name = self.schema.names[i]
        given = _entry(row, name, f"has no column {name}{found.hint}")
        return _about(name, lambda: value_of(given, self.schema.types[i], found.nan_is_null))

    def _valid(self, row: Mapping[str, Any], time: str) -> Interval:
        match self.kind:
            case "intervals":
                end = self._instant(row, END, endless=True) if _has(row, END) else FOREVER
                return _interval(self._instant(row, START), end)
            case "panes":
                after = self._pane_end(row)
                return _interval(after - 1, after)
            case "events":
                at = self._instant(row, time)
                return _interval(at, at + 1)

    def _pane_end(self, row: Mapping[str, Any]) -> End:
        """Where a pane ends; its start must fit."""
        if not _has(row, PANE_END):
            if self.pane is None:
                raise SnapeqError("the windows of the query have several sizes; expected panes with window_end")
            return self._aligned(self._instant(row, PANE_START) + self.pane)
        end = self._instant(row, PANE_END)
        if _has(row, PANE_START) and self.pane is not None:
            start = self._instant(row, PANE_START)
            if end - start != self.pane:
                raise UnfitValidity(f"a pane from {start} to {end}; expected panes of {self.pane} instants")
        return self._aligned(end)

    def _aligned(self, end: End) -> End:
        if end % self.step:
            raise UnfitValidity(f"a pane that ends at {end}; expected an end at a multiple of {self.step}")
        return end

    def _instant(self, row: Mapping[str, Any], name: str, endless: bool = False) -> End:
        given = _entry(row, name, f"has no column {name}")
        instant: End = _about(name, lambda: instant_of(given, self.milliseconds, endless))
        return instant

    def _count(self, row: Mapping[str, Any]) -> int:
        count = row.get(COUNT, 1)
        if not isinstance(count, int) or count < 1:
            raise UnfitValue(f"column {COUNT} is {brief(count)}; expected a whole number from 1 on")
        return count

    def _check_columns(self, found: Records, times: Sequence[str]) -> None:
        """Every column must be one of the query's, or a time."""
        known = {name.lower() for name in (*self.schema.names, *times)}
        more = [name for name in found.columns if name.lower() not in known]
        if more:
            wanted = ", ".join(self.schema.names)
            raise SnapeqError(
                f"the function's output has a column {more[0]} that the query has not; expected: {wanted}, and times"
            )


def kind_of_output(found: Records, schema: Schema, times: Sequence[str]) -> ProgramOutput | None:
    """What the columns of an output show it to be; None where there are no columns."""
    names = {name.lower() for name in found.columns} - {name.lower() for name in schema.names}
    if not found.columns:
        return None
    if START in names:
        return "intervals"
    if PANE_END in names or PANE_START in names:
        return "panes"
    event_time(found.columns, times)
    return "events"


def event_time(columns: Sequence[str], times: Sequence[str]) -> str:
    """The one time column that an output has."""
    names = {name.lower(): name for name in columns}
    there = [names[time.lower()] for time in dict.fromkeys(times) if time.lower() in names]
    if len(there) == 1:
        return there[0]
    if there:
        raise SnapeqError(f"the function's output has several times: {', '.join(there)}; say which one it is at (time)")
    wanted = ", ".join([START, PANE_END, *dict.fromkeys(times)])
    raise SnapeqError(f"the function's output has no time; expected one of {wanted}; there are: {', '.join(columns)}")


def pane_size(plan: Plan) -> int | None:
    """The size of all windows, if they have one."""
    sizes = {window.size for window in time_windows(plan)}
    size = sizes.pop() if len(sizes) == 1 else FOREVER
    return None if size == FOREVER else int(size)


def _interval(start: End, end: End) -> Interval:
    if start < 0:
        raise UnfitValidity(f"valid from {start} on; expected an instant from 0 on")
    if end <= start:
        raise UnfitValidity(f"valid in [{start}, {end}), which holds no instant")
    return Interval(int(start), end)


def _has(row: Mapping[str, Any], name: str) -> bool:
    return any(other.lower() == name.lower() for other in row)


def _entry(row: Mapping[str, Any], name: str, problem: str) -> Any:
    """The value of a column, whose name matches as in SQL."""
    if name in row:
        return row[name]
    for other, value in row.items():
        if other.lower() == name.lower():
            return value
    raise UnfitValue(problem)


def _about(name: str, read: Callable[[], Any]) -> Any:
    """What a reader gives; its complaint names the column."""
    try:
        return read()
    except UnfitValue as error:
        raise UnfitValue(f"column {name} {error}") from None
