"""Time in a finer unit: the same plans, windows and streams, every time k times as large.

A row at one instant is still there for one instant only, so points and what lasts are told apart: what lasts is
stretched, points are moved. A window makes points last; a window over what lasts adds up k times as many instants.
Sessions make points last, too, and tell their bounds, which grow with time. OVER looks at each instant by itself.
"""

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.strategies import interval_streams, plans, plans_with_root, raw_streams
from semantics import (
    FOREVER,
    Interval,
    IntervalStream,
    Multiset,
    Plan,
    RawStream,
    Stream,
    canonical,
    evaluate_sparse,
)
from semantics import plan as op
from semantics.over import EdgeValue, Frame, FrameAggregate, OverFunction
from semantics.stream import Run
from semantics.time import End
from semantics.value import Value
from tests.semantics.sparse.judged import dense

Kind = Literal["points", "lasting"]
MILLISECONDS_OF_A_DAY = 86_400_000
SCALES = st.sampled_from([10**6, MILLISECONDS_OF_A_DAY, 2**58])
WINDOWS = (op.TimeWindow, op.LandmarkWindow, op.CountWindow, op.PartitionedWindow)


def kind(plan: Plan, case: Case) -> Kind | None:
    """How the result of a plan grows with time, if it does so in one of the two ways."""
    if isinstance(plan, op.Source):
        return "points" if isinstance(case[plan.name], RawStream) else "lasting"
    kinds = {kind(child, case) for child in plan.inputs}
    (of_inputs,) = kinds if len(kinds) == 1 else (None,)
    if isinstance(plan, WINDOWS):
        return "lasting" if of_inputs == "points" else None
    if isinstance(plan, op.Istream | op.Dstream):
        return "points" if of_inputs == "lasting" else None
    if any(isinstance(child, op.SessionWindow) for child in plan.inputs):
        return None  # what is made of a session's bounds need not grow with time
    if isinstance(plan, op.SessionWindow):
        return "lasting" if of_inputs == "points" else None
    if isinstance(plan, op.Over):
        return "points" if of_inputs == "points" else None
    if isinstance(plan, op.Aggregation) and plan.on_empty:
        return "lasting" if of_inputs == "lasting" else None
    return of_inputs


def scaled_plan(plan: Plan, k: int) -> Plan:
    match plan:
        case op.Source():
            return plan
        case op.TimeWindow(input=child, size=size, slide=slide):
            return op.TimeWindow(scaled_plan(child, k), size * k, slide * k)
        case op.LandmarkWindow(input=child, start=start, reset=reset):
            return op.LandmarkWindow(scaled_plan(child, k), start * k, reset and reset * k)
        case op.SessionWindow(input=child, gap=gap):
            return replace(plan, input=scaled_plan(child, k), gap=gap * k)
        case op.Over(input=child, functions=functions):
            scaled = tuple(scaled_function(function, k) for function in functions)
            return replace(plan, input=scaled_plan(child, k), functions=scaled)
        case op.Unary(input=child):
            return replace(plan, input=scaled_plan(child, k))
        case op.Binary(left=left, right=right):
            return replace(plan, left=scaled_plan(left, k), right=scaled_plan(right, k))


def scaled_function(function: OverFunction, k: int) -> OverFunction:
    """The function with a frame of k times as many instants; frames of rows stay as they are."""
    match function:
        case FrameAggregate(frame=Frame("range", preceding)) | EdgeValue(frame=Frame("range", preceding)):
            return replace(function, frame=Frame("range", preceding * k))
        case _:
            return function


def stretched(interval: Interval, k: int) -> Interval:
    return Interval(interval.start * k, interval.end * k)


def scaled_stream(stream: Stream, k: int) -> Stream:
    if isinstance(stream, RawStream):
        return RawStream(stream.schema, [(row, t * k) for row, t in stream.elements])
    assert isinstance(stream, IntervalStream)
    return IntervalStream(stream.schema, [(row, stretched(interval, k)) for row, interval in stream.elements])


def scaled_runs(runs: tuple[Run, ...], kind: Kind, k: int) -> list[Run]:
    """Runs in the finer unit; a run of points is one point after the other."""
    if kind == "lasting":
        return [(row, stretched(interval, k), n) for row, interval, n in runs]
    return [
        (row, Interval(t * k, t * k + 1), n)
        for row, interval, n in runs
        for t in range(interval.start, int(interval.end))
    ]


def with_scaled_bounds(plan: Plan, runs: tuple[Run, ...], k: int) -> tuple[Run, ...]:
    """The runs of a plan; if its root makes sessions, their bounds are in the finer unit."""
    if not isinstance(plan, op.SessionWindow):
        return runs
    return tuple(((*row[:-2], *(scaled_bound(bound, k) for bound in row[-2:])), i, n) for row, i, n in runs)


def scaled_bound(bound: Value, k: int) -> int:
    assert isinstance(bound, int)
    return bound * k


def unordered(runs: list[Run] | tuple[Run, ...]) -> set[tuple[object, int, End, int]]:
    return {(row, interval.start, interval.end, n) for row, interval, n in runs}


@st.composite
def mixed_cases(draw: st.DrawFn, plan: Plan) -> Case:
    """Raw streams and interval streams, each as likely."""
    return {
        name: draw(raw_streams(schema, awkward=True) | interval_streams(schema, awkward=True))
        for name, schema in plan.sources().items()
    }


def check_scaled(plan: Plan, case: Case, k: int) -> None:
    how = kind(plan, case)
    assume(how is not None)
    assert how is not None
    expected = dense(plan, case)
    assume(not isinstance(expected, str))
    assert not isinstance(expected, str)
    streams = {name: scaled_stream(stream, k) for name, stream in case.items()}
    got = evaluate_sparse(scaled_plan(plan, k), streams, CASE_HORIZON * k)
    runs = with_scaled_bounds(plan, canonical(expected), k)
    assert unordered(got.runs) == unordered(scaled_runs(runs, how, k))


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_results_scale_with_time(operator: type[Plan]) -> None:
    @settings(max_examples=30, suppress_health_check=list(HealthCheck))
    @given(st.data(), plans_with_root(operator, depth=2, awkward=True), SCALES)
    def scales(data: st.DataObject, plan: Plan, k: int) -> None:
        check_scaled(plan, data.draw(mixed_cases(plan)), k)

    scales()


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.data(), plans(depth=2, awkward=True), st.integers(1, 20), st.sampled_from([1, 2, 5, FOREVER]))
def test_oracle_a_window_over_what_lasts_counts_every_instant(data: st.DataObject, plan: Plan, k: int, w: End) -> None:
    """At the end of each stretched instant it holds all rows of the coarse window, each k times."""
    case = data.draw(mixed_cases(plan))
    assume(kind(plan, case) == "lasting")
    expected = dense(op.TimeWindow(plan, w), case)
    assume(not isinstance(expected, str))
    assert not isinstance(expected, str)
    streams = {name: scaled_stream(stream, k) for name, stream in case.items()}
    got = evaluate_sparse(op.TimeWindow(scaled_plan(plan, k), w * k), streams, CASE_HORIZON * k)
    for t, snapshot in enumerate(expected.snapshots):
        assert got.at(t * k + k - 1) == Multiset({row: n * k for row, n in snapshot.items()})
