"""Spark against the reference: every operator on generated plans, many cases in one job."""

import pytest

from equivalence.generate import CASE_HORIZON, OPERATORS
from physical.spark.engine import SparkEngine
from physical.spark.exchange import Spread
from semantics import Plan
from tests.physical.spark.lifted import drawn, reference, wrong

APART = Spread(partitions=3, cuts=(2, 5), heaviest=None)


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_all_cases_in_one_job(operator: type[Plan]) -> None:
    engine = SparkEngine(spread=APART)
    plan, cases = drawn(operator, 1)
    assert cases
    assert wrong(engine, plan, cases) == []


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_one_case_over_slices_of_time(operator: type[Plan]) -> None:
    engine = SparkEngine(spread=APART)
    plan, cases = drawn(operator, 3, depth=1)
    case = max(cases, key=lambda case: len(list(reference(plan, case) or ())))
    assert engine.run(plan, case, CASE_HORIZON).to_logical(CASE_HORIZON) == reference(plan, case)
