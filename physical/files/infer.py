"""The column types of result files, inferred from their values."""

from pathlib import Path

import pyarrow as pa

from physical.columns.arrow_types import type_from_arrow
from physical.files.errors import FileError
from physical.files.formats import check_readable, format_of
from physical.files.layout import COUNT, END, START, Layout
from physical.files.locate import blame, undecodable
from physical.files.raw_batches import column_names, raw_batches
from semantics import Schema, Type
from semantics.result_types import common_type_of
from semantics.schema import Column

Types = dict[str, Type | None]
"""The columns of a file; None where no value shows the type."""

WIDER_TYPES = {Type.INT: Type.FLOAT, Type.FLOAT: Type.STR, Type.BOOL: Type.STR}
"""The type to try next if a value does not fit."""


def inferred(path: Path) -> Types:
    """The columns of an interval file other than times and count; in text files, the first rows show the types."""
    check_readable(path)
    format_of(path)
    try:
        names = column_names(path)
        first = next(raw_batches(path, dict.fromkeys(names)), None)
    except UnicodeDecodeError:
        raise undecodable(path) from None
    except pa.ArrowException as error:
        _blame_shape(path)
        raise FileError(path, f"it cannot be read: {str(error).splitlines()[0]}", "a file as its ending says") from None
    if names or not format_of(path).has_lines:
        _check_times(path, names)
    read = _type if format_of(path).has_lines else _any_type
    found = {} if first is None else {field.name: read(field.type) for field in first.schema}
    return {name: found.get(name) for name in names if name not in (START, END, COUNT)}


def check_columns(path: Path, schema: Schema) -> None:
    """Raise an error unless a file has the columns of a result and no others."""
    there = inferred(path)
    missing, unknown = [n for n in schema.names if n not in there], [n for n in there if n not in schema.names]
    if there and (missing or unknown):
        lacks = [f"there is no column {', '.join(missing)}"] if missing else []
        has = [f"there is a column {', '.join(unknown)}"] if unknown else []
        raise FileError(path, " and ".join(lacks + has), f"the query's columns {', '.join(schema.names)}")


def common_schema(left: Types, right: Types, paths: tuple[Path, Path]) -> Schema:
    """One schema for both files, in the order of the first."""
    left, right = left or dict.fromkeys(right), right or dict.fromkeys(left)
    for name in {**left, **right}:
        if name not in left or name not in right:
            here, there = paths if name in left else paths[::-1]
            raise FileError(there, f"there is no column {name}, but {here} has it", "the same columns in both files")
    if not left:
        raise FileError(paths[0], "there is no column beside times", "at least one more column")
    return Schema(tuple(Column(name, _common(left[name], right[name])) for name in left))


def widened(schema: Schema, error: FileError) -> Schema | None:
    """The schema with a wider type for the column that an error is about, if there is one."""
    types = dict(zip(schema.names, schema.types, strict=True))
    if types.get(error.column) not in WIDER_TYPES:
        return None
    types[error.column] = WIDER_TYPES[types[error.column]]
    return Schema(tuple(Column(name, type_) for name, type_ in types.items()))


def _check_times(path: Path, names: list[str]) -> None:
    missing = [name for name in (START, END) if name not in names]
    if missing:
        problem = f"there is no column {', '.join(missing)}; there are: {', '.join(names) or 'none'}"
        raise FileError(path, problem, f"an interval file with {START} and {END}")


def _common(left: Type | None, right: Type | None) -> Type:
    known = {type_ for type_ in (left, right) if type_ is not None}
    if len(known) == 2 and (common := common_type_of(known)) is not None:
        return common
    return known.pop() if len(known) == 1 else Type.STR


def _type(type_: pa.DataType) -> Type | None:
    if pa.types.is_null(type_):
        return None
    if pa.types.is_integer(type_):
        return Type.INT
    if pa.types.is_floating(type_):
        return Type.FLOAT
    return Type.BOOL if pa.types.is_boolean(type_) else Type.STR


def _any_type(type_: pa.DataType) -> Type | None:
    """What a column of Parquet or Arrow is; texts that only look like dates are texts."""
    return _type(type_) if pa.types.is_null(type_) else type_from_arrow(type_) or Type.STR


def _blame_shape(path: Path) -> None:
    """Raise an error about a malformed line, whatever its values are."""
    blame(path, Layout(Schema((Column(COUNT, Type.STR),))))
