"""Whole numbers in columns of floats, in files of text: a reader would round the large ones without a word."""

import mmap
import re
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from physical.files.errors import FileError
from physical.files.formats import format_of
from physical.files.locate import located_rows
from semantics import Schema, Type

_LARGE_WHOLE_NUMBER: Final = re.compile(rb"(?<![\d.])\d{16,}+(?![.eE])")
"""Whole numbers below 10¹⁵ are doubles."""
_WHOLE_NUMBER: Final = re.compile(r"[+-]?\d+")


def check_exact(path: Path, schema: Schema) -> None:
    """Raise an error if a column of floats holds a whole number that is no double, so that it would be rounded."""
    floats = [column.name for column in schema.columns if column.type is Type.FLOAT]
    if not floats or not format_of(path).has_lines or not _has_large_numbers(path):
        return
    for place, values in located_rows(path):
        for name in floats:
            if not is_exact(values.get(name)):
                problem = f"{values[name]} is no double and would be rounded, since other values here are no integers"
                raise FileError(path, problem, "integers only, or doubles only", place=place, column=name)


def is_exact(value: Any) -> bool:
    """Is this no whole number, or one that a double holds: exactly, or as its shortest text?

    >>> [is_exact(value) for value in ("9007199254740993", "9007199254740992", "1152921504606847000", "0.5", None)]
    [False, True, True, True, True]
    """
    text = str(value)
    if isinstance(value, bool | float) or not _WHOLE_NUMBER.fullmatch(text):
        return True
    double = float(text)
    return Decimal(double) == Decimal(text) or Decimal(repr(double)) == Decimal(text)


def _has_large_numbers(path: Path) -> bool:
    if path.stat().st_size == 0:
        return False
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _LARGE_WHOLE_NUMBER.search(data) is not None
