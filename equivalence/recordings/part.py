"""One file of a recording, and what its lines are called in messages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from physical.files.formats import format_of
from physical.files.locate import LocatedRow, located_rows


@dataclass(frozen=True)
class Part:
    """A file to read, and the name of the one that was given: they differ where rows had to be unwrapped first."""

    path: Path
    name: str
    header_lines: int = 0
    """Lines that the file to read has and that of this name has not."""
    shape: str | None = None
    """What the lines of the given file are, if they are not simply rows."""

    def located(self) -> Iterator[LocatedRow]:
        """All rows of a file of text, each with its line in the given file."""
        for place, row in located_rows(self.path):
            line = int(place.removeprefix("line ")) - self.header_lines
            yield f"line {line}", row

    def places(self, rows: Sequence[int], first: int = 0) -> dict[int, str]:
        """The lines of some rows, or their numbers in a format without lines; by the number plus `first`."""
        wanted, found = set(rows), {}
        if wanted and format_of(self.path).has_lines:
            last = max(wanted)
            for i, (line, _) in enumerate(self.located()):
                if i in wanted:
                    found[first + i] = f"{self.name}, {line}"
                if i == last:
                    break
        return {first + i: f"{self.name}, row {i + 1}" for i in wanted} | found
