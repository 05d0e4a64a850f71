"""What a file must hold: its columns, which of them are times, and the unit of time."""

from dataclasses import dataclass

import pyarrow as pa

from semantics import Schema, Type

ARROW_TYPES = {Type.INT: pa.int64(), Type.FLOAT: pa.float64(), Type.BOOL: pa.bool_(), Type.STR: pa.string()}
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

    @property
    def times(self) -> tuple[str, ...]:
        return tuple(name for name in (self.start, self.end) if name is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that a file must have."""
        return (*self.schema.names, *self.times)

    def expected(self, name: str) -> str:
        """What a value of this column looks like, in words."""
        if name == self.count:
            return "a whole number from 1 on"
        if name in self.timestamps:
            return "a TIMESTAMP in ISO 8601, such as 2009-04-01T12:00:00Z"
        if name in self.times:
            return "an instant, a whole number from 0 on" + (", or nothing for ever" if name == self.end else "")
        return f"{_WORDS[self.type_of(name)]} or nothing for NULL"

    def type_of(self, name: str) -> Type:
        """The type in which a column is read; timestamps are read as text first."""
        if name in self.timestamps:
            return Type.STR
        return Type.INT if name in (*self.times, self.count) else self.schema.types[self.schema.names.index(name)]

    def arrow_type(self, name: str) -> pa.DataType:
        return ARROW_TYPES[self.type_of(name)]


_WORDS = {
    Type.INT: "INT, a whole number of 64 bits,",
    Type.FLOAT: "FLOAT, a number,",
    Type.BOOL: "BOOLEAN, true or false,",
    Type.STR: "TEXT",
}


def result_layout(schema: Schema) -> Layout:
    """How results are laid out."""
    return Layout(schema, START, END, COUNT)
