"""Our types and Arrow's, and values of those that are more than numbers and texts, both ways and without loss."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pyarrow as pa

from physical.columns.arrow_buffers import numbers, validity
from physical.columns.column import LONGEST_IN_64_BITS, ColumnVector, from_values
from physical.kernels.types import Bools, Ints
from semantics import SchemaError
from semantics.decimals import LARGEST_PRECISION
from semantics.temporal import MonthInterval
from semantics.types import Type, array_of, decimal, row_of
from semantics.value import Value, conform

_PLAIN: Final = {
    Type.INT: pa.int64(),
    Type.FLOAT: pa.float64(),
    Type.BOOL: pa.bool_(),
    Type.STR: pa.string(),
    Type.TIMESTAMP: pa.timestamp("us"),
    Type.DATE: pa.date32(),
    Type.TIME: pa.time64("us"),
    Type.DAY_INTERVAL: pa.duration("us"),
    Type.MONTH_INTERVAL: pa.string(),
}
"""Parquet has no months, so they are written as text."""


def arrow_type(type_: Type) -> pa.DataType:
    """What Arrow calls a type.

    >>> arrow_type(array_of(decimal(10, 2)))
    ListType(list<item: decimal128(10, 2)>)
    """
    if type_.sizes is not None:
        return pa.decimal128(*type_.sizes)
    if type_.element is not None:
        return pa.list_(arrow_type(type_.element))
    if type_.fields is not None:
        return pa.struct([(name, arrow_type(field)) for name, field in type_.fields])
    return _PLAIN[type_]


def type_from_arrow(type_: Any) -> Type | None:
    """What we call a type of Arrow; None if it has values that are none of ours.

    >>> type_from_arrow(pa.timestamp("ns", "UTC")), type_from_arrow(pa.decimal128(10, 2)), type_from_arrow(pa.binary())
    (TIMESTAMP, DECIMAL(10, 2), None)
    """
    plain = next((ours for ours, fits in _TESTS.items() if fits(type_)), None)
    if plain is not None:
        return plain
    if pa.types.is_decimal(type_):
        fits = 0 <= type_.scale <= type_.precision <= LARGEST_PRECISION
        return decimal(type_.precision, type_.scale) if fits else None
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        element = type_from_arrow(type_.value_type)
        return None if element is None else array_of(element)
    return _row_type(type_) if pa.types.is_struct(type_) else None


def _row_type(type_: Any) -> Type | None:
    fields = [(field.name, type_from_arrow(field.type)) for field in type_]
    known = [(name, field) for name, field in fields if field is not None]
    return row_of(*known) if known and len(known) == len(fields) == len({name for name, _ in known}) else None


def is_text_dictionary(type_: Any) -> bool:
    return bool(pa.types.is_dictionary(type_) and pa.types.is_string(type_.value_type))


_TESTS: Final = {
    Type.INT: pa.types.is_integer,
    Type.FLOAT: pa.types.is_floating,
    Type.BOOL: pa.types.is_boolean,
    Type.STR: lambda t: pa.types.is_string(t) or pa.types.is_large_string(t) or is_text_dictionary(t),
    Type.TIMESTAMP: pa.types.is_timestamp,
    Type.DATE: pa.types.is_date,
    Type.TIME: pa.types.is_time,
    Type.DAY_INTERVAL: pa.types.is_duration,
}


def typed_column(name: str, chunks: pa.ChunkedArray, type_: Type) -> ColumnVector:
    """A column of points in time, spans, decimals, arrays or rows; what is finer than our types is an error."""
    try:
        array = _one(chunks.cast(arrow_type(type_)))
    except pa.ArrowInvalid as error:
        reason = str(error).splitlines()[0]
        raise SchemaError(f"from_arrow: column {name} must be {type_.name}, got {chunks.type}: {reason}") from None
    valid = validity(array) if array.null_count else None
    if type_.is_counted:
        width = pa.int32() if type_ is Type.DATE else pa.int64()
        values: Ints = numbers(array.view(width)).astype(np.int64)
        return ColumnVector(type_, values, valid)
    if type_.sizes is not None and type_.sizes[0] <= LONGEST_IN_64_BITS:
        return ColumnVector(type_, _units(array, valid), valid)
    return from_values([conform(value, type_, f"column {name}") for value in array.to_pylist()], type_)


def _one(chunks: pa.ChunkedArray) -> pa.Array:
    return chunks.chunk(0) if chunks.num_chunks == 1 else pa.concat_arrays(chunks.chunks)


def _units(array: pa.Array, valid: Bools | None) -> Ints:
    """Decimals of up to 18 digits as integers of their last digit: the lower half of 128 bits."""
    if not len(array):
        return np.empty(0, np.int64)
    halves = np.frombuffer(array.buffers()[1], np.int64).reshape(-1, 2)
    lower: Ints = halves[array.offset : array.offset + len(array), 0]
    return lower.copy() if valid is None else lower * valid


def typed_array(column: ColumnVector) -> pa.Array:
    """The column as an Arrow array of its own type."""
    type_, wanted = column.type, arrow_type(column.type)
    mask = None if column.valid is None else ~column.valid
    if type_.is_counted and type_ is not Type.MONTH_INTERVAL:
        width = np.int32 if type_ is Type.DATE else np.int64
        return pa.array(column.values.astype(width), mask=mask).view(wanted)
    if type_.sizes is not None and column.words is None:
        halves = np.stack([column.values, column.values >> 63], axis=1)
        known = None if column.valid is None else pa.py_buffer(np.packbits(column.valid, bitorder="little"))
        return pa.Array.from_buffers(wanted, len(column), [known, pa.py_buffer(np.ascontiguousarray(halves))])
    return pa.array([arrow_value(value, type_) for value in column.to_values()], wanted)


def arrow_value(value: Value, type_: Type) -> Any:
    """A value as pyarrow takes it: rows by the names of their fields, months as text."""
    if value is None:
        return None
    if type_ is Type.MONTH_INTERVAL:
        return str(value)
    if type_.element is not None:
        return [arrow_value(part, type_.element) for part in value]  # type: ignore[union-attr]
    if type_.fields is not None:
        return {name: arrow_value(part, field) for part, (name, field) in zip(value, type_.fields, strict=True)}  # type: ignore[arg-type]
    return int(value) if type_.is_counted else value  # type: ignore[arg-type]


def value_from_arrow(value: Any, type_: Type) -> Value:
    """A value of this type, of which Arrow has kept the months as text.

    >>> value_from_arrow(("1-2", None), array_of(Type.MONTH_INTERVAL))
    (MonthInterval('1-2'), None)
    """
    if value is None:
        return None
    if type_ is Type.MONTH_INTERVAL:
        return MonthInterval(value)
    if type_.element is not None:
        return tuple(value_from_arrow(part, type_.element) for part in value)
    if type_.fields is not None:
        return tuple(value_from_arrow(part, field) for part, (_, field) in zip(value, type_.fields, strict=True))
    return value  # type: ignore[no-any-return]  # it is ours already


def kept(there: Type, type_: Type) -> bool:
    """May a column of one type be read as another? Digits must all be kept, which Arrow checks value by value."""
    if there.is_nested or type_.is_nested:
        return there is type_ or arrow_type(there) == arrow_type(type_)
    return there is type_ or (type_.is_decimal and (there.is_decimal or there is Type.INT))


def parsed_column(texts: pa.ChunkedArray, type_: Type, parse: Callable[[str, Type], Value]) -> ColumnVector:
    """A column from texts; each different text is read once. ValueError if one cannot be."""
    listed = texts.to_pylist()
    known = {text: None if text is None else parse(text, type_) for text in dict.fromkeys(listed)}
    return from_values([known[text] for text in listed], type_)
