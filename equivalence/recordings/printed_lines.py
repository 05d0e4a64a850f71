"""What Flink's print connector writes: `+I[a, b, c]`, perhaps after the number of a task. Names are given beside it."""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from physical.files.errors import FileError
from semantics.how_many import how_many

LINE: Final = re.compile(r"(?:.*?\d+> )?(?P<op>[+-][IUD])\[(?P<values>.*)\]")
NULL: Final = "null"


def is_printed_line(line: str) -> bool:
    """Is this a row, as the print connector writes it?"""
    return LINE.fullmatch(line) is not None


def as_csv(path: Path, name: str, names: Sequence[str], into: Path) -> Path:
    """The same rows as CSV, with the operations in a column op; every line must be a row."""
    with into.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_MINIMAL)
        writer.writerow(["op", *names])
        writer.writerows(_rows(path, name, names))
    return into


def _rows(path: Path, name: str, names: Sequence[str]) -> Iterator[list[str]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            found = LINE.fullmatch(line.rstrip("\r\n"))
            if found is None:
                problem = f"{line.strip()[:60]!r} is no row"
                raise FileError(name, problem, "rows as +I[a, b, c]", place=f"line {number}")
            values = found["values"].split(", ")
            if len(values) != len(names):
                problem = f"{how_many(len(values), 'value')}, and --columns names {len(names)}: {', '.join(names)}"
                raise FileError(name, problem, how_many(len(names), "value"), place=f"line {number}")
            yield [found["op"], *("" if value == NULL else value for value in values)]
