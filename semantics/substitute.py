"""Expressions with their column references replaced: how a predicate moves from one place of a plan to another."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from semantics.aggregate import Aggregate, arguments_of, with_arguments
from semantics.expression import Expression, Ref, children

Replacement = Callable[[Ref], Expression]


def substitute(expression: Expression, replacement: Replacement) -> Expression:
    """The expression with every reference replaced.

    >>> from semantics import Type
    >>> from semantics.expression import IsNull
    >>> substitute(IsNull(Ref(0, Type.INT)), lambda ref: Ref(ref.index + 2, ref.type))
    IsNull(operand=Ref(index=2, type=INT))
    """
    if isinstance(expression, Ref):
        return replacement(expression)
    if not children(expression):
        return expression
    parts = {field.name: getattr(expression, field.name) for field in fields(expression)}
    return type(expression)(**{name: _replaced(part, replacement) for name, part in parts.items()})


def substitute_in_aggregate(aggregate: Aggregate, replacement: Replacement) -> Aggregate:
    """The aggregate with the references of its arguments replaced."""
    return with_arguments(aggregate, [substitute(argument, replacement) for argument in arguments_of(aggregate)])


def shifted(expression: Expression, by: int) -> Expression:
    """The expression over rows in which its columns stand this many positions further right."""
    return substitute(expression, lambda ref: Ref(ref.index + by, ref.type))


def _replaced(part: Any, replacement: Replacement) -> Any:
    """An operand, or operands in tuples of tuples; everything else stays."""
    if isinstance(part, Expression):
        return substitute(part, replacement)
    if isinstance(part, tuple):
        return tuple(_replaced(inner, replacement) for inner in part)
    return part
