r"""Functions of regular expressions, in the syntax that Python, Java, RE2 and PostgreSQL read alike.

There are characters, `.` (any but a line feed), classes such as `[a-z]` and `[^0-9_]`, `\d \w \s` and `\D \W \S` (of
ASCII), `\b`, groups `( )` and `(?: )`, `|`, repetitions `* + ? {2} {2,} {2,5}` with a `?` behind them for as few as
possible, `^` and `$` for the beginning and the end of the text, and `\` before a sign that stands for itself. Of
several matches the leftmost counts, and of these the one that the alternatives from left to right find first.
Backreferences, looking around, flags and classes with names are refused: engines differ in them.
"""

import re
from functools import cache
from typing import Final

from semantics.functions.definition import Function, Overload, Word
from semantics.functions.text import checked_length
from semantics.types import Type, array_of
from semantics.value import Value

STR, INT, BOOL = Type.STR, Type.INT, Type.BOOL
_REPETITION: Final = r"(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})\??"
_ALONE: Final = r"""\\[dDwWsStnr] | \\[^A-Za-z0-9\s] | \[\^?(?:\\[dDwWsStnr]|\\[^A-Za-z0-9\s]|&(?!&)|~(?!~)|\|(?!\|)|[^\]\[\\&~|])+\] | [^\\\[\](){}*+?|^$]"""
_TOKENS: Final = re.compile(
    rf"(?: (?:{_ALONE}|\))(?:{_REPETITION})? | \((?:\?:)? | \| | \^ | \$ | \\[bB] )*", re.VERBOSE
)
_END: Final = re.compile(r"(\\.|\[[^\]]*\])|\$")


def is_pattern(text: str) -> bool:
    r"""Is it one of the common syntax?

    >>> [is_pattern(text) for text in ("a|[b-d]+$", r"(a)\1", "a(?=b)", "a**", "(", "[[:alpha:]]")]
    [True, False, False, False, False, False]
    """
    if not _TOKENS.fullmatch(text):
        return False
    try:
        _compiled(text)
    except (re.error, OverflowError):
        return False
    return True


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """For Python `$` is also before a line feed at the end."""
    return re.compile(_END.sub(lambda found: found[1] or r"\Z", pattern), re.ASCII)


def regexp_like(text: str, pattern: str) -> bool:
    return _compiled(pattern).search(text) is not None


def regexp_replace(text: str, pattern: str, new: str) -> str:
    made = _compiled(pattern).sub(lambda _: new, text)
    checked_length("REGEXP_REPLACE", len(made))
    return made


def regexp_replace_first(text: str, pattern: str, new: str) -> str:
    made = _compiled(pattern).sub(lambda _: new, text, count=1)
    checked_length("REGEXP_REPLACE_FIRST", len(made))
    return made


def regexp_extract(text: str, pattern: str, group: int = 0) -> str | None:
    compiled = _compiled(pattern)
    found = compiled.search(text) if 0 <= group <= compiled.groups else None
    return found[group] if found else None


def regexp_match(text: str, pattern: str) -> Value:
    """What the groups of the first match have matched; the match itself if there are no groups."""
    found = _compiled(pattern).search(text)
    return (found.groups() or (found[0],)) if found else None


def regexp_count(text: str, pattern: str) -> int:
    return sum(1 for _ in _compiled(pattern).finditer(text))


PATTERN: Final = Word("pattern", ("a+", "^b|c$", "[a-c][0-9]*", "(a)(b?)", "x.y"), is_pattern)
REPLACEMENT: Final = Word("replacement", ("", "x", "[]"), lambda text: "\\" not in text and "$" not in text)

PATTERNS: Final = (
    Function(("regexp_like", "regexp", "rlike", "regexp_matches"), (Overload((STR, PATTERN), BOOL, regexp_like),), "Does the pattern match anywhere in the text?", (("REGEXP_LIKE('item 12', '[0-9]+$')", "true"),)),
    Function(("regexp_replace",), (Overload((STR, PATTERN, REPLACEMENT), STR, regexp_replace, total=False),), "Every match replaced by a text without `\\\\` and `$`, which engines read in different ways.", (("REGEXP_REPLACE('a1b22', '[0-9]+', '#')", "'a#b#'"),)),
    Function(("regexp_replace_first",), (Overload((STR, PATTERN, REPLACEMENT), STR, regexp_replace_first, total=False),), "The first match replaced by such a text.", (("REGEXP_REPLACE_FIRST('a1b22', '[0-9]+', '#')", "'a#b22'"),)),
    Function(("regexp_extract", "regexp_substr"), (Overload((STR, PATTERN, INT), STR, regexp_extract, optional=1, nullable=True),), "The first match, or what a group of it has matched; NULL if there is none.", (("REGEXP_EXTRACT('k=v', '([a-z])=([a-z])', 2)", "'v'"), ("REGEXP_EXTRACT('abc', '[0-9]')", "null"))),
    Function(("regexp_match",), (Overload((STR, PATTERN), array_of(STR), regexp_match, nullable=True),), "What the groups of the first match have matched, as an array; the match itself if the pattern has no groups.", (("REGEXP_MATCH('k=v', '([a-z])=([a-z])')", "['k', 'v']"), ("REGEXP_MATCH('abc', 'b')", "['b']"))),
    Function(("regexp_count",), (Overload((STR, PATTERN), INT, regexp_count),), "The number of matches that do not overlap.", (("REGEXP_COUNT('banana', 'an')", "2"),)),
)  # fmt: skip
