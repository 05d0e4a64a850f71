"""A recording over files as a situation and what was got: all of it, or the smallest part around the first difference.

Only a part that decides itself will do, since nobody can ask the engine again: an interval of time with all the rows
that its outputs look back at, and, if that is still too much, the rows of one key.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, assert_never

import numpy as np

from equivalence.deviations.judged_counts import clipped
from equivalence.deviations.outcome import slide_of
from equivalence.deviations.reach import reach
from equivalence.deviations.situation import Arrival, Input, Situation
from equivalence.query_files.query_run import QueryRun
from equivalence.recordings.output_key import output_key
from equivalence.recordings.panes import as_panes
from equivalence.recordings.recording import EveryInstant, Judged, LastInstants, OneInstant, Recording
from physical.columns.column import rows
from physical.columns.stream import PhysicalStream, joined
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Instant, Plan, Row, Unsupported
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
class RecordedSituation:
    """The part of a recording that is looked at, and whether that is all of it."""

    situation: Situation
    got: Counts
    complete: bool
    until: End
    key: Mapping[str, object] | None = None
    """The key whose rows are looked at, if it is not all rows."""

    @property
    def scope(self) -> str:
        """What was looked at, in words."""
        if self.complete:
            return "in all of it"
        whose = (
            "" if self.key is None else " with " + ", ".join(f"{name} = {value}" for name, value in self.key.items())
        )
        return f"in the rows{whose} from instant {self.situation.since} to {self.until}"


def recorded_situation(run: QueryRun, recording: Recording, first: Instant) -> RecordedSituation:
    """What a recording is the answer to, around the first difference; all of it if it is small."""
    plan = as_panes(run.query.plan)[0] if isinstance(recording.judged, LastInstants) else run.query.plan
    inputs = {name: joined([PhysicalStream.empty(s), *_batches(run, name)]) for name, s in plan.sources().items()}
    if sum(map(len, inputs.values())) <= ENOUGH_ROWS:
        return _of(run, plan, recording, inputs, 0, FOREVER, None)
    back = reach(plan)
    margin = FOREVER if back == FOREVER else int(back) + 2 * _step(recording.judged) + 8
    since = 0 if margin == FOREVER else max(first - _step(recording.judged), 0)
    begin = 0 if margin == FOREVER else max(since - int(margin), 0)
    near: Mapping[str, PhysicalStream] = {name: stream.take(stream.end > begin) for name, stream in inputs.items()}
    key = None
    until = _until(near, first + _step(recording.judged))
    if until <= first:
        near, key = _of_one_key(plan, near, recording, first)
        until = _until(near, first + _step(recording.judged))
    if until <= first:
        raise Unsupported(f"naming: more than {MOST_ROWS:,} rows decide the output at {first}")
    cut = {name: stream.take(stream.start < until) for name, stream in near.items()}
    return _of(run, plan, recording, cut, since, until, key)


def _batches(run: QueryRun, name: str) -> Iterator[PhysicalStream]:
    if name in run.inputs:
        yield from run.inputs[name]()
    else:
        yield from (batch.elements for batch in run.readers[name].batches(ordered=False))


def _step(judged: Judged) -> int:
    return judged.step if isinstance(judged, LastInstants) else 1


def _until(near: Mapping[str, PhysicalStream], wanted: Instant) -> End:
    """The end of an interval with enough rows, and with the wanted instant if that is not too many."""
    starts = np.sort(np.concatenate([stream.start for stream in near.values()]))
    needed = max(int(np.searchsorted(starts, wanted, side="right")), ENOUGH_ROWS)
    most = min(needed, MOST_ROWS)
    return FOREVER if len(starts) <= most else int(starts[most])


def _of_one_key(
    plan: Plan, near: Mapping[str, PhysicalStream], recording: Recording, first: Instant
) -> tuple[Mapping[str, PhysicalStream], Mapping[str, object] | None]:
    """Only the rows that can reach output rows with the key of the first difference, if the plan keeps keys apart."""
    names = output_key(plan) or ()
    for name in names:
        sources = traced(plan, plan.schema.names.index(name))
        if sources is None:
            continue
        value = _first_value(recording, plan.schema.names.index(name), first)
        columns = {source: stream.columns[sources[source]] for source, stream in near.items()}
        chosen = {s: near[s].take(np.array([v == value for v in rows([c])], np.bool_)) for s, c in columns.items()}
        return chosen, {name: value[0]}
    return near, None


def _first_value(recording: Recording, column: int, first: Instant) -> Row:
    """The key of the first row that is claimed from an instant on."""
    claims = recording.claims.take(recording.claims.start >= first)
    return rows([claims.columns[column]])[0] if len(claims) else (None,)


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
    run: QueryRun,
    plan: Plan,
    recording: Recording,
    inputs: Mapping[str, PhysicalStream],
    since: Instant,
    until: End,
    key: Mapping[str, object] | None,
) -> RecordedSituation:
    given = {name: Input(stream.schema, _arrivals(stream)) for name, stream in inputs.items()}
    situation = Situation(plan, given, recording.judged, ticks_per_hour=_ticks(run), since=since)
    got = _claims(recording, since, until, None if key is None else _places(plan, key))
    bounded = replace(situation, judged=_bounded(situation, got, until))
    return RecordedSituation(bounded, got, until == FOREVER and not since and key is None, until, key)


def _places(plan: Plan, key: Mapping[str, object]) -> dict[int, object]:
    return {plan.schema.names.index(name): value for name, value in key.items()}


def _ticks(run: QueryRun) -> int:
    unit = 1000 if run.query.catalogue is None else run.query.catalogue.unit.value
    return TICKS_OF_AN_HOUR // unit


def _arrivals(stream: PhysicalStream) -> tuple[Arrival, ...]:
    return tuple(Arrival(identical_row(row), valid) for row, valid in stream.to_interval().elements)


def _claims(recording: Recording, since: Instant, until: End, key: Mapping[int, object] | None) -> Counts:
    """What is claimed in an interval, by rows with a key."""
    claims = recording.claims
    end = ENDLESS if until == FOREVER else int(until)
    part = replace(recording, claims=claims.take((claims.start < end) & (claims.end > since)))
    counts = _counted(part.sparse())
    if key is not None:
        counts = {row: steps for row, steps in counts.items() if all(row[i] == value for i, value in key.items())}
    horizon = recording.judged.horizon if isinstance(recording.judged, EveryInstant) else FOREVER
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
