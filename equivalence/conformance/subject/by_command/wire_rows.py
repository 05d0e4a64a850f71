"""Rows and times in an answer, each checked against the columns that it must have.

An integer may come as a number or as text, because JavaScript rounds numbers beyond 2⁵³. A float may come as a number,
as an integer, or as one of the texts "NaN", "Infinity" and "-Infinity".
"""

import math
import re
from typing import Final

from equivalence.verdicts.fault_kind import Fault, FaultKind
from semantics import FOREVER, Row, Schema, SnapeqError, Type, Value
from semantics.how_many import how_many
from semantics.notation.json_values import value_from_json
from semantics.types import BASIC_TYPES
from semantics.value import brief, conform

SPECIAL_FLOATS: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,19}")


def wire_parts(item: object, size: int, form: str, where: str) -> list[object]:
    """A list of exactly this many items."""
    if not isinstance(item, list) or len(item) != size:
        raise Fault(FaultKind.WRONG_SCHEMA, f"{where} must be {form}, so {how_many(size, 'item')}, got {brief(item)}")
    return item


def wire_row(values: list[object], schema: Schema, where: str) -> Row:
    """A row of these columns."""
    return tuple([wire_value(v, c.type, f"{where}: {c.name}") for v, c in zip(values, schema.columns, strict=True)])


def wire_value(value: object, type_: Type, where: str) -> Value:
    """A value of this type, or the Fault that it is none."""
    try:
        return (
            value_from_json(value, type_) if type_ not in BASIC_TYPES else conform(_plain(value, type_), type_, where)
        )
    except ValueError as error:
        raise Fault(FaultKind.WRONG_SCHEMA, f"{where}: {error}") from None
    except SnapeqError as error:
        raise Fault(FaultKind.WRONG_SCHEMA, str(error)) from None


def _plain(value: object, type_: Type) -> object:
    if type_ is Type.INT and isinstance(value, str) and WHOLE_NUMBER.fullmatch(value):
        return int(value)
    if type_ is Type.FLOAT and isinstance(value, str):
        return SPECIAL_FLOATS.get(value, value)
    if type_ is Type.FLOAT and type(value) is int:
        return _nearest_double(value)
    return value


def _nearest_double(value: int) -> float:
    """JavaScript writes 1e20 with all its digits, so that an integer of any size may stand for a double."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def wire_time(value: object, where: str) -> int:
    """An instant."""
    time = wire_whole(value, where)
    if time < 0:
        raise Fault(FaultKind.INVALID_INTERVAL, f"{where} must be an instant ≥ 0, got {brief(value)}")
    return time


def wire_whole(value: object, where: str) -> int:
    """A whole number of 64 bits."""
    number = _plain(value, Type.INT)
    if type(number) is not int or not -(2**63) <= number < 2**63:
        raise Fault(FaultKind.INVALID_INTERVAL, f"{where} must be a whole number, got {brief(value)}")
    return number


def wire_span(start: object, end: object, where: str) -> tuple[int, float]:
    """A start and an end after it; null is for ever."""
    begin = wire_time(start, f"{where}: start")
    stop = FOREVER if end is None else wire_time(end, f"{where}: end")
    if stop <= begin:
        raise Fault(FaultKind.INVALID_INTERVAL, f"{where} is valid in [{begin}, {stop}), which holds no instant")
    return begin, stop
