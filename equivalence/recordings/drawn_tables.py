"""Tables as people copy them from a terminal: Flink's SQL client, Spark's console sink, psql, ksqlDB's command line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from semantics import SnapeqError
from semantics.how_many import how_many

RULE: Final = re.compile(r"\s*[+|]?-{2,}[-+|]*\s*")
"""A line that only separates."""
WINDOW: Final = re.compile(r"[{\[(]\s*(?P<start>[^,]+?)\s*,\s*(?P<end>[^,]+?)\s*[}\])]")
"""Spark's column `window`, which holds two times."""
NULLS: Final = frozenset({"null", "<null>", "(null)"})
CUT_OFF: Final = ("...", "…")


def is_table(first_lines: list[str]) -> bool:
    """Do the first lines of a file draw a table?"""
    rules = [i for i, line in enumerate(first_lines) if RULE.fullmatch(line) and "+" in line]
    bars = [line for line in first_lines if "|" in line and not RULE.fullmatch(line)]
    return bool(rules) and bool(bars)


@dataclass
class DrawnTable:
    """Reads a table line by line; the first line with bars has the names."""

    name: str
    names: list[str] = field(default_factory=list)
    _header: list[str] = field(default_factory=list)

    def rows(self, lines: Iterator[str]) -> Iterator[list[str] | None]:
        """One item for every line: the values of a row, or None where there is none."""
        for number, line in enumerate(lines, 1):
            cells = _cells(line)
            if cells is None or cells == self._header:
                yield None
            elif not self._header:
                self._header, self.names = cells, _named(cells)
                yield None
            else:
                yield self._row(cells, number)

    def _row(self, cells: list[str], number: int) -> list[str]:
        where = f"{self.name}, line {number}"
        if len(cells) != len(self._header):
            expected = f"{len(self._header)}: {', '.join(self._header)}"
            raise SnapeqError(f"{where}: {how_many(len(cells), 'value')} in this row of a table; expected {expected}")
        cut = next((cell for cell in cells if cell.endswith(CUT_OFF)), None)
        if cut is not None:
            raise SnapeqError(f"{where}: {cut!r} is cut off; expected whole values: let the engine print wider columns")
        return [value for title, cell in zip(self._header, cells, strict=True) for value in _values(title, cell)]


def _cells(line: str) -> list[str] | None:
    """The cells of a line; None if it is no row."""
    if "|" not in line or RULE.fullmatch(line):
        return None
    text = line.strip()
    inner = text.removeprefix("|").removesuffix("|") if text.startswith("|") else line.rstrip("\r\n")
    return [cell.strip() for cell in inner.split("|")]


def _is_window(title: str) -> bool:
    return title.lower() == "window"


def _named(cells: list[str]) -> list[str]:
    return [
        name for title in cells for name in (("window_start", "window_end") if _is_window(title) else (title.lower(),))
    ]


def _values(title: str, cell: str) -> list[str]:
    if _is_window(title):
        found = WINDOW.fullmatch(cell)
        return ["", ""] if found is None else [found["start"], found["end"]]
    return ["" if cell.lower() in NULLS else cell]
