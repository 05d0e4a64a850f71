"""What an expression compares: each operand with the values at and around which the comparison changes."""

from collections.abc import Iterator

from equivalence.cases.directed.around import around, around_pattern
from semantics import Value
from semantics.expression import (
    NUMERIC_TYPES,
    Arithmetic,
    Comparison,
    Constant,
    Expression,
    In,
    IsDistinct,
    Like,
    children,
    refs,
)

Compared = tuple[Expression, set[Value]]
"""An expression, and values that matter to it."""


def parts(expression: Expression) -> Iterator[Expression]:
    """The expression and all its subexpressions."""
    yield expression
    for child in children(expression):
        yield from parts(child)


def compared(expression: Expression) -> Iterator[Compared]:
    """Every operand of a comparison in the expression, with what it is compared with."""
    for part in parts(expression):
        match part:
            case Comparison(left=left, right=right) | IsDistinct(left=left, right=right):
                yield left, _near(right)
                yield right, _near(left)
                yield from _difference(left, right)
            case In(operand=operand, options=options):
                yield operand, set().union(*map(_near, options))
            case Like(operand=operand, pattern=Constant(value=str() as pattern), escape=escape):
                yield operand, around_pattern(pattern, escape)


def _difference(left: Expression, right: Expression) -> Iterator[Compared]:
    """Of two numbers that both depend on a row, the difference is compared with 0."""
    both_vary = any(True for _ in refs(left)) and any(True for _ in refs(right))
    if both_vary and left.type in NUMERIC_TYPES:
        yield Arithmetic("-", left, right), {-1, 0, 1}


def constants(expression: Expression) -> Iterator[Constant]:
    return (part for part in parts(expression) if isinstance(part, Constant))


def _near(expression: Expression) -> set[Value]:
    """Around a constant; and around the constants in an expression, which often are distances."""
    return {value for constant in constants(expression) for value in around(constant.value)}
