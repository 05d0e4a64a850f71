"""Points in time, spans, decimals, arrays and rows as texts of CSV and JSON; nothing is rounded on the way."""

import json
from decimal import Decimal
from typing import Any

import pyarrow as pa

from physical.columns.arrow import from_array
from physical.columns.column import ColumnVector
from semantics.casts import value_text
from semantics.decimals import from_text
from semantics.notation.json_values import conformed, value_from_json
from semantics.types import BASIC_TYPES, Type
from semantics.value import Value

READ_AS_TEXT = pa.large_string()
"""Columns that are parsed here are read as this; columns of TEXT are read as pa.string()."""


def parsed(text: str, type_: Type) -> Value:
    """The value that a text stands for; ValueError if it stands for none, or would have to be rounded.

    >>> from semantics.types import array_of, decimal
    >>> parsed("12.5", decimal(5, 2)), parsed("[1, null]", array_of(Type.INT))
    (Decimal('12.50'), (1, None))
    """
    if type_.is_nested:
        return value_from_json(json.loads(text, parse_float=Decimal), type_)
    made: Value = from_text(text) if type_.sizes is not None else type_.python(text)
    return conformed(made, type_)


def fits(text: Any, type_: Type) -> bool:
    """Can a field of CSV, or a value of JSON that is no text, be read as this type?"""
    try:
        parsed(plain_text(text), type_)
    except (ValueError, RecursionError):
        return False
    return True


def plain_text(value: Any) -> str:
    """A value of JSON as text that `parsed` reads."""
    return value if isinstance(value, str) else _written(value)


def _written(value: Any) -> str:
    """JSON again, with every digit of its numbers."""
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(name)}: {_written(part)}' for name, part in value.items())}}}"
    return str(value) if isinstance(value, Decimal) else json.dumps(value)


def to_json(value: Value, type_: Type) -> Any:
    """A value as JSON: rows by the names of their fields, everything that JSON lacks as text."""
    if value is None or type_ in BASIC_TYPES:
        return value
    if type_.element is not None:
        return [to_json(part, type_.element) for part in value]  # type: ignore[union-attr]
    if type_.fields is not None:
        return {name: to_json(part, field) for part, (name, field) in zip(value, type_.fields, strict=True)}  # type: ignore[arg-type]
    return value_text(value)


def as_texts(table: pa.Table) -> pa.Table:
    """The table with columns that CSV cannot hold as texts."""
    for i, field in enumerate(table.schema):
        if is_typed(field.type):
            column = from_array(field.name, table.column(i))
            table = table.set_column(i, field.name, pa.array(_texts(column), pa.string()))
    return table


def texts_schema(schema: pa.Schema) -> pa.Schema:
    """The schema of `as_texts`."""
    return pa.schema([(f.name, pa.string() if is_typed(f.type) else f.type) for f in schema])


def is_typed(type_: pa.DataType) -> bool:
    """Is it more than numbers, truth values and texts?"""
    kinds = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_string, pa.types.is_null)
    return not any(kind(type_) for kind in kinds)


def _texts(column: ColumnVector) -> list[str | None]:
    return [None if value is None else _text(value, column.type) for value in column.to_values()]


def _text(value: Value, type_: Type) -> str:
    return json.dumps(to_json(value, type_), ensure_ascii=False) if type_.is_nested else value_text(value)


def json_rows(table: pa.Table) -> list[dict[str, Any]]:
    """The rows of a table as objects of JSON."""
    columns = {}
    for i, field in enumerate(table.schema):
        if is_typed(field.type):
            column = from_array(field.name, table.column(i))
            columns[field.name] = [to_json(value, column.type) for value in column.to_values()]
        else:
            columns[field.name] = table.column(i).to_pylist()
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
