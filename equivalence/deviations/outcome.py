"""The output of a situation at the instants that are judged, computed on the reference."""

from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from equivalence.deviations.judged_counts import clipped, sampled
from equivalence.deviations.odd_operators import Admitted, DeviatingEvaluation, LooseWindow, Sampled, odd
from equivalence.deviations.situation import Arrival, Input, Lateness, Situation
from equivalence.recordings.key_times import KeyTimes
from equivalence.recordings.late_plan import look_back_of, partition_columns
from equivalence.recordings.recording import EveryInstant, Judged, LastInstants, OneInstant
from semantics import FOREVER, Column, Instant, IntervalStream, Plan, Row, Schema, SnapeqError, Type, Value
from semantics.expression import Ref
from semantics.plan import Filter, Map, Source, TimeWindow
from semantics.sparse.row_steps import Counts, Steps, summed
from semantics.time import End
from semantics.value import identical_row

MOST_CHANGES: Final = 300_000
"""Of one plan: a deviation that makes more is not tried."""
DIGITS: Final = 9
"""Significant digits of a float: sums in another order agree in these."""
LOOK_AHEAD: Final = 8
"""Instants beyond the last judged one that are known."""
WATERMARK: Final = Column("_watermark", Type.INT)


@dataclass
class Outcomes:
    """Evaluates situations; those with the same rows share what their plans have in common."""

    exact: bool = False
    """Are floats compared in all their digits?"""
    _evaluations: dict[tuple[object, ...], DeviatingEvaluation] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)
    """Inputs are known by their identity: while they are kept, no other object can have it."""

    def of(self, situation: Situation) -> Counts:
        """How often each row is there at the judged instants, after everything that happens to the result."""
        plan = _admitting(situation.plan) if situation.lateness == "pane" else situation.plan
        if not isinstance(situation.judged, EveryInstant):
            plan = _sampling(plan, situation.judged)
        counts = self._evaluation(situation).counts(plan)
        counts = sampled(counts, situation.judged)
        for change in situation.afterwards:
            counts = change(situation, counts)
        seen = clipped(counts, situation.since, FOREVER) if situation.since else counts
        shown = {row: steps for row, steps in seen.items() if steps}
        return shown if self.exact else rounded(shown)

    def _evaluation(self, situation: Situation) -> DeviatingEvaluation:
        horizon = _known_until(situation.judged)
        known = (*((name, id(given)) for name, given in situation.inputs.items()), situation.lateness, horizon)
        if known not in self._evaluations:
            self._kept.append(situation.inputs)
            self._kept.extend(situation.inputs.values())
            streams = {name: admitted(name, given, situation) for name, given in situation.inputs.items()}
            self._evaluations[known] = DeviatingEvaluation(streams, horizon, limit=MOST_CHANGES)
        return self._evaluations[known]


def _known_until(judged: Judged) -> End:
    """A little further than it is judged: deviating windows may look ahead."""
    return (judged.at + 1 if isinstance(judged, OneInstant) else judged.horizon) + LOOK_AHEAD


def outcome(situation: Situation) -> Counts:
    """The output of one situation.

    >>> from equivalence.deviations.situation import situation_of
    >>> from semantics import parse, parse_plan
    >>> plan = parse_plan("S(x int) | window(range 4)")
    >>> outcome(situation_of(plan, {"S": parse("raw(x int): (5)@3")}, LastInstants(4)))
    {(5,): [(3, 1), (4, 0)]}
    """
    return Outcomes().of(situation)


def rounded(counts: Counts) -> Counts:
    """The same with floats to nine digits: neither the order of a sum nor its last digit is a difference."""
    if not any(isinstance(value, float) for row in counts for value in row):
        return counts
    merged: dict[Row, list[Steps]] = {}
    for row, steps in counts.items():
        merged.setdefault(identical_row(tuple([_rounded(value) for value in row])), []).append(steps)
    return {row: parts[0] if len(parts) == 1 else added(parts) for row, parts in merged.items()}


def _rounded(value: Value) -> Value:
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def added(parts: list[Steps]) -> Steps:
    """Counts of the same row, added up."""
    changes: dict[Instant, int] = {}
    for steps in parts:
        before = 0
        for t, n in steps:
            changes[t] = changes.get(t, 0) + n - before
            before = n
    return summed(changes, FOREVER)


def slide_of(situation: Situation) -> int:
    """How far panes are apart: what a slide bin is."""
    if isinstance(situation.judged, LastInstants):
        return situation.judged.step
    windows = [node for node in situation.plan.walk() if isinstance(node, TimeWindow | LooseWindow)]
    return max((window.slide for window in windows), default=1)


