"""Physical streams from and to Arrow tables; numbers without NULL are not copied."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from physical.column import DTYPES, Bools, Column, Ints, coded
from physical.stream import ENDLESS, PhysicalStream
from semantics import Schema, SchemaError, StreamError, Type
from semantics.schema import Column as Named

START, END = "_start", "_end"


def to_arrow(stream: PhysicalStream) -> pa.Table:
    """A table with the stream's columns, `_start`, and `_end` (null where it is for ever)."""
    arrays = {c.name: _to_array(column) for c, column in zip(stream.schema.columns, stream.columns, strict=True)}
    endless = stream.end == ENDLESS
    arrays[START] = pa.array(stream.start)
    arrays[END] = pa.array(stream.end, mask=endless if endless.any() else None)
    return pa.table(arrays)


def from_arrow(table: pa.Table, start: str = START, end: str | None = END) -> PhysicalStream:
    """A stream from a table with one time column, or two; all other columns are its rows."""
    return table_stream(table, start, end).checked("from_arrow")


def table_stream(table: pa.Table, start: str, end: str | None) -> PhysicalStream:
    """As from_arrow, whatever the intervals and their order are."""
    times = [start] if end is None else [start, end]
    missing = [name for name in times if name not in table.column_names]
    if missing:
        raise SchemaError(f"from_arrow: no column {', '.join(missing)}; columns: {', '.join(table.column_names)}")
    names = [name for name in table.column_names if name not in times]
    columns = tuple(_from_array(name, table.column(name)) for name in names)
    schema = Schema(tuple(Named(name, column.type) for name, column in zip(names, columns, strict=True)))
    starts = _times(start, table.column(start), None)
    ends = starts + 1 if end is None else _times(end, table.column(end), ENDLESS)
    return PhysicalStream(schema, columns, starts, ends)


def _to_array(column: Column) -> pa.Array:
    missing = None if column.valid is None else ~column.valid
    if column.words is None:
        return pa.array(column.values, mask=missing)
    return pa.DictionaryArray.from_arrays(pa.array(column.values, mask=missing), pa.array(column.words, pa.string()))


def _from_array(name: str, chunks: pa.ChunkedArray) -> Column:
    type_ = _type(name, chunks.type)
    valid = _validity(chunks)
    if type_ is Type.STR:
        return _text(chunks, valid)
    wanted = {Type.INT: pa.int64(), Type.FLOAT: pa.float64(), Type.BOOL: pa.bool_()}[type_]
    array = chunks if chunks.type == wanted else chunks.cast(wanted)
    filled = array if valid is None else pc.fill_null(array, False if type_ is Type.BOOL else 0)
    return Column(type_, filled.to_numpy().astype(DTYPES[type_], copy=False), valid)


def _text(chunks: pa.ChunkedArray, valid: Bools | None) -> Column:
    """Encode by Arrow, then put the words into their order."""
    encoded = chunks if pa.types.is_dictionary(chunks.type) else chunks.dictionary_encode()
    whole = encoded.unify_dictionaries().combine_chunks()
    words = np.array(whole.dictionary.to_pylist(), object) if len(whole) else np.empty(0, object)
    codes = pc.fill_null(whole.indices, 0).to_numpy(zero_copy_only=False).astype(np.int64)
    if len(words) == 0:
        return coded(np.full(len(codes), "", object), valid)
    ordered, positions = np.unique(words, return_inverse=True)
    recoded = positions.astype(np.int64)[codes]
    return Column(Type.STR, recoded if valid is None else np.where(valid, recoded, 0), valid, ordered)


def _validity(chunks: pa.ChunkedArray) -> Bools | None:
    if chunks.null_count == 0:
        return None
    valid: Bools = pc.is_valid(chunks).to_numpy()
    return valid


def _type(name: str, type_: Any) -> Type:
    tests = {
        Type.INT: pa.types.is_integer,
        Type.FLOAT: pa.types.is_floating,
        Type.BOOL: pa.types.is_boolean,
        Type.STR: lambda t: pa.types.is_string(t) or pa.types.is_large_string(t) or _is_text_dictionary(t),
    }
    found = next((ours for ours, fits in tests.items() if fits(type_)), None)
    if found is None:
        raise SchemaError(f"from_arrow: column {name} must be of integers, floats, booleans or strings, got {type_}")
    return found


def _is_text_dictionary(type_: Any) -> bool:
    return bool(pa.types.is_dictionary(type_) and pa.types.is_string(type_.value_type))


def _times(name: str, chunks: pa.ChunkedArray, null: int | None) -> Ints:
    if not pa.types.is_integer(chunks.type):
        raise SchemaError(f"from_arrow: time column {name} must be of integers, got {chunks.type}")
    if chunks.null_count:
        if null is None:
            raise StreamError(f"from_arrow: time column {name} must not be NULL, got {chunks.null_count} NULLs")
        chunks = pc.fill_null(chunks.cast(pa.int64()), null)
    times: Ints = chunks.cast(pa.int64()).to_numpy()
    return times
