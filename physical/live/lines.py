"""Lines of text as elements: CSV or JSON Lines. A line that does not fit is set aside with the reason.

A row may not contain a line break: what has arrived must be decodable without waiting for more.
"""

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from physical.columns.stream import PhysicalStream, joined
from physical.files.decode import Decoder
from physical.files.errors import FileError
from physical.files.layout import Layout
from physical.files.locate import brief_value, fits_json, fits_text
from physical.files.raw_batches import csv_values
from physical.files.typed_texts import READ_AS_TEXT, plain_text
from semantics.how_many import how_many
from semantics.types import BASIC_TYPES

Header = tuple[str, ...] | None
"""The columns of CSV in the order of its fields; None for JSON Lines, where every line names its fields."""
SHOWN_BYTES: Final = 500
"""How much of a line that is too long is shown where bad lines are listed."""


@dataclass(frozen=True)
class BadLine:
    """A line that is no element of its stream, and why."""

    text: str
    reason: str


class Sifted(NamedTuple):
    """What became of lines: elements, the line of each of them, and the lines that are no elements."""

    elements: PhysicalStream
    lines: list[bytes]
    bad: list[BadLine]


@dataclass(frozen=True)
class LineReader(Decoder):
    """Reads the lines of one stream; the path is the name of the stream."""

    max_bytes: int = 1 << 20

    @classmethod
    def of(cls, stream: str, layout: Layout, max_bytes: int) -> "LineReader":
        return cls(Path(stream), layout, max_bytes)

    def error(self, row: int, problem: str, expected: str, column: str = "") -> FileError:  # noqa: ARG002  # the line is shown
        return FileError(self.path, problem, expected, column=column)

    def header(self, line: bytes) -> Header:
        """What the first line says: JSON begins with a brace, and anything else names the columns of CSV."""
        if line.lstrip().startswith(b"{"):
            return None
        text = line.decode("utf-8-sig", "replace").strip("\r\n")
        try:
            names = next(csv.reader([text]), [])
        except csv.Error:  # such as a carriage return in the middle
            names = []
        missing = [name for name in self.layout.names if name not in names]
        if missing or len(set(names)) < len(names):
            problem = f"there is no column {', '.join(missing)}" if missing else "two columns have one name"
            found = f"{problem}; the first line is {brief_value(text)}"
            raise self.error(0, found, f"a line that names {', '.join(self.layout.names)}, or JSON objects")
        return tuple(names)

    def sift(self, text: bytes, header: Header) -> Sifted:
        """The elements of whole lines, and the lines that are none; blank lines do not count."""
        lines = [line for line in text.split(b"\n") if line.strip()]
        decode = self._json if header is None else lambda found: self._csv(found, header)
        return self._sift(lines, decode)

    def _sift(self, lines: list[bytes], decode: Callable[[Sequence[bytes]], PhysicalStream]) -> Sifted:
        """Decode all lines at once; if that fails, each half by itself, until the bad lines are alone."""
        nothing = PhysicalStream.empty(self.layout.schema)
        try:
            return Sifted(decode(lines) if lines else nothing, lines, [])
        except FileError as error:
            if len(lines) == 1:
                reason = str(error).removeprefix(f"{self.path}: ")
                return Sifted(nothing, [], [BadLine(shown(lines[0]), reason)])
        half = len(lines) // 2
        left, right = self._sift(lines[:half], decode), self._sift(lines[half:], decode)
        return Sifted(joined([left.elements, right.elements]), left.lines + right.lines, left.bad + right.bad)

    def _csv(self, lines: Sequence[bytes], names: tuple[str, ...]) -> PhysicalStream:
        from pyarrow import csv as reading

        self._check_lengths(lines)
        block = b"\n".join(lines) + b"\n"
        types = {name: self.layout.arrow_type(name) for name in self.layout.names}
        read = reading.ReadOptions(column_names=list(names), use_threads=False, block_size=len(block) + 1)
        try:
            table = reading.read_csv(BytesIO(block), read, None, csv_values(types))
        except pa.ArrowException as error:
            self._blame(lines[0], names)
            raise self.error(0, str(error).splitlines()[0], "a row of CSV") from None
        if table.num_rows != len(lines) or any(line.count(b'"') % 2 for line in lines):
            raise self.error(0, "a quote is not closed, or a line breaks off", "a row of CSV on one line")
        return self._elements(table)

    def _blame(self, line: bytes, names: tuple[str, ...]) -> None:
        """Say which field of a line does not fit."""
        try:
            values = next(csv.reader([line.decode().strip("\r\n")], strict=True), [""])
        except UnicodeDecodeError:
            raise self.error(0, "this is no text in UTF-8", "text in UTF-8") from None
        except csv.Error as error:
            raise self.error(0, str(error), "CSV with quotes that are closed on their line") from None
        if len(values) != len(names):
            raise self.error(
                0, f"{how_many(len(values), 'field')} for {how_many(len(names), 'column')}", ", ".join(names)
            )
        for name, value in zip(names, values, strict=True):
            if name in self.layout.names and not fits_text(value, self.layout.type_of(name)):
                raise self.error(0, f"{brief_value(value)} does not fit", self.layout.expected(name), name)

    def _json(self, lines: Sequence[bytes]) -> PhysicalStream:
        self._check_lengths(lines)
        rows = [self._object(line) for line in lines]
        arrays = {}
        for name in self.layout.names:
            values = [row.get(name) for row in rows]
            wrong = next((value for value in values if not fits_json(value, self.layout.type_of(name))), None)
            if wrong is not None:
                raise self.error(0, f"{brief_value(wrong)} does not fit", self.layout.expected(name), name)
            arrays[name] = self._array(name, values)
        return self._elements(pa.table(arrays))

    def _array(self, name: str, values: list[Any]) -> pa.Array:
        try:
            type_ = self.layout.arrow_type(name)
            if type_ == READ_AS_TEXT:
                values = [None if value is None else plain_text(value) for value in values]
            return pa.array([float(v) if isinstance(v, Decimal) else v for v in values], type_)
        except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            problem = str(error).splitlines()[0]
            raise self.error(0, problem, self.layout.expected(name), name) from None

    @property
    def _exactly(self) -> bool:
        """Are there values whose digits matter?"""
        return any(type_ not in BASIC_TYPES for type_ in self.layout.schema.types)

    def _object(self, line: bytes) -> dict[str, Any]:
        example = 'a JSON object, such as {"id": 1, "ts": 0}'
        try:
            found = json.loads(line, parse_float=Decimal if self._exactly else float)
        except (ValueError, RecursionError) as error:
            problem = "nested too deeply" if isinstance(error, RecursionError) else getattr(error, "msg", str(error))
            raise self.error(0, f"not JSON: {problem}", example) from None
        if not isinstance(found, dict):
            raise self.error(0, f"{brief_value(found)} is no object", example)
        return found

    def _elements(self, table: pa.Table) -> PhysicalStream:
        return self.batch(table.combine_chunks().to_batches()[0], 0).elements

    def _check_lengths(self, lines: Sequence[bytes]) -> None:
        longest = max(map(len, lines))
        if longest > self.max_bytes:
            raise self.error(0, f"a line of {longest} bytes", f"lines of at most {self.max_bytes} bytes")


def shown(line: bytes) -> str:
    """A line as text, cut if it is very long."""
    text = line[:SHOWN_BYTES].decode("utf-8", "backslashreplace").rstrip("\r\n")
    return text if len(line) <= SHOWN_BYTES else f"{text}…"


class LineCutter:
    """Cuts bytes that arrive in pieces into whole lines; a line that is too long is dropped as it comes, and shown."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._rest = b""
        self._dropping = False

    def feed(self, piece: bytes) -> tuple[bytes, bytes]:
        """The whole lines that are complete now, and the beginning of a line that has become too long."""
        if self._dropping:
            _, end, piece = piece.partition(b"\n")
            self._dropping = not end
        lines, end, self._rest = (self._rest + piece).rpartition(b"\n")
        if len(self._rest) <= self.max_bytes:
            return lines + end, b""
        overlong, self._rest, self._dropping = self._rest[: SHOWN_BYTES + 1], b"", True
        return lines + end, overlong

    def end(self) -> bytes:
        """The last line, if it has no line end."""
        rest, self._rest = self._rest, b""
        return rest + b"\n" if rest else b""
