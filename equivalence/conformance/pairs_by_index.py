"""Joins as an engine computes them that finds partners by an index: the rest of a condition is tested for those only.

The reference tests every pair, so that an overflow never depends on an order. An index rules out pairs by keys or
bounds, and what the rest of the condition would have been for them is never known; see "Values" in docs/decisions.md.
"""

from functools import reduce
from typing import Final

from semantics import Expression, Plan, Type
from semantics.expression import And, Case, Comparison, Constant, conjuncts, refs
from semantics.failing import can_fail
from semantics.plan import Filtering, Joined
from semantics.rebuild import with_expressions

_FALSE: Final = Constant(False, Type.BOOL)


def by_index(plan: Plan) -> Plan:
    """The same plan, but what can fail in a join's condition is evaluated only where what an index decides is TRUE.

    >>> from semantics import parse_plan, show
    >>> print(show(by_index(parse_plan("join(A(x int), B(y int); x = y and x + y > 0)"))))
    join(A(x int), B(y int); case when x = y then x + y > 0 else false end)
    """
    node = plan.with_inputs(*map(by_index, plan.inputs)) if plan.inputs else plan
    if not isinstance(node, Joined | Filtering):
        return node
    width = len(node.left.schema)
    return with_expressions(node, lambda condition: _guarded(condition, width))


def _guarded(condition: Expression, width: int) -> Expression:
    parts = list(conjuncts(condition))
    first = [part for part in parts if _links(part, width) and not can_fail(part)]
    rest = [part for part in parts if part not in first]
    return Case(((reduce(And, first), reduce(And, rest)),), _FALSE) if first and rest else condition


def _links(part: Expression, width: int) -> bool:
    """Does it compare a side with the other, so that an index can decide it?"""
    if not isinstance(part, Comparison) or part.symbol == "<>":
        return False
    sides = [{ref.index >= width for ref in refs(operand)} for operand in (part.left, part.right)]
    return sides in ([{False}, {True}], [{True}, {False}])
