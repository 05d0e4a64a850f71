"""How many oracle cases a core does in a second: plans of depth 3, twenty cases of at most twelve elements for each.

The reference evaluates case by case, the interval engine all cases of a plan in one lifted run; results are compared.

    python -m benchmarks.studies.oracle
"""

from collections.abc import Callable
from time import process_time

from equivalence.cases.case_column import lift, lift_cases, unlift
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_plans import choose_plan
from physical import run
from semantics import ArithmeticOverflow, Plan, evaluate

CASES, ELEMENTS, PLANS, WARM_UP = 20, 12, 100, 50


def cases_for(seed: int) -> tuple[Plan, list[Case]]:
    choices = SeededChoices(seed)
    plan = choose_plan(choices)
    schemas = plan.sources()
    return plan, [choose_case(choices, schemas, max_size=ELEMENTS // len(schemas)) for _ in range(CASES)]


def agree(seed: int) -> bool:
    """Do reference and interval engine agree on all cases of a plan? False also where arithmetic overflows."""
    plan, cases = cases_for(seed)
    try:
        together = run(lift(plan), lift_cases(plan, cases), CASE_HORIZON).to_logical(CASE_HORIZON)
        alone = tuple(evaluate(plan, case, CASE_HORIZON) for case in cases)
    except ArithmeticOverflow:
        return False
    if unlift(together, plan.schema, len(cases)) != alone:
        raise AssertionError(f"plan {seed}: reference and interval engine differ")
    return True


def rate(examine: Callable[[int], bool], plans: range) -> float:
    """Cases per second of processor time, those of plans that overflow not counted."""
    begun = process_time()
    agreed = sum(examine(seed) for seed in plans)
    return agreed * CASES / (process_time() - begun)


if __name__ == "__main__":
    rate(agree, range(WARM_UP))
    print(f"{rate(agree, range(WARM_UP, WARM_UP + PLANS)):.0f} oracle cases/s of processor time")
