"""Materialize: PostgreSQL's SQL with views that are kept up to date, and mz_now() for the instant of the answer."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from sqlglot import Token
from sqlglot.dialects.materialize import Materialize as SqlglotMaterialize
from sqlglot.parsers.materialize import MaterializeParser as SqlglotMaterializeParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.ddl import matching
from semantics.sql.dialects.own_meanings import of_postgres
from semantics.sql.dialects.parsing import StreamingSyntax, without_arrows
from semantics.sql.dialects.profile import Prepared, Profile, timed_by_timestamp
from semantics.sql.dialects.refusals import FIXED_POINTS, Refused


class MaterializeParser(StreamingSyntax, SqlglotMaterializeParser):
    """Materialize's grammar; its functions are read by name."""

    LAMBDAS: ClassVar[dict[Any, Any]] = without_arrows(SqlglotMaterializeParser.LAMBDAS)


class Materialize(SqlglotMaterialize):
    Parser = MaterializeParser


AUCTION: Final = {
    "organizations": "id bigint, name text",
    "users": "id bigint, org_id bigint, name text",
    "accounts": "id bigint, org_id bigint, balance bigint",
    "auctions": "id bigint, seller bigint, item text, end_time timestamp with time zone",
    "bids": "id bigint, buyer bigint, auction_id bigint, amount int, bid_time timestamp with time zone",
}


def generated(name: str, words: Sequence[str]) -> dict[str, str]:
    """CREATE SOURCE name FROM LOAD GENERATOR AUCTION or COUNTER"""
    if "GENERATOR" not in words:
        return {}
    return AUCTION if "AUCTION" in words else {name: "counter bigint"} if "COUNTER" in words else {}


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
    generated=generated,
    completed=timed_by_timestamp,
    named_by_alias=True,
    rows_in_select=True,
    missing_is_null=True,
    functions=function_names.POSTGRES,
    calls=of_postgres,
    decimal_fields=True,
    rounding_casts=True,
    days_between_dates=True,
)
