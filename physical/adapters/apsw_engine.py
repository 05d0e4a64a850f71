"""SQLite as the package apsw brings it: newer than that of Python, or any older version."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from physical.adapters.sql.remote_engine import RemoteSqlEngine, Rows
from physical.adapters.sqlite_engine import SqliteDialect, SqliteEngine, load

if TYPE_CHECKING:
    import pyarrow as pa


class ApswEngine(RemoteSqlEngine):
    name = "apsw"
    dialect = SqliteDialect()
    database = f"{__name__}:Database"
    booleans_are_numbers = True
    differences = SqliteEngine.differences


class Database:
    """A new database in memory for each query."""

    def __init__(self) -> None:
        import apsw

        called = "sqlite_lib_version" if hasattr(apsw, "sqlite_lib_version") else "sqlitelibversion"
        self.version = str(getattr(apsw, called)())

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Rows:
        import apsw

        connection = apsw.Connection(":memory:")
        try:
            cursor = connection.cursor()
            cursor.execute("PRAGMA case_sensitive_like = ON")
            for name, table in tables.items():
                load(cursor, name, table)
            return list(cursor.execute(sql))
        finally:
            connection.close()
