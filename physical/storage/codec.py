"""Items as rows of a table: one column for each column of the schema or, without a schema, one text."""

import json
import math
from collections.abc import Sequence
from typing import Any, Protocol

from physical.storage.database import Database, SQLite, quoted
from semantics import Schema
from semantics.value import NAN, Row, Type, Value


class Codec(Protocol):
    """How items are written."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns, quoted."""

    @property
    def declared(self) -> Sequence[str]:
        """The columns with their types."""

    def encode(self, item: Row) -> list[object]:
        """A value for each column."""

    def decode(self, row: Sequence[Any]) -> Row:
        """The item with these values."""


class TypedCodec:
    """Every value in its own column. SQLite has no NaN, so the text "NaN" stands for it."""

    def __init__(self, schema: Schema, database: Database) -> None:
        self.schema = schema
        self.columns = [quoted(name) for name in schema.names]
        pairs = zip(self.columns, schema.types, strict=True)
        self.declared = [f"{name} {database.types[type_]}".strip() for name, type_ in pairs]
        self._nan: object = "NaN" if isinstance(database, SQLite) else NAN

    def encode(self, item: Row) -> list[object]:
        return [self.encoded(value) for value in item]

    def encoded(self, value: Value) -> object:
        return self._nan if isinstance(value, float) and math.isnan(value) else value

    def decode(self, row: Sequence[Any]) -> Row:
        return tuple(_value(value, type_) for value, type_ in zip(row, self.schema.types, strict=True))


class JsonCodec:
    """Items with any columns, as JSON."""

    columns = ("item",)
    declared = ("item VARCHAR",)

    def encode(self, item: Row) -> list[object]:
        return [json.dumps(item)]

    def decode(self, row: Sequence[Any]) -> Row:
        return tuple(json.loads(row[0]))


def _value(stored: Any, type_: Type) -> Value:
    if stored is None:
        return None
    if type_ is Type.FLOAT:
        return NAN if stored == "NaN" or math.isnan(stored) else float(stored)
    return bool(stored) if type_ is Type.BOOL else stored
