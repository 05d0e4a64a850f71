"""DuckDB: tables that are there at every instant."""

from sqlglot.dialects.duckdb import DuckDB as SqlglotDuckDB
from sqlglot.parsers.duckdb import DuckDBParser as SqlglotDuckDBParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.own_meanings import of_duckdb
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Profile


class DuckDBParser(StreamingSyntax, SqlglotDuckDBParser):
    """DuckDB's grammar; its functions are read by name."""


class DuckDB(SqlglotDuckDB):
    Parser = DuckDBParser


DUCKDB = Profile(
    "duckdb",
    DuckDB,
    changes="snapshot",
    exact_division=True,
    whole_elements=True,
    missing_is_null=True,
    functions=function_names.DUCKDB,
    calls=of_duckdb,
    shared_in_place=True,
    rounding_casts=True,
    days_between_dates=True,
)
