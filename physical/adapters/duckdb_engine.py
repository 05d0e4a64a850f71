"""DuckDB."""

import os
import sys
from collections.abc import Mapping
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING, ClassVar, Final

from physical.adapters.sql.dialect import EXACT_CASTS, TIME_TYPES, SqlDialect
from physical.adapters.sql.functions import MORE_TEXTS, NUMBERS, TIMES, Templates
from physical.adapters.sql.remote_engine import RemoteSqlEngine, Rows
from semantics import Type

if TYPE_CHECKING:
    import pyarrow as pa

SETTINGS: Final = "SNAPEQ_DUCKDB_SETTINGS"
"""An environment variable with statements that come first."""


class DuckDBDialect(SqlDialect):
    types: ClassVar[Mapping[Type, str]] = {**SqlDialect.types, **TIME_TYPES}
    decimal_type = "DECIMAL"
    has_intervals = True
    casts = SqlDialect.casts | EXACT_CASTS
    functions: ClassVar[Templates] = {
        **MORE_TEXTS,
        **NUMBERS,
        **TIMES,
        "trim/2": "trim({0}, {1})",
        "octet_length/1": "CAST(octet_length(encode({0})) AS BIGINT)",
        "div/2": "({0} // {1})",
        "is_nan/1": "isnan({0})",
        "bitxor/2": "xor({0}, {1})",
        "last_day/1": "last_day({0})",
        "dayname/1": "dayname({0})",
        "monthname/1": "monthname({0})",
    }


class DuckDBEngine(RemoteSqlEngine):
    """Settings are statements that are run first: `SET disabled_optimizers = 'filter_pushdown'`."""

    name = "duckdb"
    dialect = DuckDBDialect()
    database = f"{__name__}:Database"

    def __init__(self, *settings: str) -> None:
        super().__init__(**{SETTINGS: ";".join(settings)})


class NoPandas(MetaPathFinder):
    """Imports no pandas: it is not needed, and old versions look for modules that a newer one has no longer."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:  # noqa: ARG002
        if fullname == "pandas":
            raise ModuleNotFoundError("this process needs no pandas", name=fullname)


class Database:
    """One connection with a single thread: cases are small."""

    def __init__(self) -> None:
        sys.meta_path.insert(0, NoPandas())
        import duckdb

        self.version = duckdb.__version__
        self.connection = duckdb.connect()
        self.connection.execute(f"SET threads = 1; {os.environ.get(SETTINGS, '')}")

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Rows:
        for name, table in tables.items():
            self.connection.register("given", table)
            self.connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT * FROM given")
            self.connection.unregister("given")
        return self.connection.execute(sql).fetchall()
