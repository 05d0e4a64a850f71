"""An optimised plan gives the same result, and fails only where the plan as written fails."""

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import choose_case
from equivalence.cases.random_plans import choose_plan
from equivalence.optimizer.measure import measured
from equivalence.optimizer.optimize import optimize
from physical import PhysicalStream
from semantics import ArithmeticOverflow, FunctionError, evaluate

HORIZON = 14


@pytest.mark.parametrize("seed", range(4))
def test_oracle_random_plans_with_values_that_overflow(seed: int) -> None:
    changed = 0
    for number in range(40):
        choices = SeededChoices(f"errors/{seed}/{number}")
        plan = choose_plan(choices, depth=4)
        cases = [choose_case(choices, plan.sources()) for _ in range(3)]
        statistics = {name: measured(PhysicalStream.of(stream)) for name, stream in cases[0].items()}
        optimised = optimize(plan, statistics=statistics).plan
        changed += optimised != plan
        for case in cases if optimised != plan else []:
            try:
                expected = evaluate(plan, case, HORIZON)
            except (ArithmeticOverflow, FunctionError):
                continue
            assert evaluate(optimised, case, HORIZON) == expected
    assert changed >= 5
