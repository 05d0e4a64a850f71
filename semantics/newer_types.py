"""Which plans need more than INT, FLOAT, BOOL and STR: engines that were written before know nothing else."""

from collections.abc import Iterator

from semantics.expression import Cast, Expression, children
from semantics.plan import Plan
from semantics.types import BASIC_TYPES, Type


def newer_type(plan: Plan) -> str | None:
    """The first type in a plan beside INT, FLOAT, BOOL and STR, or CAST; None if it has neither.

    >>> from semantics import parse_plan
    >>> newer_type(parse_plan("S(x int) | filter(cast(x as str) = '1')")), newer_type(parse_plan("S(d date)"))
    ('CAST', 'DATE')
    """
    if any(isinstance(part, Cast) for node in plan.walk() for part in _all_parts(node)):
        return "CAST"
    return next((type_.name for type_ in types_in(plan) if type_ not in BASIC_TYPES), None)


def types_in(plan: Plan) -> Iterator[Type]:
    """The types of all columns and of all parts of expressions in a plan."""
    for node in plan.walk():
        yield from node.schema.types
        yield from (part.type for part in _all_parts(node))


def _all_parts(node: Plan) -> Iterator[Expression]:
    return (part for expression in node.own_expressions for part in _parts(expression))


def _parts(expression: Expression) -> Iterator[Expression]:
    yield expression
    for child in children(expression):
        yield from _parts(child)
