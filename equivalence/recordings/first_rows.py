"""What the first rows of a recording show: its columns and operations, once they are taken out of their wrappings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Final

import pyarrow as pa

from equivalence.recordings.operations import Operation, operation_of
from equivalence.recordings.places import USUAL_NAMES, fields, value_at
from equivalence.recordings.recorded_files import RecordedFiles, files_in, recorded_files
from physical.files.formats import Format
from physical.files.pipes import decompressed, is_compressed, is_pipe
from semantics import SnapeqError

HEAD_BYTES: Final = 1 << 20
"""So much of a file of text is looked at."""
PARTS: Final = 32
"""So many files of a folder."""
ENVELOPES: Final = ("payload", "after", "payload.after")


@dataclass(frozen=True)
class FirstRows:
    """Nothing at all if the rows cannot be read: whoever reads them as a whole says better why."""

    names: tuple[str, ...] = ()
    """All columns, with those of rows in envelopes."""
    operations: frozenset[Operation] = frozenset()
    """What the rows do to others; none if they do not say it."""


def first_rows(
    path: Path, own: Sequence[str], columns: Sequence[str] | None = None, key: tuple[str, ...] | None = None
) -> FirstRows:
    """What a recording shows; `own` are the query's columns, `columns` and `key` as `recorded_files` takes them."""
    if is_pipe(path):
        return FirstRows()
    try:
        with TemporaryDirectory(prefix="snapeq-") as folder:
            parts = [_head(part, Path(folder) / f"{i:04}") for i, part in enumerate(files_in(path)[:PARTS])]
            with recorded_files(Path(folder) if path.is_dir() else parts[0], columns, key) as files:
                return _shown(files, own)
    except (SnapeqError, pa.ArrowException, UnicodeDecodeError, OSError):
        return FirstRows()


def _shown(files: RecordedFiles, own: Sequence[str]) -> FirstRows:
    schema = files.schema()
    inner = [name for envelope in ENVELOPES for name in _inside(schema, envelope)]
    nested = {name: place[0] for name in own if (place := value_at(schema, (), name)) is not None and len(place) > 1}
    outer = [name for name in schema.names if name not in nested.values()]
    names = tuple(dict.fromkeys((*outer, *nested, *inner)))
    column = operation_column(schema.names, {name.lower() for name in own})
    return FirstRows(names, frozenset() if column is None else frozenset(operations_in(files, column)))


def _inside(schema: pa.Schema, envelope: str) -> list[str]:
    outer, *inner = envelope.split(".")
    if outer not in schema.names or (inner and inner[0] not in fields(schema, (outer,))):
        return []
    return fields(schema, (outer, *inner))


def operation_column(names: Sequence[str], own: set[str]) -> str | None:
    """The column that usually holds operations, if it is none of those that belong to the rows."""
    usual = set(USUAL_NAMES["operation"])
    return next((name for name in names if name.lower() in usual and name.lower() not in own), None)


def operations_in(files: RecordedFiles, column: str) -> set[Operation]:
    """The operations of the first rows; none if anything in this column is no operation."""
    first = next(files.batches({column: files.schema().field(column).type}), None)
    codes = [] if first is None else first.table.column(column).cast(pa.string()).unique().to_pylist()
    found = {operation_of(code) for code in codes}
    return {one for one in found if one is not None} if None not in found else set()


def _head(path: Path, folder: Path) -> Path:
    """The first rows of a file, under its name; a file that is not text is there as a whole."""
    folder.mkdir()
    if not is_compressed(path) and (path.suffix.lower() in _COLUMNAR or path.stat().st_size <= HEAD_BYTES):
        return _linked(path, folder / path.name)
    head = folder / (path.stem if is_compressed(path) else path.name)
    with decompressed(path) if is_compressed(path) else path.open("rb") as file, head.open("wb") as target:
        if head.suffix.lower() in _COLUMNAR:
            copyfileobj(file, target)
        else:
            target.writelines(_whole_lines(file.read(HEAD_BYTES)))
    return head


_COLUMNAR: Final = (*Format.PARQUET.value, *Format.ARROW.value)


def _linked(path: Path, link: Path) -> Path:
    link.symlink_to(path.resolve())
    return link


def _whole_lines(text: bytes) -> Iterator[bytes]:
    """All that was read if it is not even one line."""
    yield text[: text.rfind(b"\n") + 1] or text
