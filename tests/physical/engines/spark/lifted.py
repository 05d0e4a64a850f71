"""Many cases of a plan in one job, against the reference."""

from equivalence.cases.case_column import lift, lift_cases, unlift
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_plans import CATALOGUE, OPERATORS, PlanGenerator
from physical.engines.spark.engine import SparkEngine
from semantics import ArithmeticOverflow, LogicalStream, Plan, evaluate
from semantics.plan import Over, SessionWindow

CASES = 12
SUPPORTED = [operator for operator in OPERATORS if operator not in (SessionWindow, Over)]
"""The operators that run on Spark."""


def drawn(operator: type[Plan], seed: int, depth: int = 2) -> tuple[Plan, list[Case]]:
    """A plan with this operator on top and cases for it, none of which overflows."""
    choices = SeededChoices(seed)
    plan = PlanGenerator(choices, CATALOGUE, True).rooted(operator, depth)
    cases = [choose_case(choices, plan.sources(), max_size=5) for _ in range(CASES)]
    return plan, [case for case in cases if reference(plan, case) is not None]


def reference(plan: Plan, case: Case) -> LogicalStream | None:
    try:
        return evaluate(plan, case, CASE_HORIZON)
    except ArithmeticOverflow:
        return None


def together(engine: SparkEngine, plan: Plan, cases: list[Case]) -> list[LogicalStream]:
    """What the engine gives for each case, all in one job."""
    result = engine.run(lift(plan), lift_cases(plan, cases), CASE_HORIZON).to_logical(CASE_HORIZON)
    return list(unlift(result, plan.schema, len(cases)))
