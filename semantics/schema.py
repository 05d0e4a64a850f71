"""Schemas: ordered, named, typed columns; rows are checked against them once, on the way in."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from semantics.errors import SchemaError, StreamError
from semantics.how_many import how_many
from semantics.value import Row, Type, brief, conform, is_plain, type_in_python


@dataclass(frozen=True, slots=True)
class Column:
    """A name and a type; any column may hold NULL."""

    name: str
    type: Type

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise SchemaError(f"Column: name must be a non-empty text, got {self.name!r}")
        if not isinstance(self.type, Type):
            expected = "a Type such as INT, FLOAT, BOOL, STR"
            raise SchemaError(f"Column: type of {self.name!r} must be {expected}, got {self.type!r}")


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a stream.

    >>> Schema.of(item=int, price=float).names
    ('item', 'price')
    """

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns:
            raise SchemaError("Schema: at least one column is needed, got none")
        twice = [name for name, n in Counter(self.names).items() if n > 1]
        if twice:
            raise SchemaError(f"Schema: column names must differ, got {', '.join(twice)} more than once in: {self}")

    @classmethod
    def of(cls, /, **types: Type | type) -> "Schema":
        """Columns from keywords, with a Type or Python's int, float, bool, str, datetime, date, time, timedelta."""
        return cls(tuple(Column(name, as_type(type_, name)) for name, type_ in types.items()))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([column.name for column in self.columns])

    @property
    def types(self) -> tuple[Type, ...]:
        return tuple([column.type for column in self.columns])

    def __len__(self) -> int:
        return len(self.columns)

    def __str__(self) -> str:
        return ", ".join(f"{column.name} {column.type.name}" for column in self.columns)

    def index(self, name: str, where: str) -> int:
        """The position of the column with this name."""
        if name not in self.names:
            raise SchemaError(f"{where}: unknown column {name!r}; columns: {self}")
        return self.names.index(name)

    def fits(self, row: Row) -> bool:
        """Has every value of a row exactly the type of its column, or is it NULL?"""
        if len(row) != len(self.columns):
            return False
        return all([v is None or type(v) is c.type.python for v, c in zip(row, self.columns, strict=True)])

    def row(self, values: Iterable[object], where: str = "row") -> Row:
        """The values as a row of this schema, or a message that names the column that does not fit."""
        listed = isinstance(values, tuple) or (isinstance(values, Sequence) and not isinstance(values, str))
        row: tuple[Any, ...] | None = tuple(values) if listed else None
        if row is None or len(row) != len(self.columns):
            raise StreamError(f"{where} must have {how_many(len(self), 'value')} ({self}), got {brief(values)}")
        pairs = zip(row, self.columns, strict=True)
        return tuple([v if is_plain(v, c.type) else conform(v, c.type, f"{where}: column {c.name}") for v, c in pairs])


def as_type(type_: Type | type, name: str) -> Type:
    """A Type, given as itself or as the Python type of its values."""
    found = type_ if isinstance(type_, Type) else type_in_python(type_)
    if found is None:
        expected = "a Type, or one of int, float, bool, str, datetime, date, time, timedelta"
        raise SchemaError(f"Column: type of {name!r} must be {expected}, got {type_!r}")
    return found
