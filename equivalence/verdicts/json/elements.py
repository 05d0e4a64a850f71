"""Rows, elements, streams and snapshots in a JSON document, each checked against the schema it must have."""

import math
from typing import Final, TypeGuard

from equivalence.verdicts.json.reading import DocumentError, read_choice, read_items, read_list, read_number
from semantics import FOREVER, Interval, IntervalStream, Multiset, RawStream, Row, Schema, SnapeqError, Stream, Type
from semantics.notation.json_values import value_from_json
from semantics.stream import IntervalElement
from semantics.types import BASIC_TYPES
from semantics.value import Value, brief, conform, is_plain

MOST_ELEMENTS: Final = 10_000
_FLOATS: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def read_elements(value: object, where: str, schema: Schema) -> list[IntervalElement]:
    """Elements in any order."""

    def element(item: object, place: str) -> IntervalElement:
        parts = read_items(item, place, len(schema) + 2)
        if len(parts) != len(schema) + 2:
            raise DocumentError(f"{place}: expected a row ({schema}), a start and an end, got {brief(parts)}")
        return read_row(parts[:-2], place, schema), _interval(parts[-2], parts[-1], place)

    return read_list(value, where, element, MOST_ELEMENTS)


def read_stream(value: object, where: str, schema: Schema, raw: bool) -> Stream:
    elements = read_elements(value, where, schema)
    try:
        if not raw:
            return IntervalStream(schema, elements)
        return RawStream(schema, [(row, _chronon(interval, where)) for row, interval in elements])
    except DocumentError:
        raise
    except SnapeqError as error:
        raise DocumentError(f"{where}: {error}") from None


def _interval(start: object, end: object, where: str) -> Interval:
    begin = read_number(start, f"{where}: start", 2**62)
    stop = FOREVER if end is None else read_number(end, f"{where}: end", 2**62)
    if stop <= begin:
        raise DocumentError(f"{where}: expected an end after the start {begin}, or null, got {stop}")
    return Interval(begin, stop)


def _chronon(interval: Interval, where: str) -> int:
    if interval.end != interval.start + 1:
        raise DocumentError(f"{where}: expected elements of one instant in a raw stream, got {interval}")
    return interval.start


def read_snapshot(value: object, where: str, schema: Schema, at_most: int = MOST_ELEMENTS) -> Multiset:
    def row(item: object, place: str) -> Row:
        return read_row(read_items(item, place, len(schema)), place, schema)

    return Multiset(read_list(value, where, row, at_most))


def read_row(values: list[object], where: str, schema: Schema) -> Row:
    if len(values) != len(schema):
        raise DocumentError(f"{where}: expected values of {schema}, got {brief(values)}")
    pairs = zip(values, schema.columns, strict=True)
    return tuple([v if _is_plain(v, c.type) else _value(v, c.type, f"{where}: {c.name}") for v, c in pairs])


def _is_plain(value: object, type_: Type) -> TypeGuard[Value]:
    """Is it stored as it is written? Only floats need a closer look."""
    return type_ is not Type.FLOAT and is_plain(value, type_)


def _value(value: object, type_: Type, where: str) -> Value:
    """A value of this type; floats that JSON has not come as text, and so do decimals and times."""
    if type_ not in BASIC_TYPES:
        try:
            return value_from_json(value, type_)
        except ValueError as error:
            raise DocumentError(f"{where}: {error}") from None
    if type_ is Type.FLOAT and isinstance(value, str):
        return _FLOATS[read_choice(value, where, _FLOATS)]
    if isinstance(value, float) and not math.isfinite(value):
        raise DocumentError(f"{where}: expected a number that is a double, got one that is too large")
    try:
        return conform(value, type_, where)
    except SnapeqError as error:
        raise DocumentError(str(error)) from None
