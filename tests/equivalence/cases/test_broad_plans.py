"""Situations with more of something than usual have it, and what goes wrong only there is seen."""

from collections.abc import Callable

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.situation import choose_in_situation
from equivalence.cases.situations import SITUATIONS
from semantics import Plan, evaluate
from semantics import plan as op
from semantics.aggregate import Max, Min, Sum

DRAWN = 60


def drawn(situation: str, operator: type[Plan]) -> list[Plan]:
    return [choose_in_situation(SeededChoices(f"{i}"), SITUATIONS[situation], operator)[0] for i in range(DRAWN)]


def depth(plan: Plan) -> int:
    return 1 + max(map(depth, plan.inputs), default=0)


def test_plans_have_much_of_what_they_are_for() -> None:
    assert all(depth(plan) >= 9 for plan in drawn("long chains", op.Distinct))
    assert max(len(plan.sources()) for plan in drawn("many sources", op.Join)) >= 7
    keys = [key for plan in drawn("wide rows", op.PartitionedWindow) for key in getattr(plan, "keys", ())]
    assert max(keys) >= 10
    orders = [len(plan.order) for plan in drawn("long orders", op.Limit) if isinstance(plan, op.Limit)]
    assert orders.count(3) >= 5
    aggregates = [a for plan in drawn("aggregates of types", op.Aggregation) for a in getattr(plan, "aggregates", ())]
    assert any(isinstance(a, Sum) and a.argument.type.is_decimal for a in aggregates)
    assert any(isinstance(a, Sum) and a.argument.type.is_interval for a in aggregates)
    assert any(isinstance(a, Min | Max) and a.argument.type.is_counted for a in aggregates)


def own_filter(plan: Plan) -> Plan:
    """A − σ(A) taken for nothing."""
    match plan:
        case op.Difference(left=left, right=op.Filter(input=below)) if left == below:
            return op.Difference(left, left)
    return plan


def six_branches(plan: Plan) -> Plan:
    """A union of six or more without its last branch."""
    match plan:
        case op.Union(left=left) if len(plan.sources()) >= 6:
            return left
    return plan.with_inputs(*map(six_branches, plan.inputs))


def late_keys(plan: Plan) -> Plan:
    match plan:
        case op.PartitionedWindow(input=below, keys=keys, rows=rows) if max(keys) >= 8:
            return op.PartitionedWindow(below, (0,), rows)
    return plan


def third_key(plan: Plan) -> Plan:
    match plan:
        case op.Limit(input=below, count=count, order=order, keys=keys, offset=offset, ranking=ranking):
            return op.Limit(below, count, order[:2], keys, offset, ranking)
    return plan


@pytest.mark.parametrize(
    ("situation", "operator", "wrong"),
    [
        ("related inputs", op.Difference, own_filter),
        ("many sources", op.Distinct, six_branches),
        ("wide rows", op.PartitionedWindow, late_keys),
        ("long orders", op.Limit, third_key),
    ],
)
def test_their_cases_tell_wrong_plans_apart(
    situation: str, operator: type[Plan], wrong: Callable[[Plan], Plan]
) -> None:
    cases = [choose_in_situation(SeededChoices(f"{i}"), SITUATIONS[situation], operator) for i in range(DRAWN)]
    differ = [(plan, case) for plan, case in cases if wrong(plan) != plan]
    horizon = SITUATIONS[situation].horizon
    assert any(evaluate(plan, case, horizon) != evaluate(wrong(plan), case, horizon) for plan, case in differ)
