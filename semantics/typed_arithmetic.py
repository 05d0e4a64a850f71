"""Arithmetic over decimals, points in time and spans: exact, rounded where the type says so, never silently wrong."""

from decimal import Decimal
from fractions import Fraction
from typing import cast

from semantics import decimals
from semantics.errors import ArithmeticOverflow
from semantics.temporal import DAY_MICROS, Date, DayInterval, MonthInterval, Time, Timestamp, plus_months
from semantics.types import Type
from semantics.value import NULL, Value, brief, check_int


def typed_arithmetic(symbol: str, left: Value, right: Value, type_: Type) -> Value:
    """The value of `left symbol right`, which are not plain numbers both, as a value of the result's type.

    >>> from semantics.types import decimal
    >>> typed_arithmetic("/", Decimal("2.00"), 3, decimal(10, 6))
    Decimal('0.666667')
    >>> typed_arithmetic("*", 3, MonthInterval("0-5"), Type.MONTH_INTERVAL)
    MonthInterval('1-3')
    """
    if type_.sizes is not None:
        found = decimals.exact_arithmetic(symbol, _decimal(left), _decimal(right))
        return NULL if found is NULL else fitting(found, type_, f"{left} {symbol} {right}")
    try:
        return _temporal(symbol, cast(int, left), cast(int, right), type_)
    except (ValueError, OverflowError) as error:
        raise ArithmeticOverflow(f"{left} {symbol} {right}: no {type_.name}: {error}") from None


def fitting(number: Decimal | Fraction, type_: Type, where: str) -> Decimal:
    """A number rounded half up to the scale of a DECIMAL, or an error if it has too many digits."""
    found = decimals.rounded(number, *(type_.sizes or (0, 0)))
    if found is None:
        raise ArithmeticOverflow(f"{where} must fit into {type_.name}, got {brief(number)}")
    return found


def opposite(value: Value) -> Value:
    """The negation of a DECIMAL or a span."""
    if isinstance(value, Decimal):
        return value.copy_negate() if value else value
    if isinstance(value, DayInterval | MonthInterval):
        return type(value)(check_int(-value, f"-({value})"))
    return NULL


def _decimal(value: Value) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(cast(int, value))


def _temporal(symbol: str, left: int, right: int, type_: Type) -> Value:
    if isinstance(right, Timestamp | Date | Time) and symbol == "+":
        left, right = right, left
    sign = -1 if symbol == "-" else 1
    match left, right:
        case Timestamp(), MonthInterval():
            days, micros = divmod(int(left), DAY_MICROS)
            return Timestamp(plus_months(days, sign * right) * DAY_MICROS + micros)
        case Date(), MonthInterval():
            return Date(plus_months(left, sign * right))
        case Date(), DayInterval():
            return Date(int(left) + sign * whole_days(right))
        case Time(), DayInterval():
            return Time((int(left) + sign * right) % DAY_MICROS)
        case ((Timestamp() | Date()), (Timestamp() | Date())):
            return DayInterval(int(Timestamp(left)) - int(Timestamp(right)))
        case _ if symbol == "/":
            return NULL if right == 0 else cast(Value, type_.python(decimals.divided(int(left), int(right))))
        case _ if symbol == "*":
            return cast(Value, type_.python(int(left) * int(right)))
        case _:
            return cast(Value, type_.python(int(left) + sign * int(right)))


def whole_days(interval: int) -> int:
    """The days of a span; a DATE has no hours."""
    if interval % DAY_MICROS:
        raise ValueError(f"{interval} is no whole number of days: CAST the DATE to TIMESTAMP")
    return int(interval) // DAY_MICROS
