"""A recording over files as a situation and what was got: all of it, or the smallest part around the first difference.

Only a part that decides itself will do, since nobody can ask the engine again: an interval of time with all the rows
that its outputs look back at, and, if that is still too much, the rows of one key.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, assert_never

import numpy as np

from equivalence.deviations.judged_counts import clipped
from equivalence.deviations.outcome import LOOK_AHEAD, WATERMARK, slide_of
from equivalence.deviations.reach import reach
from equivalence.deviations.recorded_output import RecordedOutput
from equivalence.deviations.situation import Arrival, Input, Situation
from equivalence.deviations.situation import Lateness as LateRows
from equivalence.query_files.calendar import calendar_of
from equivalence.query_files.query_run import QueryRun
from equivalence.recordings.arrivals import Arrivals
from equivalence.recordings.late_policy import Lateness
from equivalence.recordings.output_key import output_key
from equivalence.recordings.panes import without_slides
from equivalence.recordings.recording import EveryInstant, Judged, LastInstants, OneInstant, Recording
from physical.columns.column import ColumnVector, rows
from physical.columns.stream import PhysicalStream, joined
from physical.kernels.types import ENDLESS, Ints
from semantics import FOREVER, Instant, Interval, Plan, Row, Schema, Type, Unsupported, Value
from semantics.expression import Ref
from semantics.plan import Distinct, Filter, Grouping, LandmarkWindow, Map, Rstream, Source, TimeWindow, Union
from semantics.sparse.row_steps import Counts, Steps
from semantics.sparse.stream import SparseStream
from semantics.time import End
from semantics.value import identical_row

ENOUGH_ROWS: Final = 300
"""Input rows that are looked at, unless the first difference needs more."""
MOST_ROWS: Final = 3_000
TICKS_OF_AN_HOUR: Final = 3_600_000
"""Milliseconds."""


@dataclass(frozen=True)
class OneKey:
    """A value of an output column, and the column of each source that it comes from."""

    name: str
    column: int
    value: Value
    sources: Mapping[str, tuple[int, Value]]


@dataclass(frozen=True)
class RecordedSituation:
    """The part of a recording that is looked at, and whether that is all of it."""

    situation: Situation
    got: Counts
    complete: bool
    until: End
    key: OneKey | None = None
    """The key whose rows are looked at, if it is not all rows."""

    @property
    def scope(self) -> str:
        """What was looked at, in words."""
        if self.complete:
            return "in all of it"
        whose = "" if self.key is None else f" with {self.key.name} = {self.key.value}"
        show = self.situation.calendar.show
        return f"in the rows{whose} from instant {show(self.situation.since)} to {show(self.until)}"


_RULES: Final[dict[str, LateRows]] = {"drop-pane": "pane", "drop-row": "row", "drop-bin": "bin", "drop-key": "key"}


@dataclass(frozen=True)
class _Sources:
    """The rows of the inputs as they came, each with its watermark as the last column."""

    run: QueryRun
    lateness: Lateness | None

    @property
    def policy(self) -> tuple[LateRows, bool]:
        if self.lateness is None:
            return "keep", False
        return _RULES.get(self.lateness.late, "keep"), self.lateness.closes_early

    def earliest(
        self, name: str, begin: Instant, most: int, wanted: "tuple[int, Value] | None" = None
    ) -> PhysicalStream:
        """The rows that end after an instant, one more than so many at most, those that start first."""
        columns = self.run.query.plan.sources()[name].columns
        kept = PhysicalStream.empty(Schema((*columns, WATERMARK)))
        for batch in self._batches(name):
            near = batch.take(batch.end > begin)
            if wanted is not None:
                column, value = wanted
                near = near.take(np.array([row == (value,) for row in rows([near.columns[column]])], np.bool_))
            kept = joined([kept, near])
            if len(kept) > most and self._is_ordered(name):
                break
            if len(kept) > most + 1:
                kept = kept.take(np.sort(np.argsort(kept.start, kind="stable")[: most + 1]))
        return kept

    def _is_ordered(self, name: str) -> bool:
        """Is the order of the file that of time? Otherwise the check has refused it before."""
        return self.lateness is None and not self.run.slack and name not in self.run.inputs

    def _batches(self, name: str) -> Iterator[PhysicalStream]:
        if name in self.run.inputs:
            yield from (_marked(batch, None) for batch in self.run.inputs[name]())
        elif self.lateness is not None and name in self.lateness.watermarks:
            arrivals = Arrivals(self.run.readers[name], self.lateness.watermarks[name], self.lateness)
            yield from (_marked(arrived.elements, arrived.watermarks) for arrived in arrivals.batches())
        else:
            yield from (_marked(b.elements, None) for b in self.run.readers[name].batches(ordered=False))


def _marked(batch: PhysicalStream, watermarks: Ints | None) -> PhysicalStream:
    marks = np.full(len(batch), -1) if watermarks is None else watermarks
    columns = (*batch.columns, ColumnVector(Type.INT, marks, None))
    return batch.with_columns(Schema((*batch.schema.columns, WATERMARK)), columns)


def recorded_situation(
    run: QueryRun, output: RecordedOutput, first: Instant, lateness: Lateness | None = None
) -> RecordedSituation:
    """What a recording is the answer to, around the first difference; all of it if it is small."""
    source = _Sources(run, lateness)
    plan = without_slides(run.query.plan) if isinstance(output.judged, LastInstants) else run.query.plan
    inputs = {name: source.earliest(name, 0, ENOUGH_ROWS) for name in plan.sources()}
    if sum(map(len, inputs.values())) <= ENOUGH_ROWS:
        return _of(source, plan, output, inputs, 0, FOREVER, None)
    back, step = reach(plan), _step(output.judged)
    since = 0 if back == FOREVER else max(first - step, 0)
    begin = 0 if back == FOREVER else max(since - int(back) - 2 * step - 8, 0)
    near = {name: source.earliest(name, begin, MOST_ROWS) for name in plan.sources()}
    wanted, key = first + step + LOOK_AHEAD + 1, None
    until = _until(near, wanted)
    if until - LOOK_AHEAD <= first:
        key = _key_of(plan, output.during(first, first + step), first)
        chosen = {} if key is None else key.sources
        near = {name: source.earliest(name, begin, MOST_ROWS, chosen.get(name)) for name in plan.sources()}
        until = _until(near, wanted)
    if until - LOOK_AHEAD <= first:
        raise Unsupported(
            f"more than {MOST_ROWS:,} input rows decide the output at {calendar_of(run.query).show(first)}"
        )
    cut = {name: stream.take(stream.start < until) for name, stream in near.items()}
    return _of(source, plan, output, cut, since, until, key)


def _step(judged: Judged) -> int:
    return judged.step if isinstance(judged, LastInstants) else 1


def _until(near: Mapping[str, PhysicalStream], wanted: Instant) -> End:
    """The end of an interval with enough rows, and with the wanted instant if that is not too many."""
    starts = np.sort(np.concatenate([stream.start for stream in near.values()]))
    needed = max(int(np.searchsorted(starts, wanted, side="right")), ENOUGH_ROWS)
    most = min(needed, MOST_ROWS)
    return FOREVER if len(starts) <= most else int(starts[most])


def _key_of(plan: Plan, recording: Recording, first: Instant) -> OneKey | None:
    """The key of the first row that is claimed from an instant on, if the plan keeps keys apart."""
    claims = recording.claims.take(recording.claims.start >= first)
    for name in (output_key(plan) or ()) if len(claims) else ():
        column = plan.schema.names.index(name)
        sources = traced(plan, column)
        if sources is not None:
            value = rows([claims.columns[column]])[0][0]
            return OneKey(name, column, value, {source: (place, value) for source, place in sources.items()})
    return None


def traced(plan: Plan, column: int) -> dict[str, int] | None:
    """The columns of the sources that an output column is, if rows with different values there never meet."""
    match plan:
        case Source(name=name):
            return {name: column}
        case Filter(input=below) | Distinct(input=below) | TimeWindow(input=below) | LandmarkWindow(input=below):
            return traced(below, column)
        case Rstream(input=below):
            return traced(below, column)
        case Map(input=below, expressions=expressions):
            expression = expressions[column]
            return traced(below, expression.index) if isinstance(expression, Ref) else None
        case Grouping(input=below, keys=keys):
            return traced(below, keys[column]) if column < len(keys) else None
        case Union(left=left, right=right):
            sides = [traced(left, column), traced(right, column)]
            return None if None in sides else {**(sides[0] or {}), **(sides[1] or {})}
        case _:
            return None


def _of(
    source: _Sources,
    plan: Plan,
    output: RecordedOutput,
    inputs: Mapping[str, PhysicalStream],
    since: Instant,
    until: End,
    key: OneKey | None,
) -> RecordedSituation:
    given = {name: Input(schema, _arrivals(inputs[name])) for name, schema in plan.sources().items()}
    (rule, early), calendar = source.policy, calendar_of(source.run.query)
    situation = Situation(plan, given, output.judged, rule, early, _ticks(source.run), since=since, calendar=calendar)
    got = _claims(output, since, until, key)
    judged_until = until if until == FOREVER else int(until) - LOOK_AHEAD
    got = clipped(got, since, judged_until)
    bounded = replace(situation, judged=_bounded(situation, got, judged_until))
    return RecordedSituation(bounded, got, until == FOREVER and not since and key is None, until, key)


def _ticks(run: QueryRun) -> int:
    unit = 1000 if run.query.catalogue is None else run.query.catalogue.unit.value
    return TICKS_OF_AN_HOUR // unit


def _arrivals(stream: PhysicalStream) -> tuple[Arrival, ...]:
    """Rows whose last column is their watermark."""
    listed = zip(rows(stream.columns), stream.start.tolist(), stream.end.tolist(), strict=True)
    return tuple(
        Arrival(identical_row(row[:-1]), Interval(start, FOREVER if end == ENDLESS else end), _mark(row[-1]))
        for row, start, end in listed
    )


def _mark(value: Value) -> Instant | None:
    return value if isinstance(value, int) and value >= 0 else None


def _claims(output: RecordedOutput, since: Instant, until: End, key: OneKey | None) -> Counts:
    """What is claimed in an interval, by rows with a key."""
    counts = _counted(output.during(since, until).sparse())
    if key is not None:
        counts = {row: steps for row, steps in counts.items() if row[key.column] == key.value}
    horizon = output.judged.horizon if isinstance(output.judged, EveryInstant) else FOREVER
    return clipped(counts, since, min(until, horizon))


def _counted(stream: SparseStream) -> Counts:
    counts: dict[Row, Steps] = {}
    for row, interval, n in stream.runs:
        steps = counts.setdefault(row, [])
        if steps and steps[-1] == (interval.start, 0):
            steps.pop()
        steps.append((interval.start, n))
        if interval.end != FOREVER:
            steps.append((int(interval.end), 0))
    return counts


def _bounded(situation: Situation, got: Counts, until: End) -> Judged:
    """Judged up to where rows are known; panes of windows without an end as far as anything changes."""
    match situation.judged:
        case EveryInstant(horizon):
            return EveryInstant(min(horizon, until))
        case LastInstants(step, offset, horizon):
            back = reach(situation.plan)
            times = [t for steps in got.values() for t, _ in steps]
            rows_end = max(situation.times, default=0) + (0 if back == FOREVER else int(back))
            end = max([rows_end, *times]) + step + slide_of(situation)
            return LastInstants(step, offset, min(horizon, until, end))
        case OneInstant():
            return situation.judged
        case _:
            assert_never(situation.judged)