def admitted(name: str, given: Input, situation: Situation) -> IntervalStream:
    """The rows that are not dropped at the door; if panes are closed one by one, each with its watermark."""
    lateness: Lateness = situation.lateness
    match lateness:
        case "keep":
            return given.stream()
        case "pane":
            columns = (*given.schema.columns, WATERMARK)
            marked = [replace(a, row=(*a.row, _last_closed(a, situation))) for a in given.arrivals]
            return Input(Schema(columns), tuple(marked)).stream()
        case "row":
            return given.kept(lambda arrival: arrival.watermark is None or arrival.time >= arrival.watermark).stream()
        case "bin":
            return given.kept(lambda arrival: not _bin_closed(arrival, situation)).stream()
        case "key":
            return _not_behind_their_key(
                given, partition_columns(situation.plan, name), look_back_of(situation.plan)
            ).stream()
        case "refuse":
            return _unless_late(given).stream()
        case _:
            assert_never(lateness)


def _unless_late(given: Input) -> Input:
    late = next((a for a in given.arrivals if a.watermark is not None and a.time < a.watermark), None)
    if late is not None:
        raise SnapeqError(f"a row at {late.time} comes too late: before {late.watermark} nothing more may come")
    return given


def _last_closed(arrival: Arrival, situation: Situation) -> Instant | None:
    """The last instant at which a pane may end so that it is closed when the row comes."""
    early = 0 if situation.closes_early else 1
    return None if arrival.watermark is None else arrival.watermark - early


def _bin_closed(arrival: Arrival, situation: Situation) -> bool:
    slide, closed = slide_of(situation), _last_closed(arrival, situation)
    offset = situation.judged.offset if isinstance(situation.judged, LastInstants) else 0
    last = arrival.time - (arrival.time - offset) % slide + slide - 1
    return closed is not None and last <= closed


def _not_behind_their_key(given: Input, keys: tuple[int, ...], held: int | None) -> Input:
    """Without the rows that come when their key is further; without watermarks, after a later row of their key."""
    rows = [identical_row(tuple(arrival.row[key] for key in keys)) for arrival in given.arrivals]
    times = [arrival.time for arrival in given.arrivals]
    if given.is_marked:
        marks = [-1 if arrival.watermark is None else arrival.watermark for arrival in given.arrivals]
        taken = KeyTimes(held).accepted(rows, times, marks).tolist()
    else:
        taken = _not_older(rows, times)
    return replace(given, arrivals=tuple(a for a, is_taken in zip(given.arrivals, taken, strict=True) if is_taken))


def _not_older(keys: list[Row], times: list[Instant]) -> list[bool]:
    latest: dict[Row, Instant] = {}
    taken = []
    for key, time in zip(keys, times, strict=True):
        taken.append(time >= latest.get(key, time))
        latest[key] = max(latest.get(key, time), time)
    return taken


def _admitting(plan: Plan) -> Plan:
    """Windows that close for late rows pane by pane; the rows bring their watermark with them."""
    if isinstance(plan, TimeWindow | LooseWindow):
        marked = _with_watermark(plan.input)
        if marked is not None:
            return odd(Admitted(plan.with_inputs(marked)))
    if isinstance(plan, Source):
        return odd(Admitted(_marked_source(plan)))
    return plan.with_inputs(*map(_admitting, plan.inputs))


def _sampling(plan: Plan, judged: Judged) -> Plan:
    """The plan with windows that show judged instants only: what is above them sees fewer changes and says the same."""
    if plan.inputs and plan.computable:
        return plan.with_inputs(*(_sampling(child, judged) for child in plan.inputs))
    return odd(Sampled(plan, judged))


def _with_watermark(plan: Plan) -> Plan | None:
    """A plan without state below a window, with the watermark as its last column."""
    match plan:
        case Source():
            return _marked_source(plan)
        case Filter(input=below, predicate=predicate):
            inner = _with_watermark(below)
            return None if inner is None else Filter(inner, predicate)
        case Map(input=below, expressions=expressions, names=names):
            inner = _with_watermark(below)
            mark = None if inner is None else Ref(len(inner.schema) - 1, Type.INT)
            return None if inner is None or mark is None else Map(inner, (*expressions, mark), (*names, WATERMARK.name))
        case _:
            return None


def _marked_source(source: Source) -> Source:
    return Source(source.name, Schema((*source.schema.columns, WATERMARK)))
