"""PostgreSQL: tables that are there at every instant."""

from sqlglot.dialects.postgres import Postgres as SqlglotPostgres
from sqlglot.parsers.postgres import PostgresParser as SqlglotPostgresParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Profile


class PostgresParser(StreamingSyntax, SqlglotPostgresParser):
    """PostgreSQL's grammar; its functions are read by name."""


class Postgres(SqlglotPostgres):
    Parser = PostgresParser


POSTGRES = Profile("postgres", Postgres, changes="snapshot", named_by_alias=True, functions=function_names.POSTGRES)
