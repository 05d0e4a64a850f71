"""What a file must hold: its columns, which of them are times, and the unit of time."""

from collections.abc import Collection
from dataclasses import dataclass

import pyarrow as pa

from physical.columns.arrow_types import arrow_type
from physical.files.typed_texts import READ_AS_TEXT
from semantics import Schema, Type
from semantics.expression import Expression
from semantics.types import BASIC_TYPES

START, END, COUNT = "_start", "_end", "_count"


@dataclass(frozen=True)
class Layout:
    """Columns by name. Without a start, a row is valid at every instant; without an end, for one instant."""

    schema: Schema
    start: str | None = None
    end: str | None = None
    count: str | None = None
    """A column with the count of a row; a file may lack it."""
    timestamps: tuple[str, ...] = ()
    """Time columns that are ISO 8601 texts, or timestamps of Arrow."""
    unit: int = 1000
    """Milliseconds per instant, for timestamps."""
    clock: Expression | None = None
    """How the start is computed from the columns; then no column of the file holds it."""

    @property
    def times(self) -> tuple[str, ...]:
        """The columns of the file that are times."""
        start = None if self.clock is not None else self.start
        return tuple(name for name in (start, self.end) if name is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that a file must have."""
        return (*self.schema.names, *self.times)

    def expected(self, name: str) -> str:
        """What a value of this column looks like, in words."""
        if name == self.count:
            return "a whole number from 1 on"
        if name in self.timestamps:
            return "a TIMESTAMP in ISO 8601, such as 2009-04-01T12:00:00Z, or a number since 1970"
        if name in self.times:
            return "an instant, a whole number from 0 on" + (", or nothing for ever" if name == self.end else "")
        return f"{_in_words(self.type_of(name))} or nothing for NULL"

    def type_of(self, name: str) -> Type:
        """The type in which a column is read; timestamps are read as text first."""
        if name in self.timestamps:
            return Type.STR
        return Type.INT if name in (*self.times, self.count) else self.schema.types[self.schema.names.index(name)]

    def arrow_type(self, name: str) -> pa.DataType:
        """As what a column is read from a file of text; what Arrow would round is parsed later."""
        type_ = self.type_of(name)
        return arrow_type(type_) if type_ in BASIC_TYPES else READ_AS_TEXT


def spelled_as(name: str, there: Collection[str]) -> str | None:
    """The column with this name, or the only one that differs from it in nothing but capital letters.

    >>> spelled_as("item", ["ITEM", "price"]), spelled_as("item", ["Item", "ITEM"])
    ('ITEM', None)
    """
    same = [name] if name in there else [other for other in there if other.lower() == name.lower()]
    return same[0] if len(same) == 1 else None


_WORDS = {
    Type.INT: "INT, a whole number of 64 bits,",
    Type.FLOAT: "FLOAT, a number,",
    Type.BOOL: "BOOLEAN, true or false,",
    Type.STR: "TEXT",
}


def _in_words(type_: Type) -> str:
    """A type and what its values look like."""
    if type_ in _WORDS:
        return _WORDS[type_]
    return f"{type_.name}, as JSON," if type_.is_nested else f"{type_.name}, such as {_EXAMPLES.get(type_, '12.50')},"


_EXAMPLES = {
    Type.TIMESTAMP: "2024-01-31 12:30:00",
    Type.DATE: "2024-01-31",
    Type.TIME: "12:30:00",
    Type.DAY_INTERVAL: "1 02:30:00",
    Type.MONTH_INTERVAL: "1-2",
}


def result_layout(schema: Schema) -> Layout:
    """How results are laid out."""
    return Layout(schema, START, END, COUNT)
