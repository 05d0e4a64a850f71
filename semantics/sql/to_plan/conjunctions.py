"""Conditions put together and taken apart."""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Final

from sqlglot import exp

from semantics.expression import And, ComparisonSymbol, Constant, Expression
from semantics.sql.to_plan.expressions import unwrapped
from semantics.value import Type

TRUE = Constant(True, Type.BOOL)
OPPOSITE: Final[dict[ComparisonSymbol, ComparisonSymbol]] = {
    "=": "<>",
    "<>": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


def conjunction(conditions: Sequence[Expression]) -> Expression:
    """All of the conditions; TRUE if there are none."""
    return reduce(And, conditions) if conditions else TRUE


def conjuncts(node: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of a condition that must all be TRUE."""
    node = unwrapped(node)
    if isinstance(node, exp.And):
        yield from conjuncts(node.this)
        yield from conjuncts(node.expression)
    else:
        yield node
