"""Inputs that show themselves to be logs of changes: they have a column with operations that nobody declared."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa

from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.stream_files import layout
from equivalence.recordings.operations import Operation, operation_of
from equivalence.recordings.places import USUAL_NAMES
from equivalence.recordings.recorded_files import recorded_files
from equivalence.recordings.recording import OutputKind
from physical.files.raw_batches import column_names
from semantics import SnapeqError


def shown_logs(query: QueryOverFiles, files: Mapping[str, Path], said: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """NAME=KIND for each input that nobody said anything about and that is a log, with what shows it."""
    told = {option.partition("=")[0] for option in said}
    for name, path in files.items():
        column = None if name in told else _undeclared_operation(query, name, path)
        if column is not None and (operations := operations_in(path, column)) - {"insert"}:
            kind: OutputKind = "upsert" if replaces(operations) and _has_key(query, name) else "retract"
            yield f"{name}={kind}", f"{path} is taken for a log of changes ({kind}): it has operations, {column}"


def operations_in(path: Path, column: str) -> set[Operation]:
    """The operations of the first rows of a file; none if anything in this column is no operation."""
    with recorded_files(path) as files:
        schema = files.schema()
        first = next(files.batches({column: schema.field(column).type}), None)
    codes = [] if first is None else first.table.column(column).cast(pa.string()).unique().to_pylist()
    found = {operation_of(code) for code in codes}
    return {one for one in found if one is not None} if None not in found else set()


def replaces(operations: set[Operation]) -> bool:
    """Do new values come without the old ones?"""
    return "update" in operations or ("update after" in operations and "update before" not in operations)


def operation_column(names: list[str], own: set[str]) -> str | None:
    """The column that usually holds operations, if it is none of those that belong to the rows."""
    usual = set(USUAL_NAMES["operation"])
    return next((name for name in names if name.lower() in usual and name.lower() not in own), None)


def _undeclared_operation(query: QueryOverFiles, name: str, path: Path) -> str | None:
    declared = layout(name, query)
    try:
        names = column_names(path)
    except (pa.ArrowException, UnicodeDecodeError, SnapeqError):
        return None  # its reader will say better what is wrong with it
    return operation_column(names, {n.lower() for n in declared.names})


def _has_key(query: QueryOverFiles, name: str) -> bool:
    declared, reading = query.declaration(name), query.reading
    keyed = declared is not None and any(c.kind == "PRIMARY KEY" for c in declared.constraints)
    return keyed or (reading is not None and name in reading.input_keys)
