"""Some columns of a file as Arrow batches, as they are in the file."""

import csv
import mmap
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from physical.files.errors import FileError
from physical.files.formats import Format, format_of
from physical.files.locate import check_objects, located_rows
from physical.files.typed_texts import READ_AS_TEXT, plain_text

if TYPE_CHECKING:
    from pyarrow import csv as reading

TEXT_BYTES_AT_ONCE = 1 << 21
"""Bytes of text that are read at once."""
ROWS_AT_ONCE = 1 << 16
"""Rows that are read at once from a columnar file."""
MAX_LINE_BYTES = 1 << 26
"""The longest line of JSON, in bytes."""
PERHAPS_NULL = re.compile(rb"(?:\A(?:\xef\xbb\xbf)?|\})[ \t\r\n]*+null")
"""A row of JSON that is null, or a text that looks like one. Arrow crashes if a block begins with such a row."""
Types = Mapping[str, "pa.DataType | None"]
"""The wanted columns and the types of their values; with None, the type is inferred."""


def column_names(path: Path) -> list[str]:
    """The columns that a file has; those of JSON are the fields of its first rows."""
    match format_of(path):
        case Format.CSV:
            return _header(path)
        case Format.JSON:
            return next((batch.schema.names for batch in _json_batches(path, {})), [])
        case Format.PARQUET:
            from pyarrow.parquet import read_schema

            return list(read_schema(path).names)
        case Format.ARROW:
            with _ipc(path) as reader:
                return list(reader.schema.names)


def raw_batches(path: Path, types: Types) -> Iterator[pa.RecordBatch]:
    """The wanted columns in batches of bounded size; raises what pyarrow raises.

    Batches are validated: Arrow checks only for CSV that texts are UTF-8, and for no file that offsets lie within it.
    """
    for batch in _unchecked(path, types):
        batch.validate(full=True)
        yield batch


def _unchecked(path: Path, types: Types) -> Iterator[pa.RecordBatch]:
    match format_of(path):
        case Format.CSV:
            return _csv_batches(path, types)
        case Format.JSON:
            return _json_batches(path, types)
        case Format.PARQUET:
            return _parquet_batches(path, list(types))
        case Format.ARROW:
            return _arrow_batches(path, list(types))


def _header(path: Path) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        names = next(csv.reader(file), [])
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise FileError(
            path, f"two columns are called {twice[0]!r}", "a first line with names that differ", place="line 1"
        )
    return names


def _csv_batches(path: Path, types: Types) -> Iterator[pa.RecordBatch]:
    from pyarrow import csv as reading

    names = _header(path)
    parse = reading.ParseOptions(newlines_in_values=True, ignore_empty_lines=len(names) > 1)
    reader = reading.open_csv(path, reading.ReadOptions(block_size=TEXT_BYTES_AT_ONCE), parse, csv_values(types))
    with reader:
        yield from reader


def csv_values(types: Types) -> "reading.ConvertOptions":
    """How the fields of CSV are read."""
    from pyarrow import csv as reading

    return reading.ConvertOptions(
        include_columns=list(types),
        column_types={name: type_ for name, type_ in types.items() if type_ is not None},
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
        null_values=[""],
        true_values=["true", "TRUE", "True", "1"],
        false_values=["false", "FALSE", "False", "0"],
    )


def _json_batches(path: Path, types: Types) -> Iterator[pa.RecordBatch]:
    from pyarrow import json as reading

    if path.stat().st_size == 0:
        return
    if _perhaps_null(path):
        check_objects(path)
    if READ_AS_TEXT in types.values():
        yield from _objects_as_texts(path, types)
        return
    known = [(name, type_) for name, type_ in types.items() if type_ is not None]
    unexpected = "ignore" if len(known) == len(types) > 0 else "infer"
    parse = reading.ParseOptions(pa.schema(known) if known else None, unexpected_field_behavior=unexpected)
    with reading.open_json(
        path, reading.ReadOptions(block_size=max(TEXT_BYTES_AT_ONCE, _longest_line(path))), parse
    ) as reader:
        for batch in reader:
            yield batch.select([name for name in types if name in batch.schema.names]) if types else batch


def _objects_as_texts(path: Path, types: Types) -> Iterator[pa.RecordBatch]:
    """Rows of JSON with values that are parsed later, as they stand in the file: Arrow would round their numbers."""
    rows = (row for _, row in located_rows(path, exactly=True))
    while some := list(islice(rows, ROWS_AT_ONCE)):
        columns = {name: [row.get(name) for row in some] for name in types}
        yield pa.record_batch({name: _array(columns[name], type_) for name, type_ in types.items()})


def object_names(path: Path) -> list[str]:
    """The fields of the first rows of JSON, whatever their values are."""
    rows = (row for _, row in islice(located_rows(path, exactly=True), ROWS_AT_ONCE))
    return list(dict.fromkeys(name for row in rows for name in row))


def _array(values: list[Any], type_: "pa.DataType | None") -> pa.Array:
    if type_ == READ_AS_TEXT:
        return pa.array([None if v is None else plain_text(v) for v in values], type_)
    return pa.array([float(v) if isinstance(v, Decimal) else v for v in values], type_)


def _perhaps_null(path: Path) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return PERHAPS_NULL.search(data) is not None


def _longest_line(path: Path) -> int:
    """A block size that holds the longest line, guessed from the first one: lines of one file are much alike."""
    with path.open("rb") as file:
        return 4 * len(file.readline(MAX_LINE_BYTES)) + 1


def _parquet_batches(path: Path, names: list[str]) -> Iterator[pa.RecordBatch]:
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path, pre_buffer=False) as file:
        yield from file.iter_batches(ROWS_AT_ONCE, columns=names)


def _arrow_batches(path: Path, names: list[str]) -> Iterator[pa.RecordBatch]:
    with _ipc(path) as reader:
        for batch in _each(reader):
            for first in range(0, batch.num_rows, ROWS_AT_ONCE):
                yield batch.slice(first, ROWS_AT_ONCE).select(names)


def _ipc(path: Path) -> "pa.RecordBatchFileReader | pa.RecordBatchStreamReader":
    try:
        return pa.ipc.open_file(pa.memory_map(str(path)))
    except pa.ArrowInvalid:
        return pa.ipc.open_stream(pa.memory_map(str(path)))


def _each(reader: "pa.RecordBatchFileReader | pa.RecordBatchStreamReader") -> Iterator[pa.RecordBatch]:
    if isinstance(reader, pa.RecordBatchFileReader):
        return (reader.get_batch(i) for i in range(reader.num_record_batches))
    return iter(reader)
