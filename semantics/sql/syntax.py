"""Text into syntax trees; a wrong text is told which words would have been right."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from sqlglot import Token, TokenType, exp
from sqlglot.errors import TokenError

from semantics.sql.errors import SqlError, one_of
from semantics.sql.grammar.base import Unexpected
from semantics.sql.grammar.dialect import Snapeq
from semantics.sql.grammar.statements import Grammar
from semantics.sql.grammar.words import RESERVED

_NAME, _NUMBER, _TEXT = "some_name", "1", "'text'"
_STARTERS: Final = (_NAME, _NUMBER, _TEXT, "(", "-", "NOT", "NULL", "TRUE", "FALSE", "CASE", "EXISTS")
_OPERATORS: Final = (
    "+",
    "-",
    "*",
    "/",
    "%",
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "IS",
    "IN",
    "LIKE",
    "BETWEEN",
    "AND",
    "OR",
)
_CONTEXT: Final = (
    "STREAM TIME UNIT BY ORDERED VALID SOURCE RANGE UNBOUNDED ROWS PARTITION SLIDE TIES LANDMARK RESET PRIMARY KEY"
    " UNIQUE ONCE REFERENCES DESC NULLS FIRST LAST NEXT OFFSET FETCH ONLY OVER ROW_NUMBER( RANK( DENSE_RANK("
    " ISTREAM( DSTREAM( RSTREAM( SESSION TOUCHING PRECEDING CURRENT ROW"
).split()
_SHOWN: Final = {
    _NAME: "a name",
    _NUMBER: "a number",
    _TEXT: "a text",
    ",": "a comma",
    ".": "a dot",
    "GROUP": "GROUP BY",
    "ORDER": "ORDER BY",
}
_CANDIDATES: Final = (_NAME, _NUMBER, _TEXT, ",", "(", ")", ".", *_OPERATORS, *RESERVED, *_CONTEXT)


def statements(text: str, *, hints: bool = True) -> list[exp.Expr]:
    """The statements of a text, those that are empty left out; hints say what could have stood where it is wrong."""
    chunks: list[list[Token]] = [[]]
    for token in tokens(text):
        if token.token_type == TokenType.SEMICOLON:
            chunks.append([])
        else:
            chunks[-1].append(token)
    return [statement(chunk, text, hints=hints) for chunk in chunks if chunk]


def statement(chunk: list[Token], text: str, *, hints: bool = True) -> exp.Expr:
    """The tree of one statement."""
    try:
        return _parsed(chunk, text)
    except Unexpected as error:
        raise _explained(error, chunk, text, hints) from None


def tokens(text: str) -> list[Token]:
    """The words and signs of a text."""
    try:
        return Snapeq().tokenize(text)
    except TokenError:
        raise SqlError("a quote or a comment is not closed", "its end", _unclosed(text), text) from None


def _parsed(chunk: list[Token], text: str) -> exp.Expr:
    return Grammar(dialect=Snapeq()).statement(chunk, text)


def _explained(error: Unexpected, chunk: list[Token], text: str, hints: bool) -> SqlError:
    """What was found at the place of an error, and what could have stood there."""
    if error.problem:
        return SqlError(error.problem, error.expected, chunk[min(error.index, len(chunk) - 1)].start, text)
    ended = error.index >= len(chunk)
    offset = chunk[-1].end + 1 if ended else chunk[error.index].start
    found = "the text ends too early" if ended else f"unexpected {text[offset : chunk[error.index].end + 1]}"
    expected = one_of(valid_words(chunk[: error.index], text)) if hints else "something else"
    return SqlError(found, expected, offset, text)


def valid_words(before: list[Token], text: str) -> list[str]:
    """What may stand behind these tokens: each word is tried."""
    valid = [word for word in _CANDIDATES if _may_follow(before, word, text)]
    shown: list[str] = []
    if all(word in valid for word in (_NAME, _NUMBER, _TEXT)):
        shown, valid = ["an expression"], [word for word in valid if word not in (*_STARTERS, *_CONTEXT)]
    elif _NAME in valid:
        valid = [word for word in valid if word not in _CONTEXT]
    if all(word in valid for word in ("+", "=")):
        shown, valid = [*shown, "an operator"], [word for word in valid if word not in _OPERATORS]
    if not before or _complete(before, text):
        valid = [*valid, "the end"] if before else valid
    return [*shown, *(_SHOWN.get(word, word) for word in dict.fromkeys(valid))]


def _may_follow(before: list[Token], word: str, text: str) -> bool:
    try:
        _parsed([*before, *_tokens(word)], text)
    except Unexpected as error:
        return error.index > len(before)
    return True


def _complete(before: Sequence[Token], text: str) -> bool:
    try:
        _parsed(list(before), text)
    except Unexpected:
        return False
    return True


@cache
def _tokens(word: str) -> tuple[Token, ...]:
    return tuple(Snapeq().tokenize(word))


def _unclosed(text: str) -> int:
    """Where the quote or comment begins that never ends: behind the longest part that can be read."""
    for end in range(len(text) - 1, -1, -1):
        if text[end] in "'\"" or text[end : end + 2] == "/*":
            try:
                Snapeq().tokenize(text[:end])
            except TokenError:
                continue
            return end
    return 0
