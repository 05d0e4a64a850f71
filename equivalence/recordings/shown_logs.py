"""Inputs that show themselves to be logs of changes: they have a column with operations that nobody declared."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

import pyarrow as pa

from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.stream_files import layout
from equivalence.recordings.first_rows import first_rows, operation_column
from equivalence.recordings.operations import Operation
from equivalence.recordings.recording import OutputKind
from physical.files.raw_batches import column_names
from semantics import SnapeqError


def shown_logs(query: QueryOverFiles, files: Mapping[str, Path], said: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """NAME=KIND for each input that nobody said anything about and that is a log, with what shows it."""
    told = {option.partition("=")[0] for option in said}
    for name, path in files.items():
        column = None if name in told else _undeclared_operation(query, name, path)
        if column is not None and (operations := first_rows(path, layout(name, query).names).operations) - {"insert"}:
            kind: OutputKind = "upsert" if replaces(operations) and _has_key(query, name) else "retract"
            yield f"{name}={kind}", f"{path} is taken for a log of changes ({kind}): it has operations, {column}"


def replaces(operations: AbstractSet[Operation]) -> bool:
    """Do new values come without the old ones?"""
    return "update" in operations or ("update after" in operations and "update before" not in operations)


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
