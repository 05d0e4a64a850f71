"""Rewrites that are right but for what few plans have: keys that a map drops, conditions on a key and more."""

from collections.abc import Callable

import pytest

from equivalence import check_optimizer
from semantics import Plan
from semantics.expression import Ref, refs
from semantics.plan import Distinct, Filter, Grouping, Map, Over

Rewrite = Callable[[Plan], Plan]


def groups_by_their_first_key(plan: Plan) -> Plan:
    """A DISTINCT of what a map keeps of groups is dropped where it keeps the first key."""
    match plan:
        case Distinct(input=Map(input=Grouping(keys=(_, *_)), expressions=expressions)):
            return plan.input if any(isinstance(one, Ref) and one.index == 0 for one in expressions) else plan
        case _:
            return plan


def conditions_with_a_key(plan: Plan) -> Plan:
    """A condition goes below OVER where it speaks of a key, whatever else it speaks of."""
    match plan:
        case Filter(input=Over(input=below, keys=keys), predicate=predicate):
            used = {ref.index for ref in refs(predicate)}
            inside = used & set(keys) and all(index < len(below.schema) for index in used)
            return plan.input.with_inputs(Filter(below, predicate)) if inside else plan
        case _:
            return plan


def everywhere(rewrite: Rewrite) -> Rewrite:
    def rewritten(plan: Plan) -> Plan:
        return rewrite(plan.with_inputs(*map(rewritten, plan.inputs)) if plan.inputs else plan)

    return rewritten


@pytest.mark.parametrize("rewrite", [groups_by_their_first_key, conditions_with_a_key])
def test_what_is_rare_in_changed_plans_is_tried(rewrite: Rewrite) -> None:
    assert check_optimizer(everywhere(rewrite)).kind == "refuted"
