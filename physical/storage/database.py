"""SQLite and DuckDB, with the few statements that stores need."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

from physical.storage.errors import StoreError
from physical.storage.parameters import Persistent
from semantics.missing_package import missing_package
from semantics.types import BASIC_TYPES
from semantics.value import Type


class Database(ABC):
    """One connection, one transaction at a time."""

    types: ClassVar[dict[Type, str]]
    identity: str
    """The declaration of the column of ids."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.open = False
        """Is there a transaction?"""

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The answer to a query."""
        found: list[tuple[Any, ...]] = self.connection.execute(statement, list(values)).fetchall()
        return found

    def change(self, statement: str, values: Sequence[object] = ()) -> None:
        """Change something within the transaction, which begins with the first change."""
        self._begin()
        self.connection.execute(statement, list(values))

    def change_many(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        if listed := [list(row) for row in values]:
            self._begin()
            self.connection.executemany(statement, listed)

    def commit(self) -> None:
        """Make the changes permanent, whatever happens to the process."""
        if self.open:
            self.connection.execute("COMMIT")
            self.open = False

    def close(self) -> None:
        """Close the connection; uncommitted changes are lost, as after a crash."""
        self.connection.close()

    @abstractmethod
    def has(self, table: str) -> bool:
        """Is there such a table?"""

    def _begin(self) -> None:
        if not self.open:
            self.connection.execute("BEGIN")
            self.open = True


class SQLite(Database):
    """A file with a write-ahead log."""

    types: ClassVar = dict.fromkeys(BASIC_TYPES, "")  # without affinity SQLite returns values unchanged
    identity = "INTEGER PRIMARY KEY"

    def __init__(self, path: Path, power_safe: bool) -> None:
        connection = import_module("sqlite3").connect(path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {'FULL' if power_safe else 'OFF'}")
        super().__init__(connection)

    def has(self, table: str) -> bool:
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [table]))


class DuckDB(Database):
    """A file with a write-ahead log; ids are no key, because DuckDB refuses to write one twice in a transaction."""

    types: ClassVar = {Type.INT: "BIGINT", Type.FLOAT: "DOUBLE", Type.BOOL: "BOOLEAN", Type.STR: "VARCHAR"}
    identity = "BIGINT"

    def __init__(self, path: Path) -> None:
        if find_spec("duckdb") is None:
            raise StoreError(missing_package("Persistent", "duckdb", command="pip install 'snapeq[engines]'"))
        super().__init__(import_module("duckdb").connect(str(path), config={"threads": 1}))

    def has(self, table: str) -> bool:
        return bool(self.rows("SELECT 1 FROM information_schema.tables WHERE table_name = ?", [table]))


def connected(where: Persistent) -> Database:
    """The database of a persistent store; the file is made if there is none."""
    return SQLite(where.path, where.power_safe) if where.database == "sqlite" else DuckDB(where.path)


def quoted(name: str) -> str:
    """A name in quotes, as SQL accepts any name."""
    return '"' + name.replace('"', '""') + '"'
