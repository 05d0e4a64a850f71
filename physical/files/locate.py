"""A second, slow pass over a text file with an error, to find the line and the column.

Arrow reads fast but does not say where a value is wrong. So only a file with an error is read twice.
"""

import csv
import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from physical.files import typed_texts
from physical.files.errors import FileError
from physical.files.formats import Format, format_of
from physical.files.layout import Layout, spelled_as
from semantics import Type
from semantics.how_many import how_many
from semantics.types import BASIC_TYPES

BYTES_FOR_QUOTES: Final = 1 << 18
"""So many bytes stay in the cache while quotes are counted."""

LocatedRow = tuple[str, dict[str, Any]]
"""The place of a row, and its values by column."""


def place_of(path: Path, row: int) -> str:
    """The place of the row with this number: its line, or its number in a file without lines."""
    if not format_of(path).has_lines:
        return f"row {row + 1}"
    try:
        return next((place for i, (place, _) in enumerate(located_rows(path)) if i == row), f"row {row + 1}")
    except (FileError, UnicodeDecodeError):
        return f"row {row + 1}"


def blame(path: Path, layout: Layout) -> None:
    """Raise an error about the first value that does not fit; return if none is found."""
    if not format_of(path).has_lines:
        return
    fits = fits_text if format_of(path) is Format.CSV else fits_json
    try:
        for place, values in located_rows(path):
            for name in layout.names if layout.count is None else (*layout.names, layout.count):
                there = spelled_as(name, values) or name
                if not fits(values.get(there), layout.type_of(name)):
                    problem = f"{brief_value(values[there])} does not fit"
                    raise FileError(path, problem, layout.expected(name), place=place, column=name)
    except UnicodeDecodeError:
        raise undecodable(path) from None


def undecodable(path: Path) -> FileError:
    """An error about the first line that is not UTF-8."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                place = f"line {number}, byte {error.start + 1}"
                return FileError(path, "this is no text in UTF-8", "text in UTF-8", place=place)
    return FileError(path, "this is no text in UTF-8", "text in UTF-8")


def check_quotes(path: Path) -> None:
    """Raise an error if a quote in CSV is not closed: Arrow would take the end of the file as the closing quote."""
    quotes = 0
    with path.open("rb") as file:
        while block := file.read(BYTES_FOR_QUOTES):
            quotes += block.count(b'"')
    if quotes % 2:
        for _ in _csv_rows(path):
            continue


def check_objects(path: Path) -> None:
    """Raise an error unless every line of JSON that is not blank is an object."""
    for _ in _json_rows(path):
        continue


def located_rows(path: Path, *, exactly: bool = False) -> Iterator[LocatedRow]:
    """The rows of a file of text; exactly: numbers with a point are decimals, as they stand there."""
    return _csv_rows(path) if format_of(path) is Format.CSV else _json_rows(path, exactly)


def _csv_rows(path: Path) -> Iterator[LocatedRow]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True)
        names = next(reader, [])
        line = reader.line_num + 1
        try:
            for values in reader:
                if values or len(names) == 1:
                    yield f"line {line}", _named(path, names, values, line)
                line = reader.line_num + 1
        except csv.Error as error:
            raise FileError(path, str(error), "CSV with quotes that are closed", place=f"line {line}") from None


def _named(path: Path, names: list[str], values: list[str], line: int) -> dict[str, str]:
    if len(values) != len(names) and len(names) > 1:
        problem = f"{how_many(len(values), 'field')} where the header has {len(names)}"
        raise FileError(path, problem, f"{how_many(len(names), 'field')}: {', '.join(names)}", place=f"line {line}")
    return dict(zip(names, values or [""], strict=True))


def _json_rows(path: Path, exactly: bool = False) -> Iterator[LocatedRow]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield f"line {number}", _object(path, line.rstrip(), number, exactly)


def _object(path: Path, line: str, number: int, exactly: bool) -> dict[str, Any]:
    example = 'one JSON object per line, such as {"id": 1, "ts": 0}'
    try:
        found = json.loads(line, object_pairs_hook=_fields, parse_float=Decimal if exactly else float)
    except (ValueError, RecursionError) as error:
        column = getattr(error, "colno", 1)
        problem = (
            "this is nested too deeply" if isinstance(error, RecursionError) else getattr(error, "msg", str(error))
        )
        place = f"line {number}, character {column}"
        raise FileError(path, f"not JSON: {problem}", example, place=place) from None
    if not isinstance(found, dict):
        raise FileError(path, f"{brief_value(found)} is no object", example, place=f"line {number}")
    return found


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"two fields are called {next(name for name in names if names.count(name) > 1)!r}")
    return found


def fits_text(text: Any, type_: Type) -> bool:
    """Can a field of CSV be read as this type?"""
    if text is None or text == "" or type_ is Type.STR:
        return True
    if type_ not in BASIC_TYPES:
        return typed_texts.fits(text, type_)
    if type_ is Type.BOOL:
        return text.lower() in ("true", "false", "1", "0")
    return _is_number(text.strip(" \t"), type_)


def _is_number(text: str, type_: Type) -> bool:
    if "_" in text or not text.isascii():  # Python accepts these as numbers, other readers do not
        return False
    try:
        return -(2**63) <= int(text) < 2**63 if type_ is Type.INT else float(text) is not None
    except ValueError:
        return False


def fits_json(value: Any, type_: Type) -> bool:
    """Can a value of JSON be read as this type?"""
    if value is None:
        return True
    if type_ not in BASIC_TYPES:
        return typed_texts.fits(value, type_)
    if type_ is Type.INT:
        return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63
    if type_ is Type.FLOAT:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, bool if type_ is Type.BOOL else str)


def brief_value(value: object) -> str:
    """A value as error messages show it, shortened if it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
