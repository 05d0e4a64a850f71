"""The parts of an expression."""

from collections.abc import Iterator
from typing import assert_never

from semantics.expression.nodes import (
    And,
    Arithmetic,
    Call,
    Case,
    Cast,
    Coalesce,
    Comparison,
    Constant,
    Expression,
    In,
    IsDistinct,
    IsNull,
    Like,
    Negation,
    Not,
    Now,
    Or,
    Ref,
)


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions."""
    match expression:
        case Ref() | Constant() | Now():
            return ()
        case Negation() | Not() | IsNull() | Cast():
            return (expression.operand,)
        case Arithmetic() | Comparison() | And() | Or() | IsDistinct():
            return (expression.left, expression.right)
        case In():
            return (expression.operand, *expression.options)
        case Like():
            return (expression.operand, expression.pattern)
        case Case():
            return (*(part for branch in expression.branches for part in branch), expression.default)
        case Coalesce():
            return expression.operands
        case Call():
            return expression.arguments
        case _:
            assert_never(expression)


def refs(expression: Expression) -> Iterator[Ref]:
    """Every column reference in an expression."""
    if isinstance(expression, Ref):
        yield expression
    for child in children(expression):
        yield from refs(child)


def mentions_now(expression: Expression) -> bool:
    """Does the value depend on the instant, too, and not on the row alone?"""
    return isinstance(expression, Now) or any(map(mentions_now, children(expression)))


def conjuncts(predicate: Expression) -> Iterator[Expression]:
    """The parts of a conjunction; TRUE if and only if all parts are."""
    if isinstance(predicate, And):
        yield from conjuncts(predicate.left)
        yield from conjuncts(predicate.right)
    else:
        yield predicate
