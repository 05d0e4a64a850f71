"""Directed cases: they keep constraints, shrink to almost nothing, and mean the same densely and sparsely."""

from itertools import pairwise

import pytest

from equivalence.cases.choices import ReplayedChoices, SeededChoices
from equivalence.cases.directed.clues import clues_of
from equivalence.cases.directed.draw import choose_directed_case, settled_after
from equivalence.cases.directed.evaluate import evaluate_case
from equivalence.cases.random_plans import choose_nested_plan
from semantics import RawStream, Schema, TooManyChanges, parse_plan, show
from semantics.constraint import Constraint, Key, Lasting, NotNull, References, broken, elements_of
from tests.semantics.sparse.judged import agree

SCHEMAS = {"A": Schema.of(k=int, x=int), "B": Schema.of(id=int, name=str)}
CONSTRAINTS: list[Constraint] = [
    Key("B", ("id",)),
    Lasting("B"),
    NotNull("A", ("x",)),
    References("A", ("k",), "B", ("id",)),
]
PLAN = parse_plan("join(A(k int, x int) | window(range 600), B(id int, name str); k = id and x > 500)")


@pytest.mark.parametrize("seed", range(200))
def test_constraints_hold(seed: int) -> None:
    case = choose_directed_case(SeededChoices(seed), SCHEMAS, CONSTRAINTS, clues_of(PLAN))
    assert not [constraint for constraint in CONSTRAINTS if broken(constraint, case)]


def test_no_choices_give_nothing_and_the_simplest_element_is_zero() -> None:
    plan = parse_plan("S(x int) | window(range 600) | filter(x > 50)")
    simplest = choose_directed_case(ReplayedChoices([]), plan.sources(), (), clues_of(plan))
    one = choose_directed_case(ReplayedChoices([1]), plan.sources(), (), clues_of(plan))
    assert [show(case["S"]) for case in (simplest, one)] == ["raw(x int):", "raw(x int): (0)@0"]


def test_elements_lie_a_window_apart() -> None:
    plan = parse_plan("S(x int) | window(range 600)")
    drawn = [choose_directed_case(SeededChoices(seed), plan.sources(), (), clues_of(plan))["S"] for seed in range(300)]
    starts = [[start for _, start in stream.elements] for stream in drawn if isinstance(stream, RawStream)]
    apart = {after - before for times in starts for before, after in pairwise(times)}
    assert {599, 600, 601} <= apart


@pytest.mark.parametrize("seed", range(300))
def test_oracle_directed_cases_mean_the_same_at_every_instant(seed: int) -> None:
    choices = SeededChoices(seed)
    plan = choose_nested_plan(choices)
    case = choose_directed_case(choices, plan.sources(), (), clues_of(plan))
    assert agree(plan, case, min(settled_after(case, clues_of(plan)), 60))


def test_results_at_late_instants() -> None:
    plans = [parse_plan(f"S(x int) | window(range {size})") for size in (2**40, 2**40 + 1)]
    clues = clues_of(*plans)
    for seed in range(50):
        case = choose_directed_case(SeededChoices(seed), plans[0].sources(), (), clues)
        left, right = evaluate_case(plans, case)
        assert bool(left.runs) == bool(right.runs)
        assert (left == right) == (not left.runs)


def test_numbers_that_programs_sum_up_have_another_order_as_texts_and_exceed_32_bits() -> None:
    """For programs only, and never so large that a sum of the query overflows."""
    plan = parse_plan("S(x int) | window(range 60) | aggregate(sum(x) as s, max(x) as m)")
    drawn = [
        [choose_directed_case(SeededChoices(seed), plan.sources(), (), clues_of(plan), varied=varied)["S"]
         for seed in range(100)]
        for varied in (True, False)
    ]  # fmt: skip
    for_programs, others = ([[row[0] for row, _ in elements_of(stream)] for stream in streams] for streams in drawn)
    numbers = [[value for value in values if isinstance(value, int)] for values in for_programs]
    assert any(values and max(values) != max(values, key=str) for values in numbers)
    assert any(sum(values) > 2**31 for values in numbers)
    assert all(sum(map(abs, values)) < 2**62 for values in numbers)
    assert {value for values in others for value in values} == {0, 1, 2, -1, None}


def test_what_changes_too_often_is_refused() -> None:
    lasting = parse_plan("S(x int) | window(range 100000) | window(range 100000)")
    case = choose_directed_case(ReplayedChoices([1]), lasting.sources(), (), clues_of(lasting))
    with pytest.raises(TooManyChanges):
        evaluate_case([lasting], case)
