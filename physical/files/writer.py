"""Results into files: in canonical form, and complete or not at all."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, Final, Protocol

import pyarrow as pa

from physical.columns.arrow import to_arrow
from physical.columns.arrow_types import arrow_type
from physical.columns.stream import PhysicalStream
from physical.files.formats import Format, format_of
from physical.files.layout import COUNT, END, START
from physical.files.typed_texts import as_texts, json_rows, texts_schema
from physical.files.whole_file import whole_file
from semantics import Schema

ROWS_PER_TEXT: Final = 1 << 16
"""Rows that become text at once: with Arrow's 1,024 it takes a third longer."""


class TableSink(Protocol):
    """Where tables go."""

    def write(self, table: pa.Table) -> None: ...


class Results:
    """Takes runs with their count as the last column, and counts them."""

    def __init__(self, schema: Schema, sink: TableSink) -> None:
        self.schema = result_schema(schema)
        self.sink = sink
        self.rows = 0

    def take(self, runs: PhysicalStream) -> None:
        if len(runs):
            self.rows += len(runs)
            table = to_arrow(runs).select(self.schema.names)
            self.sink.write(table if table.schema == self.schema else table.cast(self.schema))


def result_schema(schema: Schema) -> pa.Schema:
    """The columns of a result: the query's, then its times and the count."""
    columns = [(column.name, arrow_type(column.type)) for column in schema.columns]
    return pa.schema([*columns, *((name, pa.int64()) for name in (START, END, COUNT))])


@contextmanager
def results_in_file(path: Path, schema: Schema) -> Iterator[Results]:
    """Write a result in canonical form."""
    with table_in_file(path, result_schema(schema)) as sink:
        yield Results(schema, sink)


@contextmanager
def table_in_file(path: Path, schema: pa.Schema) -> Iterator[TableSink]:
    """Write tables to a file, which is there only if all went well."""
    format_ = format_of(path)
    with whole_file(path) as file, _sink(format_, file, schema) as sink:
        yield sink


class CsvText:
    """A result as CSV, written as it comes."""

    def __init__(self, schema: pa.Schema, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._header: bytes | None = _header(schema)

    def begin(self) -> None:
        """Write the header once. It is delayed to the first rows, so that nothing is written if the query fails."""
        if self._header is not None:
            self._write(self._header)
            self._header = None

    def write(self, table: pa.Table) -> None:
        from pyarrow.csv import WriteOptions, write_csv

        self.begin()
        out = pa.BufferOutputStream()
        write_csv(as_texts(table), out, WriteOptions(include_header=False, batch_size=ROWS_PER_TEXT))
        self._write(out.getvalue().to_pybytes())


@contextmanager
def results_as_csv(write: Callable[[bytes], object], schema: Schema) -> Iterator[Results]:
    """Write a result as CSV."""
    sink = CsvText(result_schema(schema), write)
    yield Results(schema, sink)
    sink.begin()


@contextmanager
def results_in_memory(schema: Schema) -> Iterator["ResultsInMemory"]:
    """Keep a small result in memory."""
    yield ResultsInMemory(schema)


class ResultsInMemory(Results):
    """A result in memory."""

    def __init__(self, schema: Schema) -> None:
        self.tables: list[pa.Table] = []
        super().__init__(schema, self)

    def write(self, table: pa.Table) -> None:
        self.tables.append(table)

    def listed(self) -> list[list[Any]]:
        """The rows as Python values."""
        return [list(row.values()) for table in self.tables for row in json_rows(table)]


def _sink(format_: Format, file: IO[bytes], schema: pa.Schema) -> AbstractContextManager[TableSink]:
    match format_:
        case Format.CSV:
            return _csv(file, schema)
        case Format.JSON:
            return _json(file)
        case Format.PARQUET:
            from pyarrow.parquet import ParquetWriter

            parquet: AbstractContextManager[TableSink] = ParquetWriter(file, schema)
            return parquet
        case Format.ARROW:
            arrow: AbstractContextManager[TableSink] = pa.ipc.new_file(file, schema)
            return arrow


@contextmanager
def _csv(file: IO[bytes], schema: pa.Schema) -> Iterator[TableSink]:
    from pyarrow.csv import CSVWriter, WriteOptions

    file.write(_header(schema))
    options = WriteOptions(include_header=False, batch_size=ROWS_PER_TEXT)
    with CSVWriter(file, texts_schema(schema), write_options=options) as writer:
        yield _Texts(writer)


class _Texts:
    """Writes tables whose columns CSV can hold."""

    def __init__(self, writer: TableSink) -> None:
        self.writer = writer

    def write(self, table: pa.Table) -> None:
        self.writer.write(as_texts(table))


def _header(schema: pa.Schema) -> bytes:
    return (",".join(map(_quoted, schema.names)) + "\n").encode()


def _quoted(name: str) -> str:
    """A name, in quotes only if it needs them."""
    escaped = name.replace('"', '""')
    return f'"{escaped}"' if any(c in name for c in ',"\r\n') or name.strip() != name else name


@contextmanager
def _json(file: IO[bytes]) -> Iterator[TableSink]:
    yield _JsonLines(file)


class _JsonLines:
    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def write(self, table: pa.Table) -> None:
        rows = json_rows(table)
        self.file.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
