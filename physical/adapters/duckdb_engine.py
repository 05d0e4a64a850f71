"""DuckDB."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from physical.adapters.sql.dialect import SqlDialect
from physical.adapters.sql.remote_engine import RemoteSqlEngine, Rows

if TYPE_CHECKING:
    import pyarrow as pa

SETTINGS: Final = "SNAPEQ_DUCKDB_SETTINGS"
"""An environment variable with statements that come first."""


class DuckDBEngine(RemoteSqlEngine):
    """Settings are statements that are run first: `SET disabled_optimizers = 'filter_pushdown'`."""

    name = "duckdb"
    dialect = SqlDialect()
    database = f"{__name__}:Database"

    def __init__(self, *settings: str) -> None:
        super().__init__(**{SETTINGS: ";".join(settings)})


class Database:
    """One connection with a single thread: cases are small."""

    def __init__(self) -> None:
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
