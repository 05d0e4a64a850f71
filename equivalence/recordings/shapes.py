"""Files as engines, sinks and terminals write them, as plain CSV or JSON Lines; lines keep their numbers."""

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from equivalence.recordings.drawn_tables import DrawnTable, is_table
from equivalence.recordings.json_shapes import LineContext, shape_of
from equivalence.recordings.part import Part
from equivalence.recordings.printed_lines import as_csv, is_printed_line
from physical.files.errors import FileError
from physical.files.formats import Format, check_readable, format_of, has_known_ending
from physical.files.pipes import ending_of
from semantics import SnapeqError

FIRST_LINES: Final = 8
TEXT_ENDINGS: Final = (".txt", ".log", ".out", ".tsv", ".tab", "")
KEY_AND_VALUE: Final = re.compile(r'(?P<key>\{.*\}|"[^"]*"|[^\t{}]*)\t(?P<value>\{.*\}|null)\s*')
"""A line of `kafka-console-consumer --property print.key=true`."""
PROGRESS: Final = "mz_progressed"
NULL_LINE: Final = re.compile(rb"^[ \t\r]*null[ \t\r]*$", re.M)


@dataclass(frozen=True)
class Unwrapping:
    """Turns files into plain ones; the new ones go into a folder."""

    folder: Path
    columns: Sequence[str] | None = None
    """The names of values that have none."""
    key: tuple[str, ...] = ()

    def plain(self, part: Part, number: int) -> Part:
        """A part that can be read as its ending says, with the lines of the given one."""
        check_readable(part.path)
        known = has_known_ending(part.path)
        ending = part.path.suffix.lower() if known else self._shown_ending(part)
        into = self.folder / f"{number}-plain"
        match ending:
            case ".csv" if not known or self.columns is not None:
                return self._text(part, into.with_suffix(".csv"))
            case ".csv" if _has_progress(part.path):
                return self._progressing(part, into.with_suffix(".csv"))
            case ".jsonl" | ".ndjson" | ".json":
                return self._json(self._with_ending(part, into, ".jsonl") if not known else part, into)
            case _:
                return part if known else self._with_ending(part, into, ending)

    def _shown_ending(self, part: Part) -> str:
        """The ending that a file without a known one should have."""
        if part.path.suffix.lower() not in TEXT_ENDINGS and not _is_numbered(part.path):
            endings = ", ".join(ending for format_ in Format for ending in format_.value)
            raise FileError(part.name, f"the ending {part.path.suffix!r} names no format", f"one of {endings}, or none")
        with part.path.open("rb") as file:
            beginning = file.read(1 << 16)
        if beginning.lstrip()[:1] == b"{" and KEY_AND_VALUE.fullmatch(_decoded(beginning.split(b"\n")[0])):
            return ".csv"
        return ending_of(Path("-"), beginning)

    def _with_ending(self, part: Part, into: Path, ending: str) -> Part:
        """The same file under a name that says what it is."""
        link = into.with_name(f"{into.name}-named{ending}")
        link.symlink_to(part.path.resolve())
        return replace(part, path=link)

    def _text(self, part: Part, into: Path) -> Part:
        first = _first_lines(part.path)
        if first and is_printed_line(first[0]):
            if self.columns is None:
                problem, wanted = "printed rows have no names", "--columns a,b,c in the order of the values"
                raise FileError(part.name, problem, f"{wanted}; or CSV or JSON with its ending")
            return replace(part, path=as_csv(part.path, part.name, self.columns, into), header_lines=1)
        if is_table(first):
            return self._table(part, into)
        if first and KEY_AND_VALUE.fullmatch(first[0]):
            return self._keys_and_values(part, into.with_suffix(".jsonl"))
        return self._separated(part, into)

    def _table(self, part: Part, into: Path) -> Part:
        table = DrawnTable(part.name)
        with part.path.open(encoding="utf-8") as lines:
            rows = list(table.rows(lines))
        _write_csv(into, table.names, rows)
        return replace(part, path=into, header_lines=1, shape="the rows of a table that is drawn with |")

    def _keys_and_values(self, part: Part, into: Path) -> Part:
        def records() -> Iterator[str]:
            with part.path.open(encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    found = KEY_AND_VALUE.fullmatch(line)
                    if found is None and line.strip():
                        problem = f"{line.strip()[:60]!r} is no key and value"
                        raise FileError(part.name, problem, "a tab between a key and JSON", place=f"line {number}")
                    yield "" if found is None else json.dumps({"key": found["key"], "value": found["value"]})

        into.write_text("".join(f"{record}\n" for record in records()), encoding="utf-8")
        return self._json(replace(part, path=into), into.with_name(f"{into.stem}-rows"))

    def _separated(self, part: Part, into: Path) -> Part:
        """Values between commas or tabs; without a header if names are given."""
        added = 0 if self.columns is None else 1
        with part.path.open(encoding="utf-8-sig", newline="") as lines, into.open("w", encoding="utf-8") as file:
            if self.columns is not None:
                file.write(",".join(self.columns) + "\n")
            for line in lines:
                file.write(_with_commas(line))
        return replace(part, path=into, header_lines=added)

    def _progressing(self, part: Part, into: Path) -> Part:
        """Without the rows of SUBSCRIBE … WITH (PROGRESS) that only say how far it has come."""
        with part.path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            names = next(rows)
            told = names.index(PROGRESS)
            _write_csv(into, names, (None if row[told : told + 1] in (["t"], ["true"]) else row for row in rows))
        return replace(part, path=into, shape="changes and progress of SUBSCRIBE")

    def _json(self, part: Part, into: Path) -> Part:
        """Rows taken out of what they are wrapped into; a plain file stays as it is."""
        first = _first_object(part.path)
        shape = shape_of(first)
        if shape is None and not _has_null_lines(part.path):
            return part
        context, target = LineContext(self.key), into.with_suffix(".jsonl")
        is_envelope = isinstance(first, dict) and ("after" in first or "payload" in first)
        with part.path.open(encoding="utf-8") as lines, target.open("w", encoding="utf-8") as file:
            for number, line in enumerate(lines, 1):
                try:
                    given = json.loads(line) if line.strip() else None
                    row = given if shape is None else None if given is None else shape.row(given, context)
                except ValueError:
                    file.write(line)
                    continue
                except SnapeqError as error:
                    raise SnapeqError(f"{part.name}, line {number}: {error}") from None
                if row is None and shape is None and line.strip() and not is_envelope:
                    raise FileError(part.name, "null is no object", "one JSON object per line", place=f"line {number}")
                file.write("\n" if row is None else json.dumps(row) + "\n")
        return replace(part, path=target, shape="envelopes and tombstones (null)" if shape is None else shape.name)


def is_wrapped(path: Path) -> bool:
    """Is this JSON whose rows have to be taken out of something first?"""
    return format_of(path) is Format.JSON and shape_of(_first_object(path)) is not None


def _is_numbered(path: Path) -> bool:
    """Flink's parts are called part-0-1, and others that end in a number or an identifier are no endings either."""
    return path.name.startswith("part-")


def _has_progress(path: Path) -> bool:
    return any(PROGRESS in line.split(",") for line in _first_lines(path)[:1])


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", errors="replace")


def _first_lines(path: Path) -> list[str]:
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return [line.rstrip("\r\n") for line in islice(file, FIRST_LINES)]


def _first_object(path: Path) -> Any:
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        first = next((line for line in file if line.strip()), "null")
    try:
        return json.loads(first)
    except ValueError:
        return None


def _has_null_lines(path: Path) -> bool:
    import mmap

    if not path.stat().st_size:
        return False
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return NULL_LINE.search(data) is not None


def _with_commas(line: str) -> str:
    """Tabs as commas, if there are any. PostgreSQL's text format writes NULL as \\N."""
    if "\t" not in line:
        return line
    text = line.rstrip("\r\n")
    values = ["" if value == "\\N" else value for value in text.split("\t")]
    quoted = [f'"{value.replace(chr(34), chr(34) * 2)}"' if "," in value or '"' in value else value for value in values]
    return ",".join(quoted) + line[len(text) :]


def _write_csv(into: Path, names: Sequence[str], rows: Any) -> None:
    with into.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for row in rows:
            if row is None:
                file.write("\n")
            else:
                writer.writerow(row)
