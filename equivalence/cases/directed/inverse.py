"""Which values a column must have for an expression to take a value: arithmetic, backwards.

`price * 3` is 10000 nowhere, but passes it between 3333 and 3334. What cannot be inverted passes the values on as they
are: a hint that is of no use costs one value in a pool.
"""

from collections.abc import Iterator
from math import ceil, floor, isfinite
from typing import Final

from semantics import Value
from semantics.expression import Arithmetic, Call, Case, Coalesce, Constant, Expression, Negation, Ref, refs

LARGEST_DIVIDEND: Final = 2**53
"""Beyond it a quotient as a float would not be exact."""
Number = int | float
Hint = tuple[int, set[Value]]
"""A column, and values for it."""


def columns_for(expression: Expression, values: set[Value]) -> Iterator[Hint]:
    """Columns of the expression with values that bring it to these values, or just past them.

    >>> from semantics import Type
    >>> tripled = Arithmetic("*", Ref(0, Type.INT), Constant(3, Type.INT))
    >>> [(column, sorted(values)) for column, values in columns_for(tripled, {10000})]
    [(0, [3333, 3333.3333333333335, 3334])]
    """
    match expression:
        case Ref(index=index):
            yield index, values
        case Negation(operand=operand):
            yield from columns_for(operand, {-number for number in _numbers(values)})
        case Arithmetic(left=left, right=Constant(value=value)) if _usable(value):
            yield from columns_for(left, _left_operands(expression.symbol, _numbers(values), value))
        case Arithmetic(left=Constant(value=value), right=right) if _usable(value):
            yield from columns_for(right, _right_operands(expression.symbol, value, _numbers(values)))
        case Arithmetic(left=left, right=right):
            yield from columns_for(left, values)
            yield from columns_for(right, values | {-number for number in _numbers(values)})
        case Case():
            for result in expression.results:
                yield from columns_for(result, values)
        case Coalesce(operands=operands):
            for operand in operands:
                yield from columns_for(operand, values)
        case Call():
            for ref in refs(expression):
                yield ref.index, values
        case _:
            return


def _usable(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value != 0


def _numbers(values: set[Value]) -> list[Number]:
    return [v for v in values if isinstance(v, int | float) and not isinstance(v, bool) and isfinite(v)]


def _left_operands(symbol: str, results: list[Number], right: Value) -> set[Value]:
    """All x near which x ∘ right is one of the results."""
    assert isinstance(right, int | float)
    return {operand for result in results for operand in _left_operand(symbol, result, right)}


def _left_operand(symbol: str, result: Number, right: Number) -> tuple[Number, ...]:
    match symbol:
        case "+":
            return (result - right,)
        case "-":
            return (result + right,)
        case "*":
            return _whole(result, right)
        case "/":
            return (result * right,)
        case _:
            return result, result + right, result - right


def _right_operands(symbol: str, left: Value, results: list[Number]) -> set[Value]:
    """All x near which left ∘ x is one of the results."""
    assert isinstance(left, int | float)
    match symbol:
        case "+" | "*":
            return _left_operands(symbol, results, left)
        case "-":
            return {left - result for result in results}
        case _:
            return {operand for result in results if result for operand in _whole(left, result)}


def _whole(dividend: Number, divisor: Number) -> tuple[Number, ...]:
    """The quotient, and the whole numbers on both sides of it."""
    if abs(dividend) > LARGEST_DIVIDEND:
        return (dividend // divisor,)
    quotient = dividend / divisor
    return (quotient, floor(quotient), ceil(quotient)) if isfinite(quotient) else ()
