"""The interval engine against the reference, on generated plans over all operators and streams in bulk."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.strategies import plans, plans_with_root
from equivalence.reference_checks.golden import GoldenCase
from physical.engines.interval.run_plan import run
from semantics import ArithmeticOverflow, LogicalStream, Plan, evaluate, show
from tests.golden_corpus import golden_corpus
from tests.seeded_cases import random_case

CASES_PER_PLAN = 20
PLANS_PER_OPERATOR = 40
DEEP_PLANS = 150
"""Together (22 · 40 + 150) · 20 = 20,600 cases."""


def outcome(plan: Plan, case: object, engine: str) -> LogicalStream | str:
    """The snapshots of the result, or that it overflows."""
    try:
        if engine == "reference":
            return evaluate(plan, case, CASE_HORIZON)  # type: ignore[arg-type]  # a case
        result = run(plan, case, CASE_HORIZON).checked("result")  # type: ignore[arg-type]  # a case
        return result.to_logical(CASE_HORIZON)
    except ArithmeticOverflow:
        return "overflow"


def check(plan: Plan, seed: int) -> None:
    random = Random(seed)
    for _ in range(CASES_PER_PLAN):
        case = random_case(random, plan.sources())
        expected, got = outcome(plan, case, "reference"), outcome(plan, case, "interval")
        assert got == expected, "\n".join([show(plan), *(f"{name} = {show(s)}" for name, s in case.items())])


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_every_operator(operator: type[Plan]) -> None:
    @settings(max_examples=PLANS_PER_OPERATOR)
    @given(plans_with_root(operator, depth=2, awkward=True), st.integers(0, 2**32))
    def agree(plan: Plan, seed: int) -> None:
        check(plan, seed)

    agree()


@settings(max_examples=DEEP_PLANS)
@given(plans(depth=4, awkward=True), st.integers(0, 2**32))
def test_oracle_plans_of_depth_four(plan: Plan, seed: int) -> None:
    check(plan, seed)


@pytest.mark.parametrize("case", golden_corpus(), ids=lambda case: case.name)
def test_golden(case: GoldenCase) -> None:
    horizon = case.expected.horizon
    assert run(case.plan, case.streams, horizon).to_logical(horizon) == case.expected
