"""Rows of a log whose key is not there: NULL is a key, but a field that is left out is a mistake."""

from collections.abc import Sequence
from typing import Any

from equivalence.recordings.part import Part
from equivalence.recordings.places import Place
from equivalence.recordings.recorded_files import RecordedBatch, at
from physical.files.errors import FileError
from physical.files.formats import Format, format_of


def check_keys(batch: RecordedBatch, keys: Sequence[Place], seen: set[Part]) -> None:
    """Raise an error about a row of JSON without its key; a file is read again once, if a key looks like NULL."""
    part = batch.part
    if part in seen or format_of(part.path) is not Format.JSON or not any(at(batch.table, k).null_count for k in keys):
        return
    seen.add(part)
    for line, row in part.located():
        for key in keys:
            if not _has(row, key):
                problem = "there is no such field, and it is part of the key"
                raise FileError(part.name, problem, "the key of every row, or null", place=line, column=".".join(key))


def _has(row: Any, place: Place) -> bool:
    """Is a field there, or something above it NULL?"""
    for name in place:
        if row is None:
            return True
        if not isinstance(row, dict) or name not in row:
            return False
        row = row[name]
    return True
