"""All cases in one run give what each gives alone; and a lift that mixes cases is caught."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from equivalence.cases.case_column import CASE_COLUMN, lift, lift_cases, unlift
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_plans import CATALOGUE, OPERATORS, PlanGenerator
from physical import run
from semantics import ArithmeticOverflow, LogicalStream, Plan, evaluate
from semantics.expression import And
from semantics.plan import Joined, LeftJoin, PartitionedWindow

CASES = 6


def drawn(operator: type[Plan], seed: int) -> tuple[Plan, list[Case]]:
    choices = SeededChoices(seed)
    plan = PlanGenerator(choices, CATALOGUE, True).rooted(operator, 2)
    return plan, [choose_case(choices, plan.sources(), max_size=5) for _ in range(CASES)]


def reference(plan: Plan, case: Case) -> LogicalStream:
    return evaluate(plan, case, CASE_HORIZON)


def interval(plan: Plan, case: Case) -> LogicalStream:
    return run(plan, case, CASE_HORIZON).to_logical(CASE_HORIZON)


def agrees(plan: Plan, lifted: Plan, cases: list[Case], engine: Callable[[Plan, Case], LogicalStream]) -> bool | None:
    """None if arithmetic overflows in some case, for then the whole run does."""
    try:
        alone = tuple(reference(plan, case) for case in cases)
        together = unlift(engine(lifted, lift_cases(plan, cases)), plan.schema, len(cases))
    except ArithmeticOverflow:
        return None
    return together == alone


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
@pytest.mark.parametrize("engine", [reference, interval])
def test_lifted_cases_are_what_each_is_alone(
    operator: type[Plan], engine: Callable[[Plan, Case], LogicalStream]
) -> None:
    outcomes = []
    for seed in range(8):
        plan, cases = drawn(operator, seed)
        outcomes.append(agrees(plan, lift(plan), cases, engine))
    assert False not in outcomes
    assert outcomes.count(True) >= 4


def mixed_keys(plan: Plan) -> Plan | None:
    """A window takes the rows of all cases together."""
    return replace(plan, keys=plan.keys[1:]) if isinstance(plan, PartitionedWindow) and len(plan.keys) > 1 else None


def mixed_partners(plan: Plan) -> Plan | None:
    """Rows of different cases are partners."""
    if isinstance(plan, Joined) and isinstance(plan.condition, And) and not isinstance(plan, LeftJoin):
        return replace(plan, condition=plan.condition.right)
    return None


@pytest.mark.parametrize("wrong", [mixed_keys, mixed_partners])
def test_a_lift_that_mixes_cases_is_caught(wrong: Callable[[Plan], Plan | None]) -> None:
    caught = 0
    for operator in OPERATORS:
        for seed in range(10):
            plan, cases = drawn(operator, seed)
            lifted = mutated(lift(plan), wrong)
            caught += lifted is not None and agrees(plan, lifted, cases, reference) is False
    assert caught >= 5


def mutated(plan: Plan, wrong: Callable[[Plan], Plan | None]) -> Plan | None:
    if (changed := wrong(plan)) is not None:
        return changed
    for name in ("input", "left", "right"):
        child = getattr(plan, name, None)
        if child is not None and (changed := mutated(child, wrong)) is not None:
            return replace(plan, **{name: changed})  # type: ignore[arg-type]  # one of its inputs
    return None


def test_the_case_column_has_a_name_that_no_query_has() -> None:
    assert not CASE_COLUMN.isidentifier()
