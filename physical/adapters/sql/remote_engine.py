"""A SQL engine in a process of its own, so that a crash of it ends nothing here, and its packages may be any versions.

Run as a module, this is that process: it makes the engine that SNAPEQ_ENGINE names, and answers.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, Self

from physical.adapters.environments import environment_of
from physical.adapters.sql.sql_engine import SqlEngine
from physical.adapters.worker_process import EngineFailed, WorkerProcess, serve

if TYPE_CHECKING:
    import pyarrow as pa

ENGINE: Final = "SNAPEQ_ENGINE"
Rows = Iterable[tuple[Any, ...]]


class Database(Protocol):
    """What runs in the process: anything that answers queries over tables."""

    version: str

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Rows: ...


@dataclass(frozen=True)
class Question:
    """A query over tables."""

    tables: "Mapping[str, pa.Table]"
    sql: str

    def run(self, database: Database) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in database.ask(self.tables, self.sql)]


@dataclass(frozen=True)
class AskVersion:
    """Which version of the engine is it?"""

    def run(self, database: Database) -> str:
        return database.version


class RemoteSqlEngine(SqlEngine):
    """An engine whose database runs in its environment's own process, which starts with the first query."""

    name: str  # type: ignore[misc]  # of one object alone, if that is another version
    database: ClassVar[str]
    """The class that answers there, as package.module:Class."""
    environment: ClassVar[str] = ""
    """Whose environment it is, if the engine's is not called like itself."""

    def __init__(self, **settings: str) -> None:
        self.process = WorkerProcess(
            environment_of(self.environment or self.name), __name__, {ENGINE: self.database, **settings}
        )

    @classmethod
    def of_version(cls, version: str) -> Self:
        """The engine in another version, which has an environment of its own."""
        engine = cls()
        engine.name = f"{cls.name}@{version}"
        engine.process.environment = environment_of(f"{cls.environment or cls.name}@{version}")
        return engine

    @property
    def version(self) -> str:
        return str(self.process.ask(AskVersion()))

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Rows:
        rows: Rows = self.process.ask(Question(tables, sql))  # type: ignore[assignment]  # it answers with rows
        return rows


def _database() -> Database:
    module, _, name = os.environ[ENGINE].partition(":")
    made: Database = getattr(import_module(module), name)()
    return made


if __name__ == "__main__":
    serve(_database, lambda error: EngineFailed(f"{type(error).__name__}: {error}"))
