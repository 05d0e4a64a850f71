"""Feldera: Calcite's SQL with LATENESS on columns and views that are kept up to date."""

from sqlglot import Token, TokenType

from semantics.sql.dialects.calcite import Calcite
from semantics.sql.dialects.own_meanings import from_sunday_one
from semantics.sql.dialects.profile import Prepared, Profile, timed_by_timestamp


def with_asof_first(found: list[Token], text: str) -> Prepared:  # noqa: ARG001
    """LEFT ASOF JOIN as ASOF LEFT JOIN, which sqlglot reads; MATCH_CONDITION is no alias."""
    made = [_as_keyword(token) if token.text.upper() == "MATCH_CONDITION" else token for token in found]
    for i in range(len(made) - 1):
        if (made[i].text.upper(), made[i + 1].text.upper()) == ("LEFT", "ASOF"):
            made[i], made[i + 1] = made[i + 1], made[i]
    return Prepared(made)


def _as_keyword(token: Token) -> Token:
    return Token(TokenType.MATCH_CONDITION, token.text, token.line, token.col, token.start, token.end)


FELDERA = Profile(
    "feldera",
    Calcite,
    now=frozenset(("NOW", "CURRENT_TIMESTAMP")),
    views=True,
    strict_sessions=True,
    integer_average=True,
    window_calls=("TUMBLE", "HOP", "SESSION"),
    prepare=with_asof_first,
    completed=timed_by_timestamp,
    calls=from_sunday_one,
)
