"""Single values: how they are checked, their identity, and their one total order."""

import math
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final, cast

from semantics import decimals
from semantics.errors import ArithmeticOverflow, TypeMismatch
from semantics.temporal import Counted, Timestamp
from semantics.types import PLAIN_TYPES, array_of, decimal
from semantics.types import Type as Type  # everybody asks for it here

Value = int | float | bool | str | Decimal | tuple[Any, ...] | None
"""Points in time and spans are ints; ARRAY and ROW are tuples of values."""
Row = tuple[Value, ...]
"""The values of one element, in the order of the columns."""

NULL: Final = None
"""SQL's NULL is Python's None."""
NAN: Final = math.nan
INT_MIN: Final = -(2**63)
INT_MAX: Final = 2**63 - 1

PYTHON_TYPES: Final[dict[Type, type[Any]]] = {type_: type_.python for type_ in PLAIN_TYPES}
_TYPES: Final = {python: type_ for type_, python in PYTHON_TYPES.items()}
_DATETIMES: Final = {datetime: Type.TIMESTAMP, date: Type.DATE, time: Type.TIME, timedelta: Type.DAY_INTERVAL}


def type_of(value: object) -> Type | None:
    """The type of a value; NULL has none of its own, nor has an array without elements.

    >>> type_of(1), type_of(Decimal("12.50")), type_of((1, None)), type_of(None)
    (INT, DECIMAL(4, 2), ARRAY<INT>, None)
    """
    if isinstance(value, Decimal) and value.is_finite():
        precision, scale = decimals.sizes_of(value)
        return decimal(precision, scale) if precision <= decimals.LARGEST_PRECISION else None
    if isinstance(value, tuple | list):
        elements = {type_of(element) for element in value if element is not NULL}
        (element,) = elements if len(elements) == 1 else (None,)
        return None if element is None else array_of(element)
    return type_in_python(type(value))


def type_in_python(python: object) -> Type | None:
    """The type whose values are of this type in Python."""
    return _TYPES.get(python) or _DATETIMES.get(python)  # type: ignore[call-overload,no-any-return]


def brief(value: object) -> str:
    """A value as a message shows it, however large it is."""
    if isinstance(value, int) and abs(value) >= 10**40:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"


def identical(value: Value) -> Value:
    """The representative of all values that count as the same one: one NaN, one zero.

    Python containers compare by identity before equality, so one shared NaN object equals itself in them.

    >>> (identical(float("nan")),) == (identical(float("nan")),), identical(-0.0)
    (True, 0.0)
    """
    if isinstance(value, float):
        return NAN if math.isnan(value) else value + 0.0
    return identical_row(value) if type(value) is tuple else value


def identical_row(row: Row) -> Row:
    """The representative of all rows that count as the same one."""
    return tuple([identical(value) if type(value) is float or type(value) is tuple else value for value in row])


def is_plain(value: object, type_: Type) -> bool:
    """Is it exactly a value of this type as it is stored? Most are, which is quicker seen than put right."""
    if type(value) is not type_.python:
        return value is NULL
    if type_ is Type.INT:
        return INT_MIN <= value <= INT_MAX  # type: ignore[operator]  # it is an int
    if type_.python is float:
        return value == value != 0.0
    return type_.sizes is None and not type_.is_nested


def conform(value: object, type_: Type, where: str) -> Value:
    """Return value as a value of this type (an int may stand for a float), or say why it is none."""
    if value is NULL:
        return NULL
    if type_.is_counted:
        return _conform_counted(value, type_, where)
    if type_.sizes is not None:
        return _conform_decimal(value, type_, where)
    if type_.is_nested:
        return _conform_nested(value, type_, where)
    if type_ is Type.FLOAT and type(value) is int:
        return to_float(value, where)
    python = type_.python
    if not isinstance(value, python) or isinstance(value, Counted) or (type_ is Type.INT and isinstance(value, bool)):
        raise _mismatch(value, type_, where)
    plain: Value = "".join([value]) if python is str else python(value)  # an enum's str() is its name
    return check_int(plain, where) if type(plain) is int else identical(plain)


def _mismatch(value: object, type_: Type, where: str) -> TypeMismatch:
    return TypeMismatch(f"{where} must be {type_.name}, got {brief(value)}")


