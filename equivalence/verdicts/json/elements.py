"""Rows, elements, streams and snapshots in a JSON document, each checked against the schema it must have."""

import math
from typing import Final

from equivalence.verdicts.json.reading import DocumentError, a_list, a_number, one_of
from semantics import FOREVER, Interval, IntervalStream, Multiset, RawStream, Row, Schema, SnapeqError, Stream, Type
from semantics.stream import IntervalElement
from semantics.value import Value, brief, conform

MOST_ELEMENTS: Final = 10_000
_FLOATS: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def some_elements(value: object, where: str, schema: Schema) -> list[IntervalElement]:
    """Elements in any order."""

    def element(item: object, place: str) -> IntervalElement:
        parts = a_list(item, place, lambda part, _: part, len(schema) + 2)
        if len(parts) != len(schema) + 2:
            raise DocumentError(f"{place}: expected a row ({schema}), a start and an end, got {brief(parts)}")
        return a_row(parts[:-2], place, schema), _interval(parts[-2], parts[-1], place)

    return a_list(value, where, element, MOST_ELEMENTS)


def a_stream(value: object, where: str, schema: Schema, raw: bool) -> Stream:
    elements = some_elements(value, where, schema)
    try:
        if not raw:
            return IntervalStream(schema, elements)
        return RawStream(schema, [(row, _chronon(interval, where)) for row, interval in elements])
    except DocumentError:
        raise
    except SnapeqError as error:
        raise DocumentError(f"{where}: {error}") from None


def _interval(start: object, end: object, where: str) -> Interval:
    begin = a_number(start, f"{where}: start", 2**62)
    stop = FOREVER if end is None else a_number(end, f"{where}: end", 2**62)
    if stop <= begin:
        raise DocumentError(f"{where}: expected an end after the start {begin}, or null, got {stop}")
    return Interval(begin, stop)


def _chronon(interval: Interval, where: str) -> int:
    if interval.end != interval.start + 1:
        raise DocumentError(f"{where}: expected elements of one instant in a raw stream, got {interval}")
    return interval.start


def a_snapshot(value: object, where: str, schema: Schema, at_most: int = MOST_ELEMENTS) -> Multiset:
    def row(item: object, place: str) -> Row:
        return a_row(a_list(item, place, lambda part, _: part, len(schema)), place, schema)

    return Multiset(a_list(value, where, row, at_most))


def a_row(values: list[object], where: str, schema: Schema) -> Row:
    if len(values) != len(schema):
        raise DocumentError(f"{where}: expected values of {schema}, got {brief(values)}")
    return tuple(_value(v, c.type, f"{where}: {c.name}") for v, c in zip(values, schema.columns, strict=True))


def _value(value: object, type_: Type, where: str) -> Value:
    """A value of this type; floats that JSON has not come as text."""
    if type_ is Type.FLOAT and isinstance(value, str):
        return _FLOATS[one_of(value, where, _FLOATS)]
    if isinstance(value, float) and not math.isfinite(value):
        raise DocumentError(f"{where}: expected a number that is a double, got one that is too large")
    try:
        return conform(value, type_, where)
    except SnapeqError as error:
        raise DocumentError(str(error)) from None
