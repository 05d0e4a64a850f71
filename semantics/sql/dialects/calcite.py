"""Apache Calcite's SQL, with its STREAM keyword and table functions."""

from sqlglot import Token, tokens
from sqlglot.dialects.dialect import Dialect

from semantics.sql.dialects.own_meanings import from_sunday_one
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Prepared, Profile


class CalciteParser(StreamingSyntax):
    """Standard SQL with windows as functions."""


class Calcite(Dialect):
    class Tokenizer(tokens.Tokenizer):
        IDENTIFIERS = ['"', "`"]  # noqa: RUF012  # sqlglot asks for a plain attribute
        QUOTES = ["'"]  # noqa: RUF012

    Parser = CalciteParser


def without_stream(found: list[Token], text: str) -> Prepared:  # noqa: ARG001
    """SELECT STREAM as SELECT: whether rows stay is for windows to say."""
    words = ["", *(token.text.upper() for token in found)]
    return Prepared([token for i, token in enumerate(found) if (words[i], words[i + 1]) != ("SELECT", "STREAM")])


CALCITE = Profile(
    "calcite",
    Calcite,
    integer_average=True,
    window_calls=("TUMBLE", "HOP", "SESSION"),
    prepare=without_stream,
    calls=from_sunday_one,
)
