"""The dense reference as the judge of the sparse one."""

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_plans import choose_nested_plan, choose_plan
from semantics import ArithmeticOverflow, LogicalStream, Plan, SparseStream, canonical, evaluate, evaluate_sparse

OVERFLOWS = "overflows"


def dense(plan: Plan, case: Case, horizon: int = CASE_HORIZON) -> LogicalStream | str:
    try:
        return evaluate(plan, case, horizon)
    except ArithmeticOverflow:
        return OVERFLOWS


def sparse(plan: Plan, case: Case, horizon: int = CASE_HORIZON) -> SparseStream | str:
    try:
        return evaluate_sparse(plan, case, horizon)
    except ArithmeticOverflow:
        return OVERFLOWS


def same(expected: LogicalStream | str, got: SparseStream | str) -> bool:
    """Do both overflow, or hold the same at every instant and have the same canonical form?"""
    if isinstance(expected, str) or isinstance(got, str):
        return expected == got
    snapshots = tuple(got.at(t) for t in range(expected.horizon))
    return snapshots == expected.snapshots and got.runs == canonical(expected)


def agree(plan: Plan, case: Case, horizon: int = CASE_HORIZON) -> bool:
    return same(dense(plan, case, horizon), sparse(plan, case, horizon))


def seeded_case(seed: int) -> tuple[Plan, Case]:
    """One operator above another, or a deeper plan, with streams for its sources."""
    choices = SeededChoices(seed)
    plan = choose_nested_plan(choices) if seed % 3 else choose_plan(choices)
    return plan, choose_case(choices, plan.sources())
