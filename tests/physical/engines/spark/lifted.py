"""Many cases of a plan in one job, against the reference."""

from equivalence.cases.case_column import lift, lift_cases, unlift
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_plans import CATALOGUE, PlanGenerator
from physical.engines.spark.engine import SparkEngine
from semantics import FOREVER, ArithmeticOverflow, LogicalStream, Plan, Stream, evaluate
from semantics.stream import pieces

CASES = 12


def drawn(operator: type[Plan], seed: int, depth: int = 2) -> tuple[Plan, list[Case]]:
    """A plan with this operator on top and cases for it, none of which overflows."""
    choices = SeededChoices(seed)
    plan = PlanGenerator(choices, CATALOGUE, True).rooted(operator, depth)
    cases = [choose_case(choices, plan.sources(), max_size=5) for _ in range(CASES)]
    return plan, [case for case in cases if reference(plan, case) is not None]


def without_endless_rows(plan: Plan, cases: list[Case]) -> list[Case]:
    """The cases that a running query can be given: an operator that looks ahead never sees all of an endless row."""
    return [case for case in cases if not (plan.has_lookahead and any(map(_has_endless_rows, case.values())))]


def _has_endless_rows(stream: Stream) -> bool:
    return any(interval.end == FOREVER for _, interval, _ in pieces(stream))


def reference(plan: Plan, case: Case) -> LogicalStream | None:
    try:
        return evaluate(plan, case, CASE_HORIZON)
    except ArithmeticOverflow:
        return None


def together(engine: SparkEngine, plan: Plan, cases: list[Case]) -> list[LogicalStream]:
    """What the engine gives for each case, all in one job."""
    result = engine.run(lift(plan), lift_cases(plan, cases), CASE_HORIZON).to_logical(CASE_HORIZON)
    return list(unlift(result, plan.schema, len(cases)))
