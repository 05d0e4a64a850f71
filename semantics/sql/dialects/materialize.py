"""Materialize: PostgreSQL's SQL with views that are kept up to date, and mz_now() for the instant of the answer."""

from sqlglot import Token
from sqlglot.dialects.materialize import Materialize as SqlglotMaterialize
from sqlglot.parsers.materialize import MaterializeParser as SqlglotMaterializeParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.ddl import matching
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Prepared, Profile, timed_by_timestamp
from semantics.sql.dialects.refusals import FIXED_POINTS, Refused


class MaterializeParser(StreamingSyntax, SqlglotMaterializeParser):
    """Materialize's grammar; its functions are read by name."""


class Materialize(SqlglotMaterialize):
    Parser = MaterializeParser


def without_hints(found: list[Token], text: str) -> Prepared:  # noqa: ARG001
    """A query without OPTIONS (…), which say how large groups are."""
    words, kept, i = [token.text.upper() for token in found], list[Token](), 0
    while i < len(found):
        if words[i : i + 2] == ["MUTUALLY", "RECURSIVE"]:
            raise Refused("WITH MUTUALLY RECURSIVE", FIXED_POINTS, found[i].start)
        if words[i : i + 2] == ["OPTIONS", "("]:
            i = matching(found, i + 1)
        else:
            kept.append(found[i])
        i += 1
    return Prepared(kept)


MATERIALIZE = Profile(
    "materialize",
    Materialize,
    now=frozenset(("MZ_NOW", "MZ_LOGICAL_TIMESTAMP")),
    views=True,
    prepare=without_hints,
    completed=timed_by_timestamp,
    named_by_alias=True,
    missing_is_null=True,
    functions=function_names.POSTGRES,
)
