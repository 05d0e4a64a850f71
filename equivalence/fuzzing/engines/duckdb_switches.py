"""DuckDB: its optimizers, switched off one by one by `disabled_optimizers`."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from equivalence.fuzzing.engines.laboratory import Database, statements_of
from equivalence.fuzzing.engines.programs import executed, program
from equivalence.fuzzing.engines.switched_engine import Engine
from physical.adapters.environments import ENVIRONMENTS

MOST_KEPT: Final = 64


class DuckdbLaboratory:
    """Databases in memory, kept for further queries: to make one takes longer than a query."""

    def __init__(self) -> None:
        import duckdb

        self.version: str = duckdb.__version__
        self._kept: dict[Database, OpenedDuckdb] = {}

    def switches(self) -> list[str]:
        import duckdb

        return [row[0] for row in duckdb.connect().execute("SELECT name FROM duckdb_optimizers()").fetchall()]

    def opened(self, database: Database) -> "OpenedDuckdb":
        return self._kept.pop(database, None) or OpenedDuckdb(database, self._keep)

    def _keep(self, opened: "OpenedDuckdb") -> None:
        self._kept[opened.database] = opened
        if len(self._kept) > MOST_KEPT:
            self._kept.pop(next(iter(self._kept))).end()


class OpenedDuckdb:
    """After an error, a database is of no further use, and is not kept."""

    def __init__(self, database: Database, keep: "Callable[[OpenedDuckdb], None]") -> None:
        import duckdb

        self.database = database
        self._keep = keep
        self._connection: Any = duckdb.connect(config={"threads": 1})
        self._is_sound = True
        for statement in statements_of(database):
            self._connection.execute(statement)

    def switch(self, off: str) -> None:
        self.rows(_statement(off))

    def plan(self, sql: str) -> str:
        return str(self.rows(f"EXPLAIN {sql}"))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        self._is_sound = False
        found: list[tuple[Any, ...]] = self._connection.execute(sql).fetchall()
        self._is_sound = True
        return found

    def close(self) -> None:
        if self._is_sound:
            self._keep(self)
        else:
            self.end()

    def end(self) -> None:
        self._connection.close()


def _statement(switch: str) -> str:
    return f"SET disabled_optimizers = '{switch}'"


def _program(settings: Sequence[str], sql: str, database: Database) -> list[str]:
    opening = [
        "connection = duckdb.connect()",
        *executed(statements_of(database), "connection.execute(statement)"),
        "connection.execute(f\"SET disabled_optimizers = '{switched_off}'\")",
    ]
    return program(["import duckdb"], settings, opening, f"connection.execute({sql!r}).fetchall()")


DUCKDB: Final = Engine(
    "duckdb",
    ENVIRONMENTS["duckdb"],
    DuckdbLaboratory,
    ("InternalException", "FatalException", "INTERNAL Error", "Invalid Error: "),
    _statement,
    _program,
)
