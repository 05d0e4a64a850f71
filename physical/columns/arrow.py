"""Physical streams from and to Arrow tables. Numbers without NULL are not copied."""

from typing import Any

import numpy as np
import pyarrow as pa

from physical.columns.arrow_buffers import as_type, from_numbers, from_texts, numbers, texts, validity
from physical.columns.arrow_types import type_from_arrow, typed_array, typed_column
from physical.columns.column import ColumnVector, coded, dtype_of
from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS, Array, Bools, Ints
from semantics import Schema, SchemaError, StreamError, Type
from semantics.schema import Column
from semantics.types import BASIC_TYPES

START, END = "_start", "_end"


def to_arrow(stream: PhysicalStream) -> pa.Table:
    """A table with the stream's columns, `_start` and `_end`; `_end` is null for elements that are valid for ever."""
    arrays = {c.name: _to_array(column) for c, column in zip(stream.schema.columns, stream.columns, strict=True)}
    endless = stream.end == ENDLESS
    arrays[START] = from_numbers(stream.start)
    arrays[END] = from_numbers(stream.end, ~endless if endless.any() else None)
    return pa.table(arrays)


def from_arrow(table: pa.Table, start: str = START, end: str | None = END) -> PhysicalStream:
    """A stream from a table with one or two time columns; all other columns are its rows."""
    return table_stream(table, start, end).checked("from_arrow")


def table_stream(table: pa.Table, start: str, end: str | None) -> PhysicalStream:
    """The same without any check of the intervals and their order."""
    times = [start] if end is None else [start, end]
    missing = [name for name in times if name not in table.column_names]
    if missing:
        raise SchemaError(f"from_arrow: no column {', '.join(missing)}; columns: {', '.join(table.column_names)}")
    names = [name for name in table.column_names if name not in times]
    columns = tuple(from_array(name, table.column(name)) for name in names)
    schema = Schema(tuple(Column(name, column.type) for name, column in zip(names, columns, strict=True)))
    starts = _times(start, table.column(start), None)
    ends = starts + 1 if end is None else _times(end, table.column(end), ENDLESS)
    return PhysicalStream(schema, columns, starts, ends)


def _to_array(column: ColumnVector) -> pa.Array:
    if column.type not in BASIC_TYPES:
        return typed_array(column)
    values = from_numbers(column.values, column.valid)
    return values if column.words is None else pa.DictionaryArray.from_arrays(values, from_texts(column.words))


def from_array(name: str, chunks: pa.ChunkedArray) -> ColumnVector:
    """A column of the type that its values have; the name is for the error if that is none of our types."""
    type_ = _type(name, chunks.type)
    valid = _validity(chunks)
    if type_ is Type.STR:
        return _text(chunks, valid)
    if type_ not in BASIC_TYPES:
        return typed_column(name, chunks, type_)
    wanted = {Type.INT: pa.int64(), Type.FLOAT: pa.float64(), Type.BOOL: pa.bool_()}[type_]
    return ColumnVector(type_, _whole(as_type(chunks, wanted), dtype_of(type_)), valid)


def _whole(chunks: pa.ChunkedArray, type_: type) -> Array:
    """The numbers of all chunks, 0 where there is none."""
    if chunks.num_chunks == 1:
        return numbers(chunks.chunk(0))
    return np.concatenate([np.empty(0, type_), *map(numbers, chunks.chunks)])


def _text(chunks: pa.ChunkedArray, valid: Bools | None) -> ColumnVector:
    """Let Arrow encode the texts, then sort the words: Arrow orders UTF-8 as Python orders text."""
    from pyarrow.compute import array_sort_indices  # takes time to import; numbers do not need it

    plain = chunks.cast(pa.string()) if pa.types.is_dictionary(chunks.type) else chunks
    whole = plain.dictionary_encode().unify_dictionaries().combine_chunks()
    codes = numbers(whole.indices).astype(np.int64)
    if len(whole.dictionary) == 0:
        return coded(np.full(len(codes), "", object), valid)
    order = array_sort_indices(whole.dictionary)
    position = np.empty(len(order), np.int64)
    position[numbers(order)] = np.arange(len(order))
    words = texts(whole.dictionary.take(order))
    return ColumnVector(
        Type.STR, position[codes] if valid is None else np.where(valid, position[codes], 0), valid, words
    )


def _validity(chunks: pa.ChunkedArray) -> Bools | None:
    if chunks.null_count == 0:
        return None
    return np.concatenate([validity(chunk) for chunk in chunks.chunks])


def _type(name: str, type_: Any) -> Type:
    found = type_from_arrow(type_)
    if found is None:
        expected = "integers, floats, booleans, strings, decimals, times, durations, or lists and structs of them"
        raise SchemaError(f"from_arrow: column {name} must be of {expected}, got {type_}")
    return found


def _times(name: str, chunks: pa.ChunkedArray, null: int | None) -> Ints:
    if not pa.types.is_integer(chunks.type):
        raise SchemaError(f"from_arrow: time column {name} must be of integers, got {chunks.type}")
    if chunks.null_count:
        if null is None:
            raise StreamError(f"from_arrow: time column {name} must not be NULL, got {chunks.null_count} NULLs")
        chunks = chunks.cast(pa.int64()).fill_null(null)
    return _whole(as_type(chunks, pa.int64()), np.int64)
