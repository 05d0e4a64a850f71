"""Which values a column must have for an expression to take a value: arithmetic, backwards.

`price * 3` is 10000 nowhere, but passes it between 3333 and 3334. Of several columns, one is asked for at a time, and
the others get small numbers. What cannot be inverted is searched (see `crossings`), and passes the values on as they
are, too: a hint that is of no use costs one value in a pool.
"""

from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from math import ceil, floor, isfinite
from typing import Final

from equivalence.cases.directed.crossings import crossings
from equivalence.cases.directed.written_as import written_as
from equivalence.cases.random_rows import COMMON_VALUES
from semantics import Type, Value
from semantics.casts import value_text
from semantics.expression import (
    Arithmetic,
    Call,
    Case,
    Cast,
    Coalesce,
    Constant,
    Expression,
    Negation,
    Ref,
    children,
    refs,
)
from semantics.fold import fold_expression
from semantics.substitute import substitute

LARGEST_DIVIDEND: Final = 2**53
"""Beyond it a quotient as a float would not be exact."""
MOST_DIVISORS: Final = 8
LARGEST_DIVISOR_TRIED: Final = 2_000
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
        case Cast(operand=operand) if operand.type is Type.STR:
            yield from columns_for(operand, {value_text(value) for value in values if value is not None})
        case Cast(operand=operand, type=Type.STR):
            yield from columns_for(operand, written_as(values, operand.type))
        case Cast() | Arithmetic() | Negation() if not _of_plain_numbers(expression):
            yield from _one_at_a_time(expression, values)
        case Negation(operand=operand):
            yield from columns_for(operand, {-number for number in _numbers(values)})
        case Arithmetic(left=left, right=Constant(value=value)) if _usable(value):
            yield from columns_for(left, _left_operands(expression.symbol, _numbers(values), value))
        case Arithmetic(left=Constant(value=value), right=right) if _usable(value):
            yield from columns_for(right, _right_operands(expression.symbol, value, _numbers(values)))
        case Arithmetic(left=left, right=right):
            yield from columns_for(left, values)
            yield from columns_for(right, values | {-number for number in _numbers(values)})
            yield from _one_at_a_time(expression, values)
        case Case():
            for result in expression.results:
                yield from columns_for(result, values)
        case Coalesce(operands=operands):
            for operand in operands:
                yield from columns_for(operand, values)
        case Call():
            for ref in refs(expression):
                yield ref.index, values | _in_other_letters(values) | written_as(values, ref.type)
            yield from _one_at_a_time(expression, values)
        case _:
            return


def _one_at_a_time(expression: Expression, values: set[Value]) -> Iterator[Hint]:
    """Each column of an expression alone, the others set to small numbers, and to one beyond all values for MOD."""
    numbers, columns = _numbers(values), dict.fromkeys(refs(expression))
    if len(columns) == 1:
        yield from ((column.index, crossings(expression, column, numbers)) for column in columns)
        return
    for column in columns if numbers else ():
        for other in (0, 1, floor(min(max(map(abs, numbers)), LARGEST_DIVIDEND)) + 1):
            alone = fold_expression(substitute(expression, partial(_set_to, column, other)))
            yield from columns_for(alone, values)


def _in_other_letters(values: set[Value]) -> set[Value]:
    """Texts in small letters, in capitals, and with a single capital: functions of texts may make them equal."""
    texts = [value for value in values if isinstance(value, str)]
    return {spelled for text in texts for spelled in (text.lower(), text.upper(), text.capitalize())}


def _of_plain_numbers(expression: Expression) -> bool:
    """Is it computed from INT and FLOAT alone, so that it can be computed backwards?"""
    return expression.type.is_numeric and all(child.type.is_numeric for child in children(expression))


def _set_to(column: Ref, number: int, ref: Ref) -> Expression:
    """The column itself, or a value in place of another one."""
    if ref == column:
        return ref
    values: dict[Type, Value] = {Type.INT: number, Type.FLOAT: float(number), Type.BOOL: bool(number), Type.STR: ""}
    return Constant(values.get(ref.type, COMMON_VALUES[ref.type][0]), ref.type)


def _usable(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value != 0


def _numbers(values: set[Value]) -> list[Number]:
    plain = [float(v) if isinstance(v, Decimal) else v for v in values]
    return [v for v in plain if isinstance(v, int | float) and not isinstance(v, bool) and isfinite(v)]


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
        case "MOD":
            return {operand for result in results for operand in _divisors(left, result)}
        case _:
            return {operand for result in results if result for operand in _whole(left, result)}


def _divisors(dividend: Number, remainder: Number) -> list[int]:
    """Some numbers that leave this remainder."""
    tried = range(floor(abs(remainder)) + 1, LARGEST_DIVISOR_TRIED)
    return [divisor for divisor in tried if abs(dividend) % divisor == abs(remainder)][:MOST_DIVISORS]


def _whole(dividend: Number, divisor: Number) -> tuple[Number, ...]:
    """The quotient, and the whole numbers on both sides of it."""
    if abs(dividend) > LARGEST_DIVIDEND:
        return (dividend // divisor,)
    quotient = dividend / divisor
    return (quotient, floor(quotient), ceil(quotient)) if isfinite(quotient) else ()
