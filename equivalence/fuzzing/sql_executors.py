"""Systems that run a text as it is, to confirm what the reference says: SQLite, and DuckDB where it is installed."""

import atexit
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from physical.adapters.environments import ENVIRONMENTS
from semantics import Row, SnapeqError

if TYPE_CHECKING:
    from physical.adapters.duckdb_engine import Database
    from physical.adapters.worker_process import WorkerProcess


class Refused(SnapeqError):
    """The system does not run the text, or fails on it."""


class Executor(Protocol):
    """Runs a query over tables that it makes anew."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...

    def run(self, ddl: Sequence[str], tables: Mapping[str, Sequence[Row]], sql: str) -> list[Row]:
        """The rows of the result in any order; Refused if there is none."""
        ...


def same_rows(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Are they the same multiset? SQLite's truth values are numbers, so TRUE is 1 here."""
    return left == right or (len(left) == len(right) and Counter(left) == Counter(right))


def insertion(table: str, row: Row) -> str:
    """INSERT as every system reads it."""
    return f"INSERT INTO {table} VALUES ({', '.join(map(_constant, row))})"


def _constant(value: object) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).upper()
        case str():
            return "'" + value.replace("'", "''") + "'"
        case _:
            return str(value)


class SqliteExecutor:
    """SQLite, in this process: it comes with Python."""

    name: Final = "sqlite"
    version: Final = sqlite3.sqlite_version

    def run(self, ddl: Sequence[str], tables: Mapping[str, Sequence[Row]], sql: str) -> list[Row]:
        with closing(filled_sqlite(ddl, tables)) as connection:
            return asked(connection, sql)


def filled_sqlite(ddl: Sequence[str], tables: Mapping[str, Sequence[Row]]) -> sqlite3.Connection:
    """A database in memory, for one query or for many."""
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA case_sensitive_like = ON")
    for statement in (*ddl, *(insertion(name, row) for name, rows in tables.items() for row in rows)):
        connection.execute(statement)
    return connection


def asked(connection: sqlite3.Connection, sql: str) -> list[Row]:
    """The rows of a query; Refused if SQLite does not run it."""
    try:
        return connection.execute(sql).fetchall()
    except (sqlite3.Error, ValueError) as error:  # a text with a NUL in it is a ValueError
        raise Refused(str(error)) from None


@dataclass(frozen=True)
class DuckdbQuestion:
    """Statements, and a query after them, in a database of their own."""

    statements: tuple[str, ...]
    sql: str

    def run(self, database: "Database") -> list[tuple[Any, ...]]:
        del database  # the one that every question shares
        kept = _FILLED.pop(self.statements, None)
        connection = _filled_duckdb(self.statements) if kept is None else kept
        try:
            rows: list[tuple[Any, ...]] = connection.execute(self.sql).fetchall()
        except BaseException:
            connection.close()  # one whose optimizer has failed is of no further use
            raise
        _FILLED[self.statements] = connection
        if len(_FILLED) > MOST_FILLED:
            _FILLED.pop(next(iter(_FILLED))).close()
        return rows


MOST_FILLED: Final = 24
_FILLED: "dict[tuple[str, ...], Any]" = {}
"""In DuckDB's process: databases by the statements that made them, the one that was asked last behind the others."""


def _filled_duckdb(statements: Sequence[str]) -> Any:
    import duckdb

    connection = duckdb.connect(config={"threads": 1})
    for statement in statements:
        connection.execute(statement)
    return connection


@dataclass
class DuckdbExecutor:
    """DuckDB, in a process of its own: a crash of it ends nothing here."""

    settings: tuple[str, ...] = ()
    name: str = "duckdb"
    _process: "WorkerProcess | None" = field(default=None, repr=False)

    @property
    def process(self) -> "WorkerProcess":
        if self._process is None:
            from physical.adapters.duckdb_engine import DuckDBEngine

            self._process = DuckDBEngine().process
        return self._process

    @property
    def version(self) -> str:
        from physical.adapters.sql.remote_engine import AskVersion

        return str(self.process.ask(AskVersion()))

    def run(self, ddl: Sequence[str], tables: Mapping[str, Sequence[Row]], sql: str) -> list[Row]:
        rows = [insertion(name, row) for name, held in tables.items() for row in held]
        try:
            answer: Any = self.process.ask(DuckdbQuestion((*ddl, *rows, *self.settings), sql))
        except SnapeqError as error:
            raise Refused(str(error)) from None
        return [tuple(row) for row in answer]


@cache
def executors() -> tuple[Executor, ...]:
    """The systems that are here, each once: DuckDB's process lives as long as this one."""
    if not ENVIRONMENTS["duckdb"].is_installed:
        return (SqliteExecutor(),)
    duckdb = DuckdbExecutor()
    atexit.register(duckdb.process.stop)
    return (SqliteExecutor(), duckdb)
