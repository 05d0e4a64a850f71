"""The four formats; the ending of a file says which one it has."""

from enum import Enum
from pathlib import Path

from physical.files.errors import FileError


class Format(Enum):
    """A format and the endings that mean it."""

    CSV = (".csv",)
    JSON = (".jsonl", ".ndjson", ".json")
    PARQUET = (".parquet",)
    ARROW = (".arrow", ".feather", ".ipc")

    @property
    def has_lines(self) -> bool:
        return self in (Format.CSV, Format.JSON)


def has_known_ending(path: Path) -> bool:
    """Does the ending of a file name a format?"""
    return any(path.suffix.lower() in format_.value for format_ in Format)


def format_of(path: Path) -> Format:
    """The format that a file's ending names."""
    found = next((format_ for format_ in Format if path.suffix.lower() in format_.value), None)
    if found is None:
        endings = ", ".join(ending for format_ in Format for ending in format_.value)
        raise FileError(path, f"the ending {path.suffix!r} names no format", f"one of {endings}")
    return found


def check_readable(path: Path) -> None:
    """Raise an error unless there is such a file and it may be read."""
    if not path.exists():
        raise FileError(path, "there is no such file", "a CSV, JSON Lines, Parquet or Arrow file")
    if path.is_dir():
        raise FileError(
            path, "this is a folder", "a CSV, JSON Lines, Parquet or Arrow file; --engine spark takes folders"
        )
    with path.open("rb"):
        return
