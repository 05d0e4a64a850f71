"""Which plans can be compared: those that are about the same sources, and have columns of the same types."""

from semantics.errors import SchemaError
from semantics.evaluate import Planned
from semantics.notation.show import show
from semantics.plan import Plan, Source


def check_comparable(left: Planned, right: Planned) -> None:
    """Raise a SchemaError unless equally named sources are the same, and the results have columns of the same types.

    >>> from semantics import parse_plan
    >>> check_comparable(parse_plan("A(x int, y int)"), parse_plan("A(y int, x int)"))
    Traceback (most recent call last):
    semantics.errors.SchemaError: source A is declared in two ways: A(x int, y int); A(y int, x int)
    """
    check_same_sources(left.plan, right.plan)
    mine, theirs = left.plan.schema, right.plan.schema
    if mine.types != theirs.types:
        raise SchemaError(f"plans with different columns cannot be equivalent: {mine}; {theirs}")


def check_same_sources(*plans: Plan) -> None:
    """Raise a SchemaError unless equally named sources have the same columns, in all plans."""
    seen: dict[str, Source] = {}
    for node in (node for plan in plans for node in plan.walk() if isinstance(node, Source)):
        first = seen.setdefault(node.name, node)
        if first.schema != node.schema:
            raise SchemaError(f"source {node.name} is declared in two ways: {show(first)}; {show(node)}")
