"""Single values: their four types, their identity, and their one total order."""

import math
from enum import Enum
from typing import Any, Final

from semantics.errors import ArithmeticOverflow, TypeMismatch

Value = int | float | bool | str | None
Row = tuple[Value, ...]

NULL: Final = None
NAN: Final = math.nan
INT_MIN: Final = -(2**63)
INT_MAX: Final = 2**63 - 1


class Type(Enum):
    """The type of a column or an expression."""

    __hash__ = object.__hash__  # there is one object of each, and expressions are hashed all the time

    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    STR = "str"

    def __repr__(self) -> str:
        return self.name

    @property
    def is_numeric(self) -> bool:
        return self in (Type.INT, Type.FLOAT)


PYTHON_TYPES: Final[dict[Type, type[Any]]] = {Type.INT: int, Type.FLOAT: float, Type.BOOL: bool, Type.STR: str}


def type_of(value: Value) -> Type | None:
    """The type of a value; NULL has none of its own."""
    for type_, python in PYTHON_TYPES.items():
        if type(value) is python:
            return type_
    return None


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
    return value


def identical_row(row: Row) -> Row:
    """The representative of all rows that count as the same one."""
    return tuple([identical(value) if type(value) is float else value for value in row])


def is_plain(value: object, type_: Type) -> bool:
    """Is it exactly a value of this type as it is stored? Most are, which is quicker seen than put right."""
    if type(value) is not PYTHON_TYPES[type_]:
        return value is NULL
    if type_ is Type.INT:
        return INT_MIN <= value <= INT_MAX  # type: ignore[operator]  # it is an int
    return type_ is not Type.FLOAT or value == value != 0.0


def conform(value: object, type_: Type, where: str) -> Value:
    """Return value as a value of this type (an int may stand for a float), or say why it is none."""
    if value is NULL:
        return NULL
    if type_ is Type.FLOAT and type(value) is int:
        return to_float(value, where)
    python = PYTHON_TYPES[type_]
    if not isinstance(value, python) or (type_ is Type.INT and isinstance(value, bool)):
        raise TypeMismatch(f"{where} must be {type_.name}, got {brief(value)}")
    plain: Value = "".join([value]) if python is str else python(value)  # an enum's str() is its name
    return check_int(plain, where) if type(plain) is int else identical(plain)


def check_int(value: int, where: str) -> int:
    """Return value if it fits into 64 bits."""
    if not INT_MIN <= value <= INT_MAX:
        raise ArithmeticOverflow(f"{where} must fit into 64 bits, got {brief(value)}")
    return value


def to_float(value: int, where: str) -> float:
    """The nearest double of a 64-bit integer."""
    return float(check_int(value, where))


def order(value: Value) -> tuple[int, int | float | str]:
    """The sort key of the total order on values of one type: NULL first, NaN last.

    >>> sorted([2.5, float("nan"), None, -1.0], key=order)
    [None, -1.0, 2.5, nan]
    """
    if value is NULL:
        return (0, 0)
    if isinstance(value, float) and math.isnan(value):
        return (2, 0)
    return (1, value)


def row_order(row: Row) -> tuple[tuple[int, int | float | str], ...]:
    """The sort key of the total order on rows of one schema: column by column."""
    # The key of most values is written out here: every sorted snapshot asks for very many.
    return tuple([(1, value) if value == value and value is not NULL else order(value) for value in row])
