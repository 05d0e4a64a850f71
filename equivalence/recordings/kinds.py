"""What a recorded file shows itself to be. It is never guessed silently: whoever asks says what it was taken for."""

from typing import Final, get_args

import pyarrow as pa

from equivalence.recordings.operations import operation_of
from equivalence.recordings.places import Places, fields
from equivalence.recordings.recorded_files import RecordedFiles, at
from equivalence.recordings.recording import OutputKind
from physical.files.layout import START
from semantics import SnapeqError

KINDS: Final[tuple[OutputKind, ...]] = get_args(OutputKind)


def kind_named(name: str) -> OutputKind:
    """The kind with this name."""
    found = next((kind for kind in KINDS if kind == name), None)
    if found is None:
        raise SnapeqError(f"--as {name}: expected one of: {', '.join(KINDS)}")
    return found


def is_intervals(schema: pa.Schema) -> bool:
    """Does a file hold intervals, as results of `snapeq run` do?"""
    return START in schema.names


def recognised(files: RecordedFiles, schema: pa.Schema, places: Places, *, has_moment: bool) -> tuple[OutputKind, str]:
    """The kind that a file shows, and what shows it; `has_moment` says that --at was given."""
    if places.envelope is not None:
        return "debezium", "it has before and after"
    if places.operation is not None:
        return _changelog(files, schema, places)
    window = places.window_end or places.window_start
    if window is not None:
        return "panes", f"it has {'.'.join(window)}"
    if places.time is not None:
        return "events", f"it has the time {'.'.join(places.time)}, and neither windows nor operations"
    if has_moment:
        return "snapshot", "it has no times, and --at says when"
    there = ", ".join(fields(schema, ()))
    wanted = "_start, window_end, op, or a time column; or --as snapshot --at T"
    raise SnapeqError(f"{files.name}: it shows no time; expected {wanted}; there are: {there}")


def _changelog(files: RecordedFiles, schema: pa.Schema, places: Places) -> tuple[OutputKind, str]:
    """By the operations of the first rows: new values without old ones replace what is there."""
    assert places.operation is not None
    name = ".".join(places.operation)
    first = next(files.batches({places.operation[0]: schema.field(places.operation[0]).type}), None)
    codes = [] if first is None else at(first.table, places.operation).cast(pa.string()).unique().to_pylist()
    found = {operation_of(code) for code in codes}
    if "update" in found or ("update after" in found and "update before" not in found):
        return "upsert", f"{name} has new values without the old ones"
    return "retract", f"it has operations, {name}"
