"""`now` in expressions: the instant in its place, where it changes a result, and the same over times of any size."""

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.now_in_plans import asking_for_now
from equivalence.cases.random_aggregates import AGGREGATE_FUNCTIONS
from equivalence.cases.random_cases import CASE_HORIZON, choose_case
from equivalence.cases.random_expressions import SCALAR_FUNCTIONS
from equivalence.cases.random_plans import choose_nested_plan
from semantics import (
    ArithmeticOverflow,
    Interval,
    Plan,
    TooManyChanges,
    TypeMismatch,
    evaluate,
    evaluate_sparse,
    parse,
    parse_plan,
    show,
)
from semantics.expression import Now
from semantics.expression import evaluate as value_of
from semantics.notation.parse_expression import Functions
from semantics.now_in_expressions import node_at, thresholds

FUNCTIONS: Functions = {**SCALAR_FUNCTIONS, **AGGREGATE_FUNCTIONS}


def random_plan(number: int) -> Plan:
    choices = SeededChoices(f"now/{number}")
    return asking_for_now(choices, choose_nested_plan(choices))


PLANS = [plan for plan in map(random_plan, range(260)) if any(node.mentions_now for node in plan.walk())]


def test_an_operator_that_asks_for_now_is_computable_but_not_reducible() -> None:
    plain, asking = parse_plan("S(x int) | filter(x > 3)"), parse_plan("S(x int) | filter(x > now)")
    assert (plain.reducible, plain.computable) == (True, True)
    assert (asking.reducible, asking.computable) == (False, True)


def test_a_snapshot_is_computed_with_its_instant_in_the_place_of_now() -> None:
    plan, stream = parse_plan("S(x int) | filter(x > now)"), parse("interval(x int): (2)@[0,4)")
    for t, snapshot in enumerate(evaluate(plan, {"S": stream}, 5).snapshots):
        assert snapshot == evaluate(node_at(plan, t), {"S": stream}, 5).at(t)


def test_a_row_alone_has_no_instant() -> None:
    with pytest.raises(TypeMismatch, match="NOW: a row alone has no instant"):
        value_of(Now(), ())


@pytest.mark.parametrize(
    ("text", "instants"),
    [
        ("now < $0:int", [7]),
        ("now <= $0:int", [8]),
        ("$0:int > now - 5", [12]),
        ("now - $0:int >= 2", [9]),
        ("3 - now < -$0:int", [11]),
        ("now = $0:int", [7, 8]),
        ("now in ($0:int, 20)", [7, 8, 20, 21]),
        ("now is distinct from $0:int", [7, 8]),
        ("case when now < $0:int then 1 else 2 end = 1", [7]),
        ("now - now < $0:int", []),
        ("$0:int > 3", []),
    ],
)
def test_a_comparison_with_now_changes_at_known_instants(text: str, instants: list[int]) -> None:
    found = thresholds((parse(text),))
    assert found is not None
    assert [t for border in found for t in border.instants((7,))] == instants


@pytest.mark.parametrize(
    "text", ["now mod 2 = 0", "now", "now * now < 9", "now < 1.5", "case when now > 1 then now else 0 end"]
)
def test_anything_else_may_change_at_every_instant(text: str) -> None:
    assert thresholds((parse(text),)) is None


def test_a_comparison_with_null_never_changes() -> None:
    (border,) = thresholds((parse("now < $0:int"),)) or ()
    assert list(border.instants((None,))) == []


@pytest.mark.parametrize("plan", PLANS[:120], ids=show)
def test_a_plan_that_asks_for_now_reads_back(plan: Plan) -> None:
    assert parse_plan(show(plan), FUNCTIONS) == plan


@pytest.mark.parametrize("number", range(len(PLANS)))
def test_the_sparse_reference_says_the_same(number: int) -> None:
    plan = PLANS[number]
    case = choose_case(SeededChoices(f"case/{number}"), plan.sources())
    try:
        dense = evaluate(plan, case, CASE_HORIZON)
    except ArithmeticOverflow:
        with pytest.raises(ArithmeticOverflow):
            evaluate_sparse(plan, case, CASE_HORIZON)
        return
    sparse = evaluate_sparse(plan, case, CASE_HORIZON)
    assert tuple(sparse.at(t) for t in range(CASE_HORIZON)) == dense.snapshots


def test_a_temporal_filter_over_all_time_costs_a_few_changes() -> None:
    plan = parse_plan("S(until int) | window(range unbounded) | filter(now < until)")
    found = evaluate_sparse(plan, {"S": parse("raw(until int): (1000000000000)@3")}, limit=10)
    assert [(i.start, i.end) for _, i, _ in found.runs] == [(3, 10**12)]


def test_what_changes_for_ever_is_refused() -> None:
    plan = parse_plan("S(x int) | window(range unbounded) | map(now as t)")
    with pytest.raises(TooManyChanges, match="Map brings the plan to changes without end, since what it asks of now"):
        evaluate_sparse(plan, {"S": parse("raw(x int): (1)@0")})


def test_a_multiple_of_now_may_stand_on_either_side() -> None:
    """An instant may be many microseconds long: 1000 · now ≥ x from x / 1000 on, whichever way it is written."""
    stream = parse("interval(x int): (2500)@[0,6)")
    texts = ["now * 1000 >= x", "1000 * now >= x", "x <= 1000 * now", "0 - now * 1000 <= 0 - x"]
    for text in texts:
        found = evaluate_sparse(parse_plan(f"S(x int) | filter({text})"), {"S": stream}, 6)
        assert found.runs == (((2500,), Interval(3, 6), 1),), text


def test_a_guard_keeps_a_comparison_with_now_from_being_asked() -> None:
    """x + x overflows for the largest x; the filter never asks, and neither does the search for thresholds."""
    stream = parse("interval(x int): (1)@[0,4) (9223372036854775807)@[0,4)")
    plan = parse_plan("S(x int) | filter(case when x < 5 then x + x <= now else false end)")
    assert evaluate_sparse(plan, {"S": stream}, 4).runs == (((1,), Interval(2, 4), 1),)
    assert [bool(snapshot) for snapshot in evaluate(plan, {"S": stream}, 4).snapshots] == [False, False, True, True]
