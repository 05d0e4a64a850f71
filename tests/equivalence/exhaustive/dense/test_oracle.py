"""The evaluator on batches against the reference, on generated plans over all operators."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.strategies import plans, plans_with_root
from equivalence.reference_checks.golden import GoldenCase
from semantics import ArithmeticOverflow, LogicalStream, Plan, RawStream, evaluate, show
from semantics.errors import Unsupported
from semantics.plan import Over, SessionWindow, Source, Unnest
from tests.equivalence.exhaustive.dense.batches import dense
from tests.golden_corpus import golden_corpus
from tests.seeded_cases import random_case

CASES_PER_PLAN = 8
PLANS_PER_OPERATOR = 10


def reference(plan: Plan, case: Case, horizon: int) -> LogicalStream | str:
    try:
        return evaluate(plan, case, horizon)
    except ArithmeticOverflow:
        return "overflow"


def check(plan: Plan, seed: int) -> None:
    random = Random(seed)
    cases = [random_case(random, plan.sources(), max_size=6) for _ in range(CASES_PER_PLAN)]
    for case, got in zip(cases, dense(plan, cases, CASE_HORIZON), strict=True):
        shown = "\n".join([show(plan), *(f"{name} = {show(stream)}" for name, stream in case.items())])
        assert got == reference(plan, case, CASE_HORIZON), shown


LOOKING_AHEAD = (SessionWindow, Over)
"""What these hold may depend on what comes after the horizon; a batch ends there."""
CORPUS = [case for case in golden_corpus() if not any(isinstance(n, LOOKING_AHEAD) for n in case.plan.walk())]


def check_over_streams_that_end(plan: SessionWindow | Over, seed: int) -> None:
    """The operator alone, over what its input holds up to the horizon: a batch says nothing of later instants."""
    random = Random(seed)
    direct = plan.with_inputs(Source("I", plan.input.schema))
    cases = [
        {"I": held}
        for _ in range(CASES_PER_PLAN)
        if not isinstance(held := raw(plan.input, random_case(random, plan.sources(), max_size=6)), str)
    ]
    for case, got in zip(cases, dense(direct, cases, CASE_HORIZON), strict=True):
        assert got == reference(direct, case, CASE_HORIZON), f"{show(direct)}\n{show(case['I'])}"


def raw(plan: Plan, case: Case) -> RawStream | str:
    held = reference(plan, case, CASE_HORIZON)
    if isinstance(held, str):
        return held
    return RawStream(held.schema, [(row, t) for row, t, n in held for _ in range(n)])


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_every_operator(operator: type[Plan]) -> None:
    @settings(max_examples=PLANS_PER_OPERATOR)
    @given(plans_with_root(operator, depth=2, awkward=True), st.integers(0, 2**32))
    def agree(plan: Plan, seed: int) -> None:
        if isinstance(plan, LOOKING_AHEAD):
            check_over_streams_that_end(plan, seed)
        else:
            check(plan, seed)

    agree()


@settings(max_examples=40)
@given(plans(depth=3, awkward=True), st.integers(0, 2**32))
def test_oracle_nested_plans(plan: Plan, seed: int) -> None:
    check(plan, seed)


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case.name)
def test_golden(case: GoldenCase) -> None:
    if any(isinstance(node, Unnest) for node in case.plan.walk()):
        with pytest.raises(Unsupported, match="how much Unnest makes depends on values"):
            dense(case.plan, [case.streams], case.expected.horizon)
        return
    assert dense(case.plan, [case.streams], case.expected.horizon) == [case.expected]
