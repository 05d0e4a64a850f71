"""Arroyo: PostgreSQL's SQL with tumble(), hop() and session() over the event time of the stream."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from sqlglot import exp
from sqlglot.dialects.postgres import Postgres as SqlglotPostgres
from sqlglot.parsers.postgres import PostgresParser as SqlglotPostgresParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.ddl import SourceColumn, SourceTable
from semantics.sql.dialects.durations import microseconds
from semantics.sql.dialects.own_meanings import of_arroyo
from semantics.sql.dialects.parsing import StreamingSyntax, without_arrows
from semantics.sql.dialects.profile import Profile, timed_by_timestamp

TIME: Final = "_timestamp"
"""The column that every table has without saying so."""
WINDOWS: Final = ("TUMBLE", "HOP", "SESSION")


class ArroyoParser(StreamingSyntax, SqlglotPostgresParser):
    """PostgreSQL's grammar; windows are calls without a column."""

    LAMBDAS: ClassVar[dict[Any, Any]] = without_arrows(SqlglotPostgresParser.LAMBDAS)


class Arroyo(SqlglotPostgres):
    Parser = ArroyoParser


def with_event_time(table: SourceTable, kind: str) -> SourceTable:
    """The event time is the field that the options name, or the only TIMESTAMP; another one may be the watermark."""
    named, late = table.options.get("event_time_field"), table.column(table.options.get("watermark_field", ""))
    made = replace(table, time=named) if table.time is None and named else timed_by_timestamp(table, kind)
    behind = late.computed.unnest() if late is not None and late.computed is not None else None
    return replace(made, delay=microseconds(behind.expression)) if isinstance(behind, exp.Sub) else made


def with_time_of_record(table: SourceTable, asked: Collection[str]) -> SourceTable:
    """A table whose time is declared nowhere has that of its records, if a query asks for it or for windows."""
    if table.time is not None or table.valid is not None or not {TIME, *map(str.lower, WINDOWS)} & set(asked):
        return table
    return replace(table, columns=(*table.columns, SourceColumn(TIME, ("TIMESTAMP",))), time=TIME)


GENERATED: Final = {
    "NEXMARK": "person ROW<id BIGINT, name TEXT, email_address TEXT, credit_card TEXT, city TEXT, state TEXT,"
    " datetime TIMESTAMP, extra TEXT>, auction ROW<id BIGINT, item_name TEXT, description TEXT, initial_bid BIGINT,"
    " reserve BIGINT, datetime TIMESTAMP, expires TIMESTAMP, seller BIGINT, category BIGINT, extra TEXT>,"
    " bid ROW<auction BIGINT, bidder BIGINT, price BIGINT, channel TEXT, url TEXT, datetime TIMESTAMP, extra TEXT>",
    "IMPULSE": "counter BIGINT, subtask_index BIGINT",
}
"""The columns of connectors that make rows up."""


def generated(name: str, words: Sequence[str]) -> dict[str, str]:
    """CREATE TABLE name WITH (connector = 'nexmark', …)"""
    found = next((columns for word, columns in GENERATED.items() if word in words), "")
    return {name: found} if found else {}


ARROYO = Profile(
    "arroyo",
    Arroyo,
    strict_sessions=True,
    row_for_nothing=False,
    window_calls=WINDOWS,
    completed=with_event_time,
    timed=with_time_of_record,
    generated=generated,
    implied=frozenset((TIME,)),
    missing_is_null=True,
    functions=function_names.ARROYO,
    calls=of_arroyo,
    shared_in_place=True,
)
