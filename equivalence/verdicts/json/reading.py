"""Parts of a JSON document, each checked as it is read.

A document may come from anybody. Whatever it holds, reading it takes bounded time and memory, and either gives what was
expected or raises a DocumentError that says where, what was expected, and what is there.
"""

import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from semantics import SnapeqError
from semantics.value import brief

T = TypeVar("T")
LARGEST_FILE: Final = 1_000_000
"""Characters. Counterexamples are small, so a larger file is none."""


class DocumentError(SnapeqError):
    """A JSON document is not what it should be; the message says where, what was expected, what is there."""


def read_json_file(path: Path) -> object:
    """The document in a file; a file that is too large is refused before it is read."""
    if path.stat().st_size > 4 * LARGEST_FILE:
        raise DocumentError(f"{path}: expected a file of at most {4 * LARGEST_FILE} bytes")
    try:
        return read_json(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise DocumentError(f"{path}: this is no text in UTF-8; expected a saved case") from None
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from None


def read_json(text: str) -> object:
    """The document in a text: strict JSON of limited size and depth."""
    if len(text) > LARGEST_FILE:
        raise DocumentError(f"expected at most {LARGEST_FILE} characters, got {len(text)}")
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object)
    except RecursionError:
        raise DocumentError("the document is nested too deeply") from None
    except ValueError as error:
        raise DocumentError(f"expected JSON: {error}") from None


def _no_constant(name: str) -> NoReturn:
    raise DocumentError(f'expected JSON, which has no {name}; write "{name}" in quotes')


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise DocumentError(f"expected every name once in an object, got {brief([name for name, _ in pairs])}")
    return found


def read_object(value: object, where: str, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Any]:
    """An object that has all required members, and no others but the optional ones."""
    members = read_members(value, where)
    missing = [name for name in required if name not in members]
    strange = [name for name in members if name not in required and name not in optional]
    if missing or strange:
        expected = ", ".join([*required, *(f"{name} (optional)" for name in optional)])
        there = f"lacks {', '.join(missing)}" if missing else f"has {brief(strange[0])}"
        raise DocumentError(f"{where}: expected an object with {expected}; it {there}")
    return members


def read_members(value: object, where: str) -> dict[str, Any]:
    """An object with any names."""
    if not isinstance(value, dict):
        raise DocumentError(f"{where}: expected an object, got {brief(value)}")
    return value


def read_list(value: object, where: str, item: Callable[[object, str], T], at_most: int) -> list[T]:
    """A list with at most this many items."""
    return [item(part, f"{where}[{i}]") for i, part in enumerate(read_items(value, where, at_most))]


def read_items(value: object, where: str, at_most: int) -> list[object]:
    """A list with at most this many items, which can be anything."""
    if not isinstance(value, list) or len(value) > at_most:
        got = brief(value) if not isinstance(value, list) else f"{len(value)}"
        raise DocumentError(f"{where}: expected a list of at most {at_most} items, got {got}")
    return value


def read_text(value: object, where: str, at_most: int) -> str:
    """A text of at most this many characters."""
    if not isinstance(value, str) or len(value) > at_most:
        raise DocumentError(f"{where}: expected a text of at most {at_most} characters, got {brief(value)}")
    return value


def read_choice(value: object, where: str, options: Collection[str]) -> str:
    """One of these texts."""
    if not isinstance(value, str) or value not in options:
        raise DocumentError(f"{where}: expected one of {', '.join(sorted(options))}, got {brief(value)}")
    return value


def read_number(value: object, where: str, at_most: int) -> int:
    """A whole number from 0 to a limit."""
    if type(value) is not int or not 0 <= value <= at_most:
        raise DocumentError(f"{where}: expected a whole number from 0 to {at_most}, got {brief(value)}")
    return value
