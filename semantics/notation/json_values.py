"""Values, elements and columns as JSON, which has neither NaN nor infinities, nor always integers of 64 bits."""

import math
from decimal import Decimal
from typing import Any, Final

from semantics.casts import value_text
from semantics.decimals import from_text
from semantics.errors import SnapeqError
from semantics.schema import Schema
from semantics.temporal import Counted
from semantics.time import FOREVER, End, Interval
from semantics.types import Type
from semantics.value import Row, Value, conform

SPECIAL_FLOATS: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
LARGEST_EXACT: Final = 2**53 - 1
"""Readers whose only numbers are doubles, as in JavaScript, read integers exactly up to here."""


def json_element(row: Row, interval: Interval) -> list[object]:
    """An element as its row, its start and its end; an end that never comes is null."""
    return [*map(json_value, row), interval.start, None if interval.end == FOREVER else interval.end]


def json_value(value: Value) -> Value:
    """JSON has no NaN, no infinities, no decimals and no times: they are written as text; ARRAY and ROW as lists."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, tuple):
        return tuple(map(json_value, value))
    return value_text(value) if isinstance(value, Decimal | Counted) else value


def exact_value(value: Value) -> Value:
    """The same, and integers that a reader of doubles would round are written as text, too.

    >>> exact_value(2**53 - 1), exact_value(2**53), exact_value(-(2**63)), exact_value(float("nan"))
    (9007199254740991, '9007199254740992', '-9223372036854775808', 'NaN')
    """
    if type(value) is int and abs(value) > LARGEST_EXACT:
        return str(value)
    return tuple(map(exact_value, value)) if isinstance(value, tuple) else json_value(value)


def exact_time(time: End | None) -> Value:
    """An instant or a number of them; null is for ever, and for what is not there."""
    return None if time is None or time == FOREVER else exact_value(int(time))


def exact_element(row: Row, interval: Interval) -> list[object]:
    """An element as its row, its start and its end, with exact integers."""
    return [*map(exact_value, row), exact_time(interval.start), exact_time(interval.end)]


def json_columns(schema: Schema) -> list[list[str]]:
    """The name and the type of each column.

    >>> from semantics import Schema
    >>> json_columns(Schema.of(x=int, s=str))
    [['x', 'int'], ['s', 'str']]
    """
    return [[column.name, column.type.value] for column in schema.columns]


def value_from_json(value: Any, type_: Type) -> Value:
    """What `json_value` writes, as a value of a type; ValueError if it is none. Rows may be lists or objects.

    >>> from semantics.types import array_of, decimal
    >>> value_from_json(["1.50", None], array_of(decimal(5, 2))), value_from_json("NaN", Type.FLOAT)
    ((Decimal('1.50'), None), nan)
    """
    if value is None:
        return None
    if type_.element is not None:
        return tuple([value_from_json(part, type_.element) for part in _instance(value, list, type_)])
    if type_.fields is not None:
        return _row_from_json(value, type_)
    if type_.sizes is not None:
        return conformed(from_text(value) if isinstance(value, str) else value, type_)
    if type_.is_counted:
        return conformed(type_.python(_instance(value, str, type_)), type_)
    if type_ is Type.FLOAT and isinstance(value, str):
        value = SPECIAL_FLOATS.get(value, value)
    return conformed(float(value) if isinstance(value, Decimal) else value, type_)


def _row_from_json(value: Any, type_: Type) -> Value:
    fields = type_.fields or ()
    if isinstance(value, list) and len(value) == len(fields):
        return tuple([value_from_json(part, field) for part, (_, field) in zip(value, fields, strict=True)])
    named = _instance(value, dict, type_)
    return conformed({**named, **{name: value_from_json(named.get(name), field) for name, field in fields}}, type_)


def _instance(value: Any, kind: type, type_: Type) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"expected {type_.name}, got {value!r}")
    return value


def conformed(value: object, type_: Type) -> Value:
    """A value of the type, or a ValueError."""
    try:
        return conform(value, type_, "value")
    except SnapeqError as error:
        raise ValueError(str(error)) from None
