"""PostgreSQL: tables that are there at every instant."""

from typing import Any, ClassVar

from sqlglot.dialects.postgres import Postgres as SqlglotPostgres
from sqlglot.parsers.postgres import PostgresParser as SqlglotPostgresParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.own_meanings import of_postgres
from semantics.sql.dialects.parsing import StreamingSyntax, without_arrows
from semantics.sql.dialects.profile import Profile


class PostgresParser(StreamingSyntax, SqlglotPostgresParser):
    """PostgreSQL's grammar; its functions are read by name."""

    LAMBDAS: ClassVar[dict[Any, Any]] = without_arrows(SqlglotPostgresParser.LAMBDAS)


class Postgres(SqlglotPostgres):
    Parser = PostgresParser


POSTGRES = Profile(
    "postgres",
    Postgres,
    changes="snapshot",
    named_by_alias=True,
    rows_in_select=True,
    missing_is_null=True,
    functions=function_names.POSTGRES,
    calls=of_postgres,
    decimal_fields=True,
    rounding_casts=True,
    days_between_dates=True,
)
