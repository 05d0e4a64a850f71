"""What is wrong with a file: where, what is there, what would be right."""

from pathlib import Path

from semantics import SnapeqError


class FileError(SnapeqError):
    """A file that cannot be read as the stream it is said to be."""

    def __init__(self, path: Path | str, problem: str, expected: str, *, place: str = "", column: str = "") -> None:
        where = ", ".join(part for part in (place, f"column {column}" if column else "") if part)
        self.column = column
        super().__init__(f"{path}: {where}{': ' if where else ''}{problem}; expected {expected}")
