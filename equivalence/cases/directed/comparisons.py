"""What an expression compares: each operand with the values at and around which the comparison changes."""

from collections.abc import Iterator

from equivalence.cases.directed.around import around, around_pattern
from semantics import Value
from semantics.expression import Comparison, Constant, Expression, In, IsDistinct, Like, children

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
            case In(operand=operand, options=options):
                yield operand, set().union(*map(_near, options))
            case Like(operand=operand, pattern=Constant(value=str() as pattern), escape=escape):
                yield operand, around_pattern(pattern, escape)


def constants(expression: Expression) -> Iterator[Constant]:
    return (part for part in parts(expression) if isinstance(part, Constant))


def _near(expression: Expression) -> set[Value]:
    """Around a constant; and around the constants in an expression, which often are distances."""
    return {value for constant in constants(expression) for value in around(constant.value)}
