"""Values, elements and columns as JSON, which has neither NaN nor infinities, nor always integers of 64 bits."""

import math
from typing import Final

from semantics.schema import Schema
from semantics.time import FOREVER, End, Interval
from semantics.value import Row, Value

LARGEST_EXACT: Final = 2**53 - 1
"""Readers whose only numbers are doubles, as in JavaScript, read integers exactly up to here."""


def json_element(row: Row, interval: Interval) -> list[object]:
    """An element as its row, its start and its end; an end that never comes is null."""
    return [*map(json_value, row), interval.start, None if interval.end == FOREVER else interval.end]


def json_value(value: Value) -> Value:
    """JSON has no NaN and no infinities: they are written as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def exact_value(value: Value) -> Value:
    """The same, and integers that a reader of doubles would round are written as text, too.

    >>> exact_value(2**53 - 1), exact_value(2**53), exact_value(-(2**63)), exact_value(float("nan"))
    (9007199254740991, '9007199254740992', '-9223372036854775808', 'NaN')
    """
    if type(value) is int and abs(value) > LARGEST_EXACT:
        return str(value)
    return json_value(value)


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
