"""The files of a recording: one, or the parts in a folder; read in batches, whose rows errors can name."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyarrow as pa

from equivalence.recordings.part import Part
from equivalence.recordings.places import Place
from equivalence.recordings.recording import Anomaly
from equivalence.recordings.shapes import Unwrapping
from equivalence.recordings.torn_lines import without_torn_line
from physical.files.errors import FileError
from physical.files.formats import Format, format_of
from physical.files.locate import brief_value, check_quotes, fits_json, fits_text, located_rows, undecodable
from physical.files.pipes import as_files
from physical.files.raw_batches import column_names, raw_batches
from semantics import Type

HIDDEN: Final = (".", "_")
"""Names of a folder's files that are no data: Spark writes _SUCCESS, and checksums that begin with a dot."""


@dataclass(frozen=True)
class RecordedBatch:
    """Some rows of a part; the number of the first one within it."""

    part: Part
    first: int
    table: pa.RecordBatch


@dataclass(frozen=True)
class RecordedFiles:
    """All parts of a recording, in the order of their names."""

    name: str
    parts: tuple[Part, ...]
    anomalies: tuple[Anomaly, ...] = ()

    @property
    def shapes(self) -> tuple[str, ...]:
        """What lines are, where they are not simply rows."""
        return tuple(dict.fromkeys(part.shape for part in self.parts if part.shape is not None))

    def schema(self) -> pa.Schema:
        """The columns of all parts, with the types that their first rows show."""
        found = []
        for part in self.parts:
            with _readable(part):
                found.append(_schema(part))
        self._check_alike(found)
        return _unified([schema for schema in found if schema.names])

    def _check_alike(self, schemas: list[pa.Schema]) -> None:
        """JSON may leave out fields; in other formats a column that only some parts have is a mistake."""
        first: tuple[Part, set[str]] | None = None
        for part, schema in zip(self.parts, schemas, strict=True):
            if format_of(part.path) is Format.JSON:
                continue
            first = first or (part, set(schema.names))
            if set(schema.names) != first[1]:
                problem = f"its columns are {', '.join(schema.names)}"
                raise FileError(part.name, problem, f"those of {first[0].name}: {', '.join(sorted(first[1]))}")

    def batches(self, types: dict[str, pa.DataType]) -> Iterator[RecordedBatch]:
        for part in self.parts:
            first = 0
            with _readable(part):
                for table in _tables(part, types):
                    yield RecordedBatch(part, first, table)
                    first += table.num_rows
                if format_of(part.path) is Format.CSV:
                    check_quotes(part.path)


def _schema(part: Part) -> pa.Schema:
    """As the first rows show it; if they contradict each other, as the first one does."""
    try:
        first = next(_tables(part, {}), None)
        return _empty_schema(part) if first is None else first.schema
    except pa.ArrowInvalid:
        if format_of(part.path) is not Format.JSON:
            raise
        return pa.Table.from_pylist([next(row for _, row in located_rows(part.path))]).schema


def _empty_schema(part: Part) -> pa.Schema:
    """The columns of a file without rows."""
    if format_of(part.path) is Format.PARQUET:
        from pyarrow.parquet import read_schema

        return read_schema(part.path)
    return pa.schema([(name, pa.null()) for name in column_names(part.path)])


def _unified(schemas: list[pa.Schema]) -> pa.Schema:
    """One schema for all; where types contradict each other, that of the first part."""
    try:
        return pa.unify_schemas(schemas, promote_options="permissive") if schemas else pa.schema([])
    except pa.ArrowException:
        return schemas[0]


def _tables(part: Part, types: Any) -> Iterator[pa.RecordBatch]:
    if types or format_of(part.path) is Format.JSON:
        return raw_batches(part.path, types)
    return raw_batches(part.path, dict.fromkeys(column_names(part.path)))


@contextmanager
def recorded_files(
    path: Path, columns: Sequence[str] | None = None, key: tuple[str, ...] | None = None
) -> Iterator[RecordedFiles]:
    """A file, a folder of part files, or a pipe; a last line that breaks off is left out and reported.

    The columns are the names of values without names, the key those of a key without names.
    """
    with as_files(*files_in(path)) as copies, TemporaryDirectory(prefix="snapeq-") as folder:
        unwrapping = Unwrapping(Path(folder), columns, key or ())
        parts = [unwrapping.plain(Part(copy, str(one)), i) for i, (one, copy) in enumerate(copies.items())]
        whole = [without_torn_line(part, Path(folder) / str(i)) for i, part in enumerate(parts)]
        yield RecordedFiles(str(path), tuple(part for part, _ in whole), tuple(a for _, found in whole for a in found))


def files_in(path: Path) -> list[Path]:
    """The file itself, or the files of a folder that are data."""
    if not path.is_dir():
        return [path]
    files = sorted(each for each in path.rglob("*") if each.is_file() and not _is_hidden(each.relative_to(path)))
    if not files:
        raise FileError(path, "this folder holds no files", "CSV, JSON Lines, Parquet or Arrow files")
    return files


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(HIDDEN) for part in path.parts)


@contextmanager
def _readable(part: Part) -> Iterator[None]:
    """Errors of Arrow, and those about a file without its wrapping, as errors about the file that was given."""
    try:
        yield
    except UnicodeDecodeError:
        raise undecodable(part.path).about(part.name) from None
    except FileError as error:
        raise (error.about(part.name) if error.path == part.path else error) from None
    except pa.ArrowException as error:
        problem = f"it cannot be read: {str(error).splitlines()[0]}"
        raise FileError(part.name, problem, "a file as its ending says") from None


def blame(part: Part, wanted: Sequence[tuple[Place, Type]]) -> None:
    """Raise an error about the first value of a file of text that does not fit; return if none is found."""
    if not format_of(part.path).has_lines:
        return
    fits = fits_text if format_of(part.path) is Format.CSV else fits_json
    for line, values in part.located():
        for place, type_ in wanted:
            value = _at(values, place)
            if not fits(value, type_):
                problem = f"{brief_value(value)} does not fit"
                raise FileError(part.name, problem, f"{type_.name} or NULL", place=line, column=".".join(place))


def _at(values: Any, place: Place) -> Any:
    for name in place:
        values = values.get(name) if isinstance(values, dict) else None
    return values


def at(table: pa.RecordBatch, place: Place) -> pa.Array:
    """What stands at a place; NULL where something above it is NULL."""
    from pyarrow import compute

    if place[0] not in table.schema.names:
        return pa.nulls(table.num_rows)
    array: Any = table.column(place[0])
    for name in place[1:]:
        if not pa.types.is_struct(array.type):
            return pa.nulls(table.num_rows)
        array = compute.struct_field(array, name)
    return array
