"""Arroyo: PostgreSQL's SQL with tumble(), hop() and session() over the event time of the stream."""

from dataclasses import replace

from sqlglot import exp
from sqlglot.dialects.postgres import Postgres as SqlglotPostgres
from sqlglot.parsers.postgres import PostgresParser as SqlglotPostgresParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.ddl import SourceTable
from semantics.sql.dialects.durations import microseconds
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Profile, timed_by_timestamp


class ArroyoParser(StreamingSyntax, SqlglotPostgresParser):
    """PostgreSQL's grammar; windows are calls without a column."""


class Arroyo(SqlglotPostgres):
    Parser = ArroyoParser


def with_event_time(table: SourceTable, kind: str) -> SourceTable:
    """The event time is the field that the options name, or the only TIMESTAMP; another one may be the watermark."""
    named, late = table.options.get("event_time_field"), table.column(table.options.get("watermark_field", ""))
    made = replace(table, time=named) if table.time is None and named else timed_by_timestamp(table, kind)
    behind = late.computed.unnest() if late is not None and late.computed is not None else None
    return replace(made, delay=microseconds(behind.expression)) if isinstance(behind, exp.Sub) else made


ARROYO = Profile(
    "arroyo",
    Arroyo,
    strict_sessions=True,
    row_for_nothing=False,
    window_calls=("TUMBLE", "HOP", "SESSION"),
    completed=with_event_time,
    missing_is_null=True,
    functions=function_names.POSTGRES,
)
