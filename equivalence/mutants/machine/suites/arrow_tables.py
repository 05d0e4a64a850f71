"""Streams from and to Arrow tables, in all layouts that a table may have: chunks, slices, narrow types, dictionaries."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import pyarrow as pa

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.situation import choose_case_in
from equivalence.cases.situations import CATALOGUE_OF_NEW_TYPES, SITUATIONS
from equivalence.mutants.machine.suites.canonical_form import two_streams
from equivalence.mutants.machine.trial import Trial
from physical.columns.arrow import END, START, from_arrow, to_arrow
from physical.columns.arrow_types import arrow_type, arrow_value
from physical.columns.stream import PhysicalStream
from semantics import FOREVER, Interval, IntervalStream, Schema, SnapeqError, Type, Value
from semantics.constraint import elements_of

LAYOUTS: Final = ("whole", "chunks", "slices", "no chunks")
TYPES: Final = {
    Type.BOOL: (pa.bool_(),),
    Type.INT: (pa.int64(),),
    Type.FLOAT: (pa.float64(),),
    Type.STR: (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())),
}

TYPED: Final = [s for s in CATALOGUE_OF_NEW_TYPES.values() if Type.MONTH_INTERVAL not in s.types]
"""Months are texts in Arrow, and read as such."""
NARROW: Final = (pa.int8(), pa.int16(), pa.int32())


def arrow_tables(seed: int, size: int) -> Iterator[Trial]:
    """Tables made by pyarrow's own functions, and tables that must be refused."""
    for number in range(size):
        case = _a_table(SeededChoices(f"arrow tables/{seed}/{number}"))
        yield Trial("arrow tables", number, case.wrong)
    for number, (name, table) in enumerate(BAD_TABLES.items()):
        yield Trial("bad arrow tables", number, partial(_accepted, name, table))


def _typed_stream(choices: Choices) -> IntervalStream:
    """A stream with columns of types that Arrow lays out in ways of their own."""
    schema = choices.of(TYPED)
    (stream,) = choose_case_in(choices, SITUATIONS["types"], {"S": schema}).values()
    return IntervalStream(schema, elements_of(stream))


def _a_table(choices: Choices) -> "_Table":
    """A stream, and a table that holds the same."""
    stream = _typed_stream(choices) if choices.chance(1, 3) else two_streams(choices)[0]
    narrow = choices.chance(1, 4) and all(i.start < 2**31 for _, i in stream.elements)
    instants = choices.chance(1, 4)
    if instants:
        stream = IntervalStream(stream.schema, [(row, Interval(i.start, i.start + 1)) for row, i in stream.elements])
    times = pa.int32() if narrow and all(_fits(i) for _, i in stream.elements) else pa.int64()
    arrays = {
        column.name: _array(choices, [row[k] for row, _ in stream.elements], column.type)
        for k, column in enumerate(stream.schema.columns)
    }
    arrays[START] = pa.array([i.start for _, i in stream.elements], times)
    if not instants:
        arrays[END] = pa.array([None if i.end == FOREVER else int(i.end) for _, i in stream.elements], times)
    return _Table(stream, _laid_out(pa.table(arrays), choices), None if instants else END)


def _array(choices: Choices, values: list[Value], type_: Type) -> pa.Array:
    """The values in some type of Arrow that has them all."""
    if type_ not in TYPES:
        return pa.array([arrow_value(value, type_) for value in values], arrow_type(type_))
    if type_ is Type.INT and choices.chance(1, 2) and all(abs(int(value or 0)) < 2**7 for value in values):  # type: ignore[arg-type]
        return pa.array(values, choices.of(NARROW))
    return pa.array(values, choices.of(TYPES[type_]))


def _fits(interval: Interval) -> bool:
    return interval.end == FOREVER or interval.end < 2**31


def _laid_out(table: pa.Table, choices: Choices) -> pa.Table:
    match choices.of(LAYOUTS):
        case "chunks":
            cut = choices.between(0, table.num_rows)
            return pa.concat_tables([table.slice(0, cut), table.slice(cut)])
        case "slices":
            return pa.concat_tables([table.slice(0, 2), table]).combine_chunks().slice(min(2, table.num_rows))
        case "no chunks" if table.num_rows == 0:
            return table.schema.empty_table()
        case _:
            return table


@dataclass(frozen=True)
class _Table:
    stream: IntervalStream
    table: pa.Table
    end: str | None

    def wrong(self) -> str | None:
        read = from_arrow(self.table, end=self.end)
        if _shown(read.to_interval()) != _shown(self.stream):
            return "another stream is read"
        written = to_arrow(PhysicalStream.of(self.stream))
        if not set(self.stream.schema.types) <= set(TYPES):
            again = from_arrow(written).to_interval()
            return None if _shown(again) == _shown(self.stream) else "what is written is read as something else"
        columns = [[_plain(value) for value in column.to_pylist()] for column in written.columns]
        return None if columns == self._columns() else "another table is written"

    def _columns(self) -> list[list[Value]]:
        rows = [
            (*map(_plain, row), i.start, None if i.end == FOREVER else int(i.end)) for row, i in self.stream.elements
        ]
        return [list(column) for column in zip(*rows, strict=True)] or [[]] * (len(self.stream.schema) + 2)


def _plain(value: Value) -> Value:
    """Values that can be compared: NaN is not equal to itself."""
    return repr(value) if isinstance(value, float) else value


def _shown(stream: IntervalStream) -> tuple[Schema, str]:
    return stream.schema, repr(stream.elements)


def _table(**columns: object) -> Callable[[], pa.Table]:
    return lambda: pa.table(columns)


BAD_TABLES: Final[dict[str, Callable[[], pa.Table]]] = {
    "no start": _table(x=[1], _end=[2]),
    "no end": _table(x=[1], _start=[2]),
    "an unknown start": _table(x=[1], _start=pa.array([None], pa.int64()), _end=[2]),
    "times that are no integers": _table(x=[1], _start=[1.0], _end=[2]),
    "a column of another type": _table(x=[b"1"], _start=[1], _end=[2]),
    "an empty interval": _table(x=[1], _start=[2], _end=[2]),
    "disorder": _table(x=[1, 1], _start=[2, 1], _end=[3, 3]),
}


def _accepted(name: str, table: Callable[[], pa.Table]) -> str | None:
    try:
        from_arrow(table())
    except SnapeqError:
        return None
    return f"accepted: {name}"
