"""Which built-in functions a plan calls."""

from collections.abc import Iterator

from semantics.expression import Call, Expression, children
from semantics.functions.definition import BuiltIn
from semantics.plan import Plan


def built_ins(expression: Expression) -> Iterator[BuiltIn]:
    """The built-in functions that an expression calls."""
    if isinstance(expression, Call) and isinstance(expression.function, BuiltIn):
        yield expression.function
    for child in children(expression):
        yield from built_ins(child)


def first_built_in(plan: Plan) -> str | None:
    """The name of a built-in function that a plan calls, if there is one."""
    found = (function for node in plan.walk() for e in node.own_expressions for function in built_ins(e))
    return next((function.name for function in found), None)
