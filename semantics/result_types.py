"""Which type arithmetic has, and which type values of several types have in common."""

from collections.abc import Iterable
from functools import reduce
from typing import Final, cast

from semantics.decimals import INT_DIGITS, Sizes, common_sizes, result_sizes
from semantics.types import Type, decimal

SUMS: Final = {
    (Type.TIMESTAMP, Type.DAY_INTERVAL): Type.TIMESTAMP,
    (Type.TIMESTAMP, Type.MONTH_INTERVAL): Type.TIMESTAMP,
    (Type.DATE, Type.DAY_INTERVAL): Type.DATE,
    (Type.DATE, Type.MONTH_INTERVAL): Type.DATE,
    (Type.TIME, Type.DAY_INTERVAL): Type.TIME,
    (Type.DAY_INTERVAL, Type.DAY_INTERVAL): Type.DAY_INTERVAL,
    (Type.MONTH_INTERVAL, Type.MONTH_INTERVAL): Type.MONTH_INTERVAL,
}
"""The second may be added to the first, and taken away from it."""
POINTS: Final = ({Type.TIMESTAMP, Type.DATE}, {Type.TIME})
"""Points in time whose difference is a DAY_INTERVAL."""


def arithmetic_type(symbol: str, left: Type, right: Type) -> Type | None:
    """The type of `left symbol right`; None if there is no such operation.

    >>> arithmetic_type("-", Type.TIMESTAMP, Type.TIMESTAMP), arithmetic_type("*", decimal(10, 2), Type.INT)
    (DAY_INTERVAL, DECIMAL(29, 2))
    >>> arithmetic_type("+", Type.INT, Type.STR) is None
    True
    """
    if left.is_numeric and right.is_numeric:
        return Type.INT if symbol != "/" and left is right is Type.INT else Type.FLOAT
    if left.is_number and right.is_number:
        return _decimal_result(symbol, left, right)
    return _temporal_result(symbol, left, right)


def _decimal_result(symbol: str, left: Type, right: Type) -> Type:
    if Type.FLOAT in (left, right):
        return Type.FLOAT
    return decimal(*result_sizes(symbol, sizes(left), sizes(right)))


def sizes(type_: Type) -> Sizes:
    """Precision and scale of a DECIMAL, or of the one that holds every INT."""
    return type_.sizes or (INT_DIGITS, 0)


def _temporal_result(symbol: str, left: Type, right: Type) -> Type | None:
    match symbol:
        case "+":
            return SUMS.get((left, right)) or SUMS.get((right, left))
        case "-" if any(left in points and right in points for points in POINTS):
            return Type.DAY_INTERVAL
        case "-":
            return SUMS.get((left, right))
        case "*" if left is Type.INT and right.is_interval:
            return right
        case "*" | "/" if left.is_interval and right is Type.INT:
            return left
        case _:
            return None


def has_opposite(type_: Type) -> bool:
    """May it be negated?"""
    return type_.is_number or type_.is_interval


def common_type_of(types: Iterable[Type]) -> Type | None:
    """The type that holds values of all these types; None if there is none.

    >>> common_type_of([Type.INT, decimal(10, 2)]), common_type_of([Type.DATE, Type.TIMESTAMP])
    (DECIMAL(21, 2), TIMESTAMP)
    """

    def common(left: Type | None, right: Type | None) -> Type | None:
        return None if left is None or right is None else _common(left, right)

    first, *others = types
    return reduce(common, others, cast("Type | None", first))


def _common(left: Type, right: Type) -> Type | None:
    if left is right:
        return left
    if left.is_number and right.is_number:
        return Type.FLOAT if Type.FLOAT in (left, right) else decimal(*common_sizes(sizes(left), sizes(right)))
    return Type.TIMESTAMP if {left, right} == {Type.DATE, Type.TIMESTAMP} else None
