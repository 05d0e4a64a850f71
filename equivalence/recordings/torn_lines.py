"""A writer that is killed leaves half a line behind: the part before it is still judged."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from equivalence.recordings.part import Part
from equivalence.recordings.recording import Anomaly
from physical.files.formats import Format, check_readable, format_of
from physical.files.locate import brief_value

LAST_BYTES: Final = 1 << 20


def without_torn_line(part: Part, copy: Path) -> tuple[Part, list[Anomaly]]:
    """The file without a last line that breaks off, which is an anomaly."""
    check_readable(part.path)
    if not format_of(part.path).has_lines:
        return part, []
    end, line = _last_line(part.path)
    if line is None or not _is_torn(part.path, line):
        return part, []
    with part.path.open("rb") as file:
        number = sum(1 for _ in file) - part.header_lines
    into = copy.with_suffix(part.path.suffix)
    with part.path.open("rb") as file, into.open("wb") as target:
        while file.tell() < end:
            target.write(file.read(min(LAST_BYTES, end - file.tell())))
    anomaly = Anomaly("truncated last line", f"{part.name}, line {number}", brief_value(line.decode(errors="replace")))
    return replace(part, path=into), [anomaly]


def _last_line(path: Path) -> tuple[int, bytes | None]:
    """Where the last line begins, and the line if no line break ends it."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(size - LAST_BYTES, 0))
        tail = file.read()
    line = tail.rpartition(b"\n")[2]
    return size - len(line), line or None


def _is_torn(path: Path, line: bytes) -> bool:
    import json

    if format_of(path) is Format.JSON:
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            return True
        return False
    with path.open("rb") as file:
        header = file.readline()
    return b'"' not in line and line.count(b",") < header.count(b",")
