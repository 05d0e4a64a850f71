"""Arroyo: PostgreSQL's SQL with tumble(), hop() and session() over the event time of the stream."""

from dataclasses import replace

from sqlglot.dialects.postgres import Postgres as SqlglotPostgres
from sqlglot.parsers.postgres import PostgresParser as SqlglotPostgresParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.ddl import SourceTable
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Profile, timed_by_timestamp


class ArroyoParser(StreamingSyntax, SqlglotPostgresParser):
    """PostgreSQL's grammar; windows are calls without a column."""


class Arroyo(SqlglotPostgres):
    Parser = ArroyoParser


def with_event_time(table: SourceTable, kind: str) -> SourceTable:
    """The event time is the field that the options name, or the only TIMESTAMP."""
    named = table.options.get("event_time_field")
    return replace(table, time=named) if table.time is None and named else timed_by_timestamp(table, kind)


ARROYO = Profile(
    "arroyo",
    Arroyo,
    strict_sessions=True,
    window_calls=("TUMBLE", "HOP", "SESSION"),
    completed=with_event_time,
    missing_is_null=True,
    functions=function_names.POSTGRES,
)
