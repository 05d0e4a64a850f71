"""Which expressions can fail, so that no rewrite lets a plan fail that did not before.

A rewrite may evaluate an expression for rows that it did not meet before, such as a condition for pairs that another
condition ruled out. That does no harm unless the expression can overflow or calls a function that somebody wrote.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from equivalence.optimizer.rewrites import Rewrite, RuleRewrite
from equivalence.optimizer.rewrites.plan_rewrite import Constraints
from semantics import Plan
from semantics import plan as op
from semantics.aggregate import Aggregate, OfDistinct, Sum, UserDefined
from semantics.failing import can_fail
from semantics.value import Type


@dataclass(frozen=True)
class Careful:
    """A rewrite that leaves a node alone where it could make the plan fail."""

    rewrite: Rewrite

    @property
    def name(self) -> str:
        return self.rewrite.name

    def alternatives(self, node: Plan, constraints: Constraints) -> Iterator[Plan]:
        harmless = isinstance(self.rewrite, RuleRewrite) and self.rewrite.same_rows
        if harmless or not parts_can_fail(node):
            yield from self.rewrite.alternatives(node, constraints)


def parts_can_fail(node: Plan) -> bool:
    """May an expression of the node, or of a node that a rewrite of it looks at, raise an error?"""
    return any(map(_can_fail, [node, *node.inputs, *(below for child in node.inputs for below in child.inputs)]))


def _can_fail(node: Plan) -> bool:
    aggregates = node.aggregates if isinstance(node, op.Aggregation | op.Grouping) else ()
    return any(map(can_fail, node.own_expressions)) or any(map(_sum_can_fail, aggregates))


def _sum_can_fail(aggregate: Aggregate) -> bool:
    """A total may be beyond 64 bits."""
    if isinstance(aggregate, OfDistinct):
        return _sum_can_fail(aggregate.function)
    return isinstance(aggregate, UserDefined) or (isinstance(aggregate, Sum) and aggregate.type is Type.INT)
