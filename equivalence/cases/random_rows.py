"""Schemas, values and rows.

Values come from small pools. With values from the whole range hardly two rows would ever be equal, and joins,
differences and groups would be tested on nothing. Awkward values (NaN, −0.0, the largest integer, …) are in the pools.
"""

from functools import cache
from itertools import cycle, islice
from typing import Final

from equivalence.cases import typed_values
from equivalence.cases.choices import Choices
from equivalence.cases.typed_values import ValuesByType
from semantics import Column, Row, Schema, Type, Value
from semantics.types import BASIC_TYPES
from semantics.value import INT_MAX, INT_MIN, NAN

_COMMON: Final[dict[Type, list[Value]]] = {
    Type.INT: [0, 1, 2, -1],
    Type.FLOAT: [0.0, 1.0, 0.5, -1.5],
    Type.BOOL: [False, True],
    Type.STR: ["", "a", "b", "a%"],
}
_AWKWARD: Final[dict[Type, list[Value]]] = {
    Type.INT: [INT_MAX, INT_MIN, 2**53 + 1],
    Type.FLOAT: [-0.0, NAN, float("inf"), float("-inf"), 0.1, 1e308, 5e-324],
    Type.BOOL: [],
    Type.STR: ["ä", "A", "a\n", "a\nb"],
}
COMMON_VALUES: Final = ValuesByType({**_COMMON, **typed_values.COMMON}, lambda type_: _common(type_))
AWKWARD_VALUES: Final = ValuesByType({**_AWKWARD, **typed_values.AWKWARD}, lambda type_: _awkward(type_))
TYPES: Final = BASIC_TYPES
COLUMN_NAMES: Final = "xyzuvw"


def _common(type_: Type) -> list[Value]:
    return typed_values.common_decimals(type_) if type_.is_decimal else typed_values.common_parts(type_, COMMON_VALUES)


def _awkward(type_: Type) -> list[Value]:
    return typed_values.awkward_decimals(type_) if type_.is_decimal else []


@cache
def _pool(type_: Type, awkward: bool) -> tuple[Value, ...]:
    """Five parts common values, one part NULL, one part awkward values if there are any; the simplest ones first."""
    rare = (AWKWARD_VALUES[type_] if awkward else []) or COMMON_VALUES[type_]
    return (*islice(cycle(COMMON_VALUES[type_]), 60), *[None] * 12, *islice(cycle(rare), 12))


def choose_value(choices: Choices, type_: Type, awkward: bool) -> Value:
    """A value of this type; one in seven is NULL, and one in seven is awkward if that is wanted."""
    return choices.of(_pool(type_, awkward))


def choose_row(choices: Choices, schema: Schema, awkward: bool) -> Row:
    return tuple([choose_value(choices, column.type, awkward) for column in schema.columns])


class RowGenerator:
    """Generates the rows of one case; one in four repeats an earlier row of any stream, so that rows meet."""

    def __init__(self, choices: Choices, awkward: bool) -> None:
        self._choices = choices
        self._awkward = awkward
        self._known: dict[tuple[Type, ...], list[Row]] = {}

    def of(self, schema: Schema) -> Row:
        known = self._known.setdefault(schema.types, [])
        if known and self._choices.chance(1, 4):
            return self._choices.of(known)
        known.append(choose_row(self._choices, schema, self._awkward))
        return known[-1]


def choose_schema(choices: Choices, max_columns: int) -> Schema:
    width = choices.between(1, min(max_columns, len(COLUMN_NAMES)))
    return Schema(tuple(Column(name, choices.of(TYPES)) for name in COLUMN_NAMES[:width]))
