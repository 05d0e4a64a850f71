"""Regular expressions that somebody might have meant instead: a repetition, an anchor or a class that is another."""

import re
from collections.abc import Iterator
from typing import Final

from semantics.functions.patterns import is_pattern

_OTHERS: Final = {"+": "*", "*": "+", "?": "", "^": "", "$": ""}
_NUMBER: Final = re.compile(r"(?<=\{)\d+")
_LAST_OF_RANGE: Final = re.compile(r"(?<=[0-9A-Za-z]-)[0-9A-Za-z]")
MOST: Final = 12


def near_patterns(pattern: str) -> list[str]:
    """The same pattern with one sign of it changed.

    >>> near_patterns("^[a-f]{3}[0-9]+")
    ['[a-f]{3}[0-9]+', '^[a-f]{3}[0-9]*', '^[a-f]{4}[0-9]+', '^[a-e]{3}[0-9]+', '^[a-f]{3}[0-8]+']
    """
    found = dict.fromkeys(near for near in _changed(pattern) if near != pattern and is_pattern(near))
    return list(found)[:MOST]


def _changed(pattern: str) -> Iterator[str]:
    for i, sign in enumerate(pattern):
        if sign in _OTHERS:
            yield pattern[:i] + _OTHERS[sign] + pattern[i + 1 :]
    for number in _NUMBER.finditer(pattern):
        yield _replaced(pattern, number, str(int(number[0]) + 1))
    for last in _LAST_OF_RANGE.finditer(pattern):
        yield _replaced(pattern, last, chr(ord(last[0]) - 1))


def _replaced(pattern: str, found: re.Match[str], by: str) -> str:
    return pattern[: found.start()] + by + pattern[found.end() :]
