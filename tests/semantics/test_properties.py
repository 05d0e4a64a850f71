"""What holds for every plan: causality, reducibility, multiplicities, windows. On generated plans and streams."""

from typing import cast

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.strategies import cases, plans, plans_with_root
from equivalence.reference_checks.reducibility import check_irreducible, check_reducible
from semantics import FOREVER, ArithmeticOverflow, LogicalStream, Multiset, Plan, Type, canonical, evaluate, to_logical
from semantics.evaluate import Snapshots, apply, evaluate_together
from semantics.plan import (
    CountWindow,
    Distinct,
    LandmarkWindow,
    Map,
    PartitionedWindow,
    Source,
    TimeWindow,
    Union,
)
from semantics.value import PYTHON_TYPES, check_int, identical

REDUCIBLE = [operator for operator in OPERATORS if operator.computable]
IRREDUCIBLE = [operator for operator in OPERATORS if not operator.computable]
STATELESS_PLAN = st.sampled_from(REDUCIBLE)


def meaning(plan: Plan, case: Case, horizon: int = CASE_HORIZON) -> LogicalStream:
    """The plan's result; cases that overflow have none and are left out."""
    try:
        return evaluate(plan, case, horizon)
    except ArithmeticOverflow:
        reject()


def included(left: Multiset, right: Multiset) -> bool:
    return len(left - right) == 0


@st.composite
def planned_cases(draw: st.DrawFn) -> tuple[Plan, Case]:
    plan = draw(plans(awkward=True))
    return plan, draw(cases(plan, awkward=True))


@pytest.mark.parametrize("operator", REDUCIBLE, ids=lambda operator: operator.__name__)
def test_oracle_square_commutes_with_sqlite(operator: type[Plan]) -> None:
    verdict = check_reducible(operator, examples=60, sampling_seed=7)
    assert verdict.holds, str(verdict.counterexample)


@pytest.mark.parametrize("operator", IRREDUCIBLE, ids=lambda operator: operator.__name__)
def test_windows_and_stream_operators_need_the_past(operator: type[Plan]) -> None:
    assert check_irreducible(operator, examples=60, sampling_seed=7).holds


@given(planned_cases())
def test_plans_evaluated_together_mean_what_each_of_them_means(planned: tuple[Plan, Case]) -> None:
    plan, case = planned
    alone = [meaning(each, case).snapshots for each in (plan, *plan.inputs)]
    assert evaluate_together((plan, *plan.inputs), case, CASE_HORIZON) == alone


@given(st.data(), STATELESS_PLAN, st.integers(0, CASE_HORIZON - 1))
def test_reducible_operators_commute_with_the_timeslice(data: st.DataObject, operator: type[Plan], t: int) -> None:
    """τ_t(op(S…)) = op(τ_t(S)…), the snapshots at t taken as streams of one instant."""
    plan = data.draw(plans_with_root(operator, awkward=True))
    case = data.draw(cases(plan, awkward=True))
    result = meaning(plan, case)
    inputs = [meaning(child, case).at(t) for child in plan.inputs]
    slices: tuple[Snapshots, ...] = tuple((snapshot,) for snapshot in inputs)
    assert apply(plan, slices) == (result.at(t),)


@given(planned_cases(), st.integers(0, CASE_HORIZON))
def test_a_longer_horizon_never_changes_earlier_snapshots(planned: tuple[Plan, Case], horizon: int) -> None:
    plan, case = planned
    assert meaning(plan, case, horizon) == meaning(plan, case).until(horizon)


@given(planned_cases())
def test_results_are_well_formed(planned: tuple[Plan, Case]) -> None:
    """Multiplicities are positive, values have exactly their column's type, and identical values are one value."""
    plan, case = planned
    result = meaning(plan, case)
    assert result.schema == plan.schema
    for row, _, n in result:
        assert n > 0
        for value, type_ in zip(row, plan.schema.types, strict=True):
            assert value is None or type(value) is PYTHON_TYPES[type_]
            assert not isinstance(value, float) or repr(value) == repr(identical(value))
            assert type_ is not Type.INT or value is None or check_int(int(cast(int, value)), "result") == value


@given(st.data())
def test_map_preserves_the_number_of_rows(data: st.DataObject) -> None:
    plan = data.draw(plans_with_root(Map, awkward=True))
    case = data.draw(cases(plan, awkward=True))
    (child,) = plan.inputs
    assert [len(s) for s in meaning(plan, case).snapshots] == [len(s) for s in meaning(child, case).snapshots]


@given(planned_cases())
def test_the_now_window_is_the_identity(planned: tuple[Plan, Case]) -> None:
    plan, case = planned
    assert meaning(TimeWindow(plan, 1), case) == meaning(plan, case)


@given(planned_cases(), st.integers(1, 5), st.integers(0, 5), st.integers(1, 4))
def test_a_larger_time_window_holds_more(planned: tuple[Plan, Case], size: int, more: int, slide: int) -> None:
    plan, case = planned
    small, large = (meaning(TimeWindow(plan, w, slide), case) for w in (size, size + more))
    unbounded = meaning(TimeWindow(plan, FOREVER, slide), case)
    for a, b, c in zip(small.snapshots, large.snapshots, unbounded.snapshots, strict=True):
        assert included(a, b)
        assert included(b, c)