def _conform_counted(value: object, type_: Type, where: str) -> Value:
    """The same value, or one of Python's datetime; plain integers and texts need a CAST or a constructor."""
    if type(value) is not type_.python and (isinstance(value, int | str) or not _is_datetime(value, type_)):
        raise _mismatch(value, type_, where)
    try:
        return cast(Value, type_.python(value))
    except (ValueError, OverflowError) as error:
        raise TypeMismatch(f"{where} must be {type_.name}, got {brief(value)}: {error}") from None


def _is_datetime(value: object, type_: Type) -> bool:
    return _DATETIMES.get(datetime if isinstance(value, datetime) else type(value)) is type_


def _conform_decimal(value: object, type_: Type, where: str) -> Decimal:
    """The same number with the digits of its type, which must hold it exactly; rounding takes a CAST."""
    precision, scale = type_.sizes or (0, 0)
    number = Decimal(value) if type(value) is int else value
    if not isinstance(number, Decimal) or not number.is_finite():
        raise _mismatch(value, type_, where)
    fitting = decimals.rounded(number, precision, scale)
    if fitting is None or fitting != number:
        raise _mismatch(value, type_, where)
    return fitting


def _conform_nested(value: object, type_: Type, where: str) -> Value:
    if type_.element is not None:
        if not isinstance(value, tuple | list):
            raise _mismatch(value, type_, where)
        return tuple([conform(element, type_.element, f"{where}: element") for element in value])
    fields = type_.fields or ()
    names = [name for name, _ in fields]
    parts = tuple(map(value.get, names)) if isinstance(value, Mapping) and set(value) <= set(names) else value
    if not isinstance(parts, tuple | list) or len(parts) != len(fields):
        raise _mismatch(value, type_, where)
    pairs = zip(parts, fields, strict=True)
    return tuple([conform(part, field, f"{where}: field {name}") for part, (name, field) in pairs])


def promoted_to(value: Value, type_: Type) -> Value:
    """A value of a type as one of a wider type: an INT as a FLOAT or DECIMAL, a DATE as a TIMESTAMP.

    >>> promoted_to(2, decimal(5, 2)), promoted_to(Decimal("2.50"), Type.FLOAT), promoted_to(2, Type.INT)
    (Decimal('2.00'), 2.5, 2)
    """
    if value is NULL or (type(value) is type_.python and type_.sizes is None):
        return value
    if type_ is Type.FLOAT:
        return float(cast(int, value))
    if type_ is Type.TIMESTAMP:
        return Timestamp(value)
    return value if type_.sizes is None else _widened(value, type_)


def _widened(value: Any, type_: Type) -> Decimal:
    """A number as a DECIMAL that holds all it meets; where 38 digits do not suffice, those behind the point go."""
    found = decimals.rounded(Decimal(value), *(type_.sizes or (0, 0)))
    if found is None:
        raise ArithmeticOverflow(f"{value} must fit into {type_.name}")
    return found


def check_int(value: int, where: str) -> int:
    """Return value if it fits into 64 bits."""
    if not INT_MIN <= value <= INT_MAX:
        raise ArithmeticOverflow(f"{where} must fit into 64 bits, got {brief(value)}")
    return value


def to_float(value: int, where: str) -> float:
    """The nearest double of a 64-bit integer."""
    return float(check_int(value, where))


def order(value: Value) -> tuple[int, Any]:
    """The sort key of the total order on values of one type: NULL first, NaN last; arrays and rows part by part.

    >>> sorted([2.5, float("nan"), None, -1.0], key=order)
    [None, -1.0, 2.5, nan]
    """
    if value is NULL:
        return (0, 0)
    if isinstance(value, float) and math.isnan(value):
        return (2, 0)
    return (1, row_order(value) if type(value) is tuple else value)


def row_order(row: Row) -> tuple[tuple[int, Any], ...]:
    """The sort key of the total order on rows of one schema: column by column."""
    # The key of most values is written out here: every sorted snapshot asks for very many.
    return tuple(
        [
            (1, value) if value == value and value is not NULL and type(value) is not tuple else order(value)
            for value in row
        ]
    )
