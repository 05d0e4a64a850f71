"""Deviations of what comes in: times that are shifted, rows that are lost, doubled, late, or cut into batches."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from equivalence.deviations.deviation import Clue, Deviation, Parameter, Position, Values, once
from equivalence.deviations.outcome import added, outcome
from equivalence.deviations.situation import Arrival, Input, Lateness, Situation
from semantics import FOREVER, Interval, Row
from semantics.sparse.row_steps import Counts, Steps
from semantics.value import identical_row

MOST_ENDS: Final = 8
HOURS: Final = (1, -1, 2, -2, 3, -3, 5, -5, 5.5, -5.5, 8, -8, 9, -9)
BATCHES: Final = (
    5,
    8,
    10,
    16,
    20,
    32,
    50,
    64,
    100,
    128,
    200,
    256,
    500,
    512,
    1000,
    1024,
    2000,
    2048,
    4096,
    5000,
    8192,
    10000,
)


def _moved(arrival: Arrival, by: int) -> Arrival | None:
    """A row at another time, if that is not before all time."""
    start, end = arrival.time + by, arrival.valid.end
    if start < 0:
        return None
    mark = None if arrival.watermark is None else arrival.watermark + by
    return Arrival(arrival.row, Interval(start, end if end == FOREVER else int(end) + by), mark)


def _shifted(situation: Situation, by: Parameter) -> Situation:
    assert isinstance(by, int)
    return situation.with_inputs(
        lambda given: replace(given, arrivals=tuple(m for a in given.arrivals if (m := _moved(a, by)) is not None))
    )


def _quarter_hours(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """The zones that are common, and others that the output suggests."""
    quarter = situation.ticks_per_hour // 4
    if not quarter:
        return ()
    zones = [int(hours * situation.ticks_per_hour) for hours in HOURS]
    seen = [lag for lag in clue.lags if lag % quarter == 0 and abs(lag) <= 56 * quarter]
    return dict.fromkeys(by for by in (*zones, *seen) if by)


def _other_shifts(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    quarter = situation.ticks_per_hour // 4
    return dict.fromkeys(by for by in (1, -1, *clue.lags[:4]) if by and not (quarter and by % quarter == 0))


def _policies(kind: Lateness) -> Values:
    """Only where something can be late: rows out of order, and for most kinds watermarks."""

    def values(situation: Situation, clue: Clue) -> Iterable[Parameter]:
        marked = any(given.is_marked for given in situation.inputs.values())
        late = any(not given.is_ordered for given in situation.inputs.values())
        return (None,) if kind != situation.lateness and late and (marked or kind in ("key", "keep")) else ()

    return values


def _policy(kind: Lateness) -> Callable[[Situation, Parameter], Situation]:
    return lambda situation, value: replace(situation, lateness=kind)


def _delays(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """One instant, and the delay of the watermark with its half, if it decides what is late."""
    if situation.lateness in ("keep", "refuse"):
        return ()
    delay = max(map(_delay, situation.inputs.values()), default=-1)
    return () if delay < 0 else dict.fromkeys(by for by in (delay, 1, delay // 2) if by)


def _delay(given: Input) -> int:
    """By how much the watermark is behind the latest row, at most; -1 if there is none."""
    latest, delay = -1, -1
    for arrival in given.arrivals:
        if arrival.watermark is not None:
            delay = max(delay, latest - arrival.watermark)
        latest = max(latest, arrival.time)
    return delay


def _watermark_moved(sign: int) -> Callable[[Situation, Parameter], Situation]:
    def moved(arrival: Arrival, by: int) -> Arrival:
        return arrival if arrival.watermark is None else replace(arrival, watermark=arrival.watermark + sign * by)

    def change(situation: Situation, by: Parameter) -> Situation:
        assert isinstance(by, int)
        return situation.with_inputs(lambda given: replace(given, arrivals=tuple(moved(a, by) for a in given.arrivals)))

    return change


def _nullable(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """The columns in which there is a NULL."""
    return [
        f"{name}.{column}"
        for name, given in situation.inputs.items()
        for i, column in enumerate(given.schema.names)
        if any(arrival.row[i] is None for arrival in given.arrivals)
    ]


def _without_nulls(situation: Situation, column: Parameter) -> Situation:
    name, _, wanted = str(column).rpartition(".")
    given = situation.inputs[name]
    place = given.schema.names.index(wanted)
    return replace(situation, inputs={**situation.inputs, name: given.kept(lambda a: a.row[place] is not None)})


def _once_each(identity: Callable[[Arrival], object], last: bool) -> Callable[[Input], Input]:
    """Of the rows with the same identity only the first or the last to come."""

    def change(given: Input) -> Input:
        numbered = {identity(arrival): i for i, arrival in enumerate(given.arrivals)}
        firsts: dict[object, int] = {}
        for i, arrival in enumerate(given.arrivals):
            firsts.setdefault(identity(arrival), i)
        kept = set((numbered if last else firsts).values())
        return replace(given, arrivals=tuple(a for i, a in enumerate(given.arrivals) if i in kept))

    return change


def _cut_ties(situation: Situation, value: Parameter) -> Situation:
    which, _, by_key = str(value).partition(" of a ")

    def identity(arrival: Arrival) -> object:
        key = identical_row(arrival.row[:1]) if by_key == "key" else None
        return arrival.time, key

    return situation.with_inputs(_once_each(identity, which == "last"))


def _as_set(situation: Situation, value: Parameter) -> Situation:
    return situation.with_inputs(_once_each(lambda a: (a.valid, identical_row(a.row)), False))


def _twice(situation: Situation, value: Parameter) -> Situation:
    return situation.with_inputs(lambda given: replace(given, arrivals=tuple(a for a in given.arrivals for _ in "ab")))


def _batch_sizes(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    longest = max((len(given.arrivals) for given in situation.inputs.values()), default=0)
    return [size for size in BATCHES if size < longest]


def _in_batches(situation: Situation, size: Parameter) -> Situation:
    """Each batch on its own; what batches show is added up."""
    assert isinstance(size, int)

    def change(now: Situation, counts: Counts) -> Counts:
        longest = max((len(given.arrivals) for given in now.inputs.values()), default=0)
        parts: dict[Row, list[Steps]] = {}
        for first in range(0, longest, size):
            batch = replace(now, afterwards=()).with_inputs(
                lambda given, first=first: replace(given, arrivals=given.arrivals[first : first + size])  # type: ignore[misc]
            )
            for row, steps in outcome(batch).items():
                parts.setdefault(row, []).append(steps)
        return {row: added(found) for row, found in parts.items()}

    return situation.with_output(change)


def _ends(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """The times of rows just before the first difference."""
    return list(dict.fromkeys(t for t in reversed(situation.times) if t <= clue.first))[:MOST_ENDS]


def _until(situation: Situation, end: Parameter) -> Situation:
    assert isinstance(end, int)
    return situation.with_inputs(lambda given: given.kept(lambda arrival: arrival.time < end))


def _logged(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """The inputs that are changelogs: some row is valid for more than an instant, and not for ever."""
    return [name for name, given in situation.inputs.items() if any(map(_is_taken_back, given.arrivals))]


def _is_taken_back(arrival: Arrival) -> bool:
    return arrival.valid.end not in (arrival.time + 1, FOREVER)


def _never_taken_back(situation: Situation, name: Parameter) -> Situation:
    given = situation.inputs[str(name)]
    kept = tuple(replace(a, valid=Interval(a.time, FOREVER)) for a in given.arrivals)
    return replace(situation, inputs={**situation.inputs, str(name): replace(given, arrivals=kept)})


def _late(name: str, sentence: str, kind: Lateness, position: Position, *synonyms: str) -> Deviation:
    return Deviation(
        name, sentence, "lateness", "input", position, _policies(kind), _policy(kind), of_data=True, synonyms=synonyms
    )


def _repeated(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    ties = [(name, a.time) for name, given in situation.inputs.items() for a in given.arrivals]
    return ("first", "last", "first of a key", "last of a key") if len(set(ties)) < len(ties) else ()


INPUTS: Final[tuple[Deviation, ...]] = (
    Deviation("time-zone shift", "event times are shifted by {} instants", "time", "input", "before the watermark", _quarter_hours, _shifted, parameter="instants", locality="whole", synonyms=("wrong time zone", "local time for UTC")),
    Deviation("times shifted", "event times are off by {} instants", "time", "input", "before the watermark", _other_shifts, _shifted, parameter="instants", locality="whole", synonyms=("emitted late", "emitted early")),
    _late("late rows dropped per row", "a row older than the watermark is lost for all windows", "row", "at the watermark"),
    _late("late rows dropped per bin", "a row whose slide bin is closed is lost for all windows", "bin", "at the watermark"),
    _late("late rows dropped per pane", "a late row is lost for the panes that are closed", "pane", "at the window"),
    _late("late rows dropped per key", "a row older than the last one with its key is lost", "key", "at the key"),
    _late("late rows never dropped", "late rows count, however late they are", "keep", "at the watermark"),
    Deviation("watermark ahead", "the watermark is {} instants ahead, so rows are late too soon", "watermark", "input", "at the watermark", _delays, _watermark_moved(1), parameter="instants", synonyms=("watermark delay too short", "out-of-orderness ignored")),
    Deviation("watermark behind", "the watermark is {} instants behind, so late rows count too long", "watermark", "input", "at the watermark", _delays, _watermark_moved(-1), parameter="instants", synonyms=("watermark delay too long", "allowed lateness")),
    Deviation("rows with NULL dropped", "rows in which {} is NULL are lost", "NULL rows", "input", "before the watermark", _nullable, _without_nulls, parameter="column", bits=1.0, of_data=True),
    Deviation("ties cut in the input", "of the rows of one instant only the {} is taken", "ties", "input", "before the watermark", _repeated, _cut_ties, parameter="which", synonyms=("one row for each instant", "time as a key"), of_data=True),
    Deviation("equal rows taken once", "equal rows of one instant count once", "ties", "input", "before the watermark", lambda s, c: (None,) if list(_repeated(s, c)) else (), _as_set, synonyms=("bag collapsed to set", "deduplicated input"), of_data=True),
    Deviation("rows delivered twice", "every row counts twice", "delivery", "input", "before the watermark", once, _twice, synonyms=("at least once",)),
    Deviation("input read as append-only", "rows of {} that are deleted or replaced stay", "input retractions", "input", "before the watermark", _logged, _never_taken_back, parameter="stream", locality="prefix", synonyms=("deletes ignored", "tombstones ignored", "-U and -D skipped")),
    Deviation("batch boundary shown", "every {} rows are computed on their own", "batches", "input", "before the watermark", _batch_sizes, _in_batches, parameter="rows", locality="whole", synonyms=("partial results not merged", "state lost between batches"), of_data=True),
    Deviation("input ends early", "rows from {} on are lost", "end of input", "input", "before the watermark", _ends, _until, parameter="instant", locality="whole", bits=2.0, synonyms=("crash", "last batch lost")),
)  # fmt: skip
