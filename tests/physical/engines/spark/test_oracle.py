"""Spark against the reference: every operator on generated plans, many cases in one job."""

from collections.abc import Callable

import pytest

from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.random_plans import OPERATORS
from physical.engines.spark.engine import SparkEngine
from physical.engines.spark.exchange import Spread
from semantics import LogicalStream, Plan
from tests.physical.engines.spark.lifted import drawn, reference, together
from tests.physical.engines.spark.lookahead import asked_ahead

APART = Spread(partitions=3, cuts=(2, 5), heaviest=None)
Together = Callable[[type[Plan]], list[LogicalStream]]
Alone = Callable[[type[Plan]], LogicalStream]


def longest(plan: Plan, cases: list[Case]) -> Case:
    return max(cases, key=lambda case: len(list(reference(plan, case) or ())))


def all_cases(operator: type[Plan]) -> list[LogicalStream]:
    return together(SparkEngine(spread=APART), *drawn(operator, 1))


def one_case(operator: type[Plan]) -> LogicalStream:
    plan, cases = drawn(operator, 3, depth=1)
    return SparkEngine(spread=APART).run(plan, longest(plan, cases), CASE_HORIZON).to_logical(CASE_HORIZON)


of_all_cases = asked_ahead(all_cases, OPERATORS)
of_one_case = asked_ahead(one_case, OPERATORS)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_all_cases_in_one_job(of_all_cases: Together, operator: type[Plan]) -> None:
    plan, cases = drawn(operator, 1)
    assert cases
    pairs = zip(cases, of_all_cases(operator), strict=True)
    assert [case for case, found in pairs if found != reference(plan, case)] == []


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_one_case_over_slices_of_time(of_one_case: Alone, operator: type[Plan]) -> None:
    plan, cases = drawn(operator, 3, depth=1)
    assert of_one_case(operator) == reference(plan, longest(plan, cases))
