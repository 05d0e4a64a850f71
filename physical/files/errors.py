"""Errors about files: where something is wrong, what is there, and what was expected."""

from pathlib import Path

from semantics import SnapeqError


class FileError(SnapeqError):
    """A file that cannot be read as the stream that was declared."""

    def __init__(self, path: Path | str, problem: str, expected: str, *, place: str = "", column: str = "") -> None:
        where = ", ".join(part for part in (place, f"column {column}" if column else "") if part)
        self.path, self.column = path, column
        self.said = (problem, expected, place)
        super().__init__(f"{path}: {where}{': ' if where else ''}{problem}; expected {expected}")

    def about(self, path: Path | str) -> "FileError":
        """The same about a file of another name."""
        problem, expected, place = self.said
        return FileError(path, problem, expected, place=place, column=self.column)
