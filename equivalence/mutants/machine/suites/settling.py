"""Which results can be written down without a horizon."""

from equivalence.cases.random_cases import Case
from equivalence.conformance.judge import never_settles
from physical.engines.interval.run_plan import run
from semantics import Plan, SnapeqError


def settles(plan: Plan, case: Case) -> bool:
    """Does the result come to an end, or go on unchanged for ever, without any overflow?"""
    if never_settles(plan, case):
        return False
    try:
        run(plan, case)
    except SnapeqError:
        return False
    return True
