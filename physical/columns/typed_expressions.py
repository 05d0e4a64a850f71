"""Arithmetic, comparisons and casts of decimals, points in time, spans, arrays and rows over columns.

What 64-bit integers can do without leaving their range is done for all rows at once. Everything else is evaluated row
by row, by the reference: so are rows that fail, and errors are the same.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from physical.columns.column import ColumnVector, from_values, is_coded
from physical.kernels.types import Bools, Ints
from semantics import expression as expr
from semantics.expression import Expression, Ref
from semantics.rebuild import with_children
from semantics.temporal import DAY_MICROS, Counted
from semantics.types import Type
from semantics.value import INT_MAX, INT_MIN, Value, promoted_to

LARGEST_EXACT: Final = 2**53
"""Integers up to here are exact as doubles."""
EXACT_POWERS: Final = 22
"""10 to this power is exact as a double."""
Result = tuple[Ints, int, int]
"""Integers, and bounds that none of them is beyond."""


def row_by_row(expression: Expression, operands: Sequence[ColumnVector]) -> ColumnVector:
    """One operator over columns, by the reference; what it evaluates is evaluated for every row."""
    over_columns = with_children(expression, [Ref(i, operand.type) for i, operand in enumerate(operands)])
    rows = zip(*(operand.to_values() for operand in operands), strict=True)
    return from_values([expr.evaluate(over_columns, row) for row in rows], expression.type)


def arithmetic(expression: expr.Arithmetic, left: ColumnVector, right: ColumnVector) -> ColumnVector:
    """Arithmetic that is not between INT and FLOAT."""
    found = _in_integers(expression, left, right)
    return row_by_row(expression, [left, right]) if found is None else found


def negation(expression: expr.Negation, operand: ColumnVector) -> ColumnVector:
    """The negation of decimals and spans."""
    if is_coded(operand.type) or (operand.values == INT_MIN).any():
        return row_by_row(expression, [operand])
    return ColumnVector(operand.type, -operand.values, operand.valid)


def _in_integers(expression: expr.Arithmetic, left: ColumnVector, right: ColumnVector) -> ColumnVector | None:
    """The result in 64-bit integers; None if some row may leave them, or its type has another rule."""
    type_, symbol = expression.type, expression.symbol
    if type_ is Type.FLOAT or is_coded(type_) or is_coded(left.type) or is_coded(right.type):
        return None
    if symbol not in ("+", "-", "*") or {Type.MONTH_INTERVAL, Type.TIME} & {left.type, right.type}:
        return None
    sides = [_bounded(side, symbol, type_) for side in (left, right)]
    known = [side for side in sides if side is not None]
    result = _combined(symbol, *known) if len(known) == 2 else None
    if result is None or not _holds(type_, result):
        return None
    valid = left.valid if right.valid is None else right.valid if left.valid is None else left.valid & right.valid
    values = result[0] if type_ is not Type.DATE else result[0] // DAY_MICROS
    return ColumnVector(type_, values if valid is None else values * valid, valid)


def _bounded(column: ColumnVector, symbol: str, type_: Type) -> Result | None:
    """Its integers in the unit of the result, if they fit: microseconds of days, or the last digit of a decimal."""
    factor = 1
    if column.type is Type.DATE:
        factor = DAY_MICROS
    elif type_.sizes is not None and symbol != "*":
        factor = 10 ** (type_.sizes[1] - _scale(column.type))
    if type_ is Type.DATE and column.type is Type.DAY_INTERVAL and (column.values % DAY_MICROS).any():
        return None
    low, high = int(column.values.min(initial=0)) * factor, int(column.values.max(initial=0)) * factor
    return (column.values * factor, low, high) if low >= INT_MIN and high <= INT_MAX else None


def _scale(type_: Type) -> int:
    return 0 if type_.sizes is None else type_.sizes[1]


def _combined(symbol: str, left: Result, right: Result) -> Result | None:
    exact: Callable[[int, int], int] = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}[symbol]
    ends = [exact(x, y) for x in left[1:] for y in right[1:]]
    low, high = min(ends), max(ends)
    if low < INT_MIN or high > INT_MAX:
        return None
    return {"+": np.add, "-": np.subtract, "*": np.multiply}[symbol](left[0], right[0]), low, high


def _holds(type_: Type, result: Result) -> bool:
    """Has the type a value for every integer between these bounds?"""
    _, low, high = result
    if type_.sizes is not None:
        return bool(max(-low, high) < 10 ** type_.sizes[0])
    if not issubclass(type_.python, Counted):
        return False
    unit = DAY_MICROS if type_ is Type.DATE else 1
    return bool(type_.python.least * unit <= low and high <= type_.python.greatest * unit)


def compared_in_integers(left: ColumnVector, right: ColumnVector) -> tuple[ColumnVector, ColumnVector] | None:
    """Two columns of different types as two whose arrays compare as their values do; None if there is no such form."""
    if is_coded(left.type) or is_coded(right.type):
        return None
    if Type.FLOAT in (left.type, right.type):
        return _both(left, right, _as_floats)
    if {left.type, right.type} == {Type.DATE, Type.TIMESTAMP}:
        return as_type(left, Type.TIMESTAMP), as_type(right, Type.TIMESTAMP)
    scale = max(_scale(left.type), _scale(right.type))
    return _both(left, right, lambda column: _in_units(column, scale))


def _both(
    left: ColumnVector, right: ColumnVector, change: Callable[[ColumnVector], ColumnVector | None]
) -> tuple[ColumnVector, ColumnVector] | None:
    one, other = change(left), change(right)
    return None if one is None or other is None else (one, other)


def _in_units(column: ColumnVector, scale: int) -> ColumnVector | None:
    factor = 10 ** (scale - _scale(column.type))
    low, high = int(column.values.min(initial=0)) * factor, int(column.values.max(initial=0)) * factor
    if low < INT_MIN or high > INT_MAX:
        return None
    return ColumnVector(Type.INT, column.values * factor, column.valid)


def _as_floats(column: ColumnVector) -> ColumnVector | None:
    """Decimals as the nearest doubles: a quotient of two exact doubles is rounded once."""
    if column.type.sizes is None:
        return ColumnVector(Type.FLOAT, column.values.astype(np.float64), column.valid)
    scale = column.type.sizes[1]
    if scale > EXACT_POWERS or (np.abs(column.values) > LARGEST_EXACT).any():
        return None
    return ColumnVector(Type.FLOAT, column.values / 10.0**scale, column.valid)


def as_type(column: ColumnVector, type_: Type) -> ColumnVector:
    """The column in a wider type: an INT as a DECIMAL, a DATE as a TIMESTAMP."""
    if column.type is Type.DATE and type_ is Type.TIMESTAMP:
        return ColumnVector(type_, column.values * DAY_MICROS, column.valid)
    values: list[Value] = [None if v is None else promoted_to(v, type_) for v in column.to_values()]
    return from_values(values, type_)


def cast(expression: expr.Cast, operand: ColumnVector) -> ColumnVector:
    """CAST of a whole column, if integers suffice; else row by row."""
    source, target = operand.type, expression.type
    if source is target:
        return operand
    values = _cast_in_integers(operand, source, target)
    if values is None:
        return row_by_row(expression, [operand])
    return ColumnVector(target, values if operand.valid is None else values * operand.valid, operand.valid)


def _cast_in_integers(operand: ColumnVector, source: Type, target: Type) -> Ints | None:
    if source.is_counted and target is Type.INT:
        return operand.values
    if source is Type.TIMESTAMP and target is Type.DATE:
        return operand.values // DAY_MICROS
    if source is Type.TIMESTAMP and target is Type.TIME:
        return operand.values % DAY_MICROS
    if source is Type.DATE and target is Type.TIMESTAMP:
        return operand.values * DAY_MICROS
    if source is Type.INT and target.is_counted:
        least, greatest = target.python.least, target.python.greatest
        inside: Bools = (operand.values >= least) & (operand.values <= greatest)
        return operand.values if inside.all() else None
    return None
