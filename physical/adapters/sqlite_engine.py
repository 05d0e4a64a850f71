"""SQLite, which comes with Python."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from physical.adapters.sql.dialect import SqlDialect
from physical.adapters.sql.functions import TEXTS, Templates
from physical.adapters.sql.sql_engine import SqlEngine
from semantics import Type, Value
from semantics import aggregate as agg
from semantics.value import INT_MIN

if TYPE_CHECKING:
    import pyarrow as pa


class SqliteDialect(SqlDialect):
    types: ClassVar[Mapping[Type, str]] = {
        Type.INT: "INTEGER",
        Type.FLOAT: "REAL",
        Type.BOOL: "INTEGER",
        Type.STR: "TEXT",
    }
    aggregates = frozenset({agg.CountRows, agg.Count, agg.CountDistinct, agg.Sum, agg.Avg, agg.Min, agg.Max})
    casts = SqlDialect.casts | {("int", "str"), ("bool", "int")}
    functions: ClassVar[Templates] = {
        **TEXTS,
        "trim/2": "trim({0}, {1})",
        "position/2": "instr({1}, {0})",
        "abs(int)": "abs({0})",
        "abs(float)": "abs({0})",
        "greatest/2": "max({0}, {1})",
        "greatest/3": "max({0}, {1}, {2})",
        "least/2": "min({0}, {1})",
        "least/3": "min({0}, {1}, {2})",
        "bitand/2": "({0} & {1})",
        "bitor/2": "({0} | {1})",
        "bitnot/1": "(~ {0})",
    }
    has_all_set_operations = False
    has_float_modulo = False
    has_special_floats = False
    has_nul = False
    distinct_from = "IS NOT"

    def constant(self, value: Value, type_: Type) -> str:
        """Numbers are written as they are; the smallest integer is a float if it is written as the negation of one."""
        match value:
            case bool():
                return str(int(value))
            case int() if value == INT_MIN:
                return f"({INT_MIN + 1} - 1)"
            case int() | float():
                return f"({value!r})"
            case _:
                return super().constant(value, type_)


class SqliteEngine(SqlEngine):
    """A new database in memory for each query."""

    name = "sqlite"
    dialect = SqliteDialect()
    version = sqlite3.sqlite_version
    booleans_are_numbers = True
    differences = (*SqlEngine.differences, "special floats", "NUL in texts")
    """It stores NaN as NULL, and what functions make of a text with a NUL is undefined."""

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Iterable[tuple[Any, ...]]:
        connection = sqlite3.connect(":memory:")
        try:
            connection.execute("PRAGMA case_sensitive_like = ON")
            for name, table in tables.items():
                load(connection.cursor(), name, table)
            return connection.execute(sql).fetchall()
        finally:
            connection.close()


class Cursor(Protocol):
    """What runs statements: that of Python's module, or of another."""

    def execute(self, statement: str, /) -> object: ...

    def executemany(self, statement: str, rows: Iterable[tuple[Any, ...]], /) -> object: ...


def load(cursor: Cursor, name: str, table: "pa.Table") -> None:
    """Make a table without types."""
    cursor.execute(f"CREATE TABLE {name} ({', '.join(table.column_names)})")
    marks = ", ".join("?" * len(table.column_names))
    columns = [column.to_pylist() for column in table.columns]
    cursor.executemany(f"INSERT INTO {name} VALUES ({marks})", zip(*columns, strict=True))