@given(planned_cases(), st.integers(1, 4), st.integers(0, 3), st.integers(1, 3), st.booleans())
def test_a_larger_count_window_holds_more(
    planned: tuple[Plan, Case], rows: int, more: int, slide: int, ties: bool
) -> None:
    plan, case = planned
    slide = 1 if ties else slide
    small, large = (meaning(CountWindow(plan, n, slide, ties), case) for n in (rows, rows + more))
    assert all(included(a, b) for a, b in zip(small.snapshots, large.snapshots, strict=True))
    assert ties or all(len(snapshot) <= rows for snapshot in small.snapshots)


@given(st.data(), st.integers(1, 5), st.integers(1, 4))
def test_a_time_window_over_more_holds_more(data: st.DataObject, size: int, slide: int) -> None:
    plan = data.draw(plans_with_root(Union, awkward=True))
    case = data.draw(cases(plan, awkward=True))
    part, whole = (meaning(TimeWindow(p, size, slide), case) for p in (plan.inputs[0], plan))
    assert all(included(a, b) for a, b in zip(part.snapshots, whole.snapshots, strict=True))


@given(planned_cases(), st.one_of(st.integers(1, 6), st.just(FOREVER)), st.integers(1, 5))
def test_a_chronon_in_a_time_window_is_valid_from_boundary_to_boundary(
    planned: tuple[Plan, Case], size: int | float, slide: int
) -> None:
    """An instant t of validity becomes [⌈t⌉_s, ⌈t+w⌉_s): the second definition of the same window."""

    def next_boundary(t: int | float) -> int | float:
        return t if t == FOREVER else -(-int(t) // slide) * slide

    plan, case = planned
    chronons = list(meaning(plan, case))
    expected = [
        Multiset.sum((row, n) for row, t, n in chronons if next_boundary(t) <= now < next_boundary(t + size))
        for now in range(CASE_HORIZON)
    ]
    assert list(meaning(TimeWindow(plan, size, slide), case).snapshots) == expected


@given(planned_cases(), st.integers(1, 4))
def test_both_count_windows_agree_where_instants_are_unique(planned: tuple[Plan, Case], rows: int) -> None:
    plan, case = planned
    assume(all(len(snapshot) <= 1 for snapshot in meaning(plan, case).snapshots))
    assert meaning(CountWindow(plan, rows), case) == meaning(CountWindow(plan, rows, ties=True), case)


@given(planned_cases(), st.integers(1, 4))
def test_with_ties_no_instant_is_split(planned: tuple[Plan, Case], rows: int) -> None:
    plan, case = planned
    history = meaning(plan, case).snapshots
    suffixes = [
        [Multiset.sum(item for s in history[k : t + 1] for item in s.items()) for k in range(t + 2)]
        for t in range(CASE_HORIZON)
    ]
    window = meaning(CountWindow(plan, rows, ties=True), case).snapshots
    assert all(snapshot in suffixes[t] for t, snapshot in enumerate(window))


@given(planned_cases(), st.integers(1, 3), st.integers(1, 3))
def test_a_partitioned_window_by_all_columns_is_one_window_per_row(
    planned: tuple[Plan, Case], rows: int, slide: int
) -> None:
    """A group is then one row's occurrences, so only their number matters."""
    plan, case = planned
    history = meaning(plan, case).snapshots
    keys = tuple(range(len(plan.schema)))
    window = meaning(PartitionedWindow(plan, keys, rows, slide), case).snapshots
    for t in range(CASE_HORIZON):
        seen = Multiset.sum(item for snapshot in history[: t + 1] for item in snapshot.items())
        assert window[t] == Multiset({row: min(n - n % slide, rows) for row, n in seen.items()})


@given(planned_cases())
def test_a_landmark_at_the_beginning_is_the_unbounded_window(planned: tuple[Plan, Case]) -> None:
    plan, case = planned
    assert meaning(LandmarkWindow(plan, 0), case) == meaning(TimeWindow(plan, FOREVER), case)


@given(planned_cases())
def test_a_landmark_reset_at_every_instant_is_the_now_window(planned: tuple[Plan, Case]) -> None:
    plan, case = planned
    assert meaning(LandmarkWindow(plan, 0, reset=1), case) == meaning(plan, case)


@given(planned_cases())
def test_distinct_keeps_the_support(planned: tuple[Plan, Case]) -> None:
    plan, case = planned
    pairs = zip(meaning(Distinct(plan), case).snapshots, meaning(plan, case).snapshots, strict=True)
    assert all(once.support == all_.support and len(once) == len(all_.support) for once, all_ in pairs)


@given(st.data())
def test_sources_mean_their_canonical_form(data: st.DataObject) -> None:
    plan = Source("A", data.draw(plans(depth=0, awkward=True)).schema)
    stream = data.draw(cases(plan, awkward=True))["A"]
    runs = canonical(stream)
    for t in range(CASE_HORIZON):
        counted = Multiset.sum((row, n) for row, interval, n in runs if t in interval)
        assert counted == to_logical(stream, CASE_HORIZON).at(t)
