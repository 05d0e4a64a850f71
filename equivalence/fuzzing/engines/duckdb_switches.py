"""DuckDB: its optimizers, switched off one by one by `disabled_optimizers`."""

from collections.abc import Sequence
from typing import Any, Final

from equivalence.fuzzing.engines.laboratory import Database, statements_of
from equivalence.fuzzing.engines.programs import executed, program
from equivalence.fuzzing.engines.switched_engine import Engine
from physical.adapters.environments import ENVIRONMENTS


class DuckdbLaboratory:
    """A new database in memory each time: after an internal error, one is of no use any more."""

    def __init__(self) -> None:
        import duckdb

        self.version: str = duckdb.__version__

    def switches(self) -> list[str]:
        import duckdb

        return [row[0] for row in duckdb.connect().execute("SELECT name FROM duckdb_optimizers()").fetchall()]

    def opened(self, database: Database) -> "OpenedDuckdb":
        return OpenedDuckdb(database)


class OpenedDuckdb:
    def __init__(self, database: Database) -> None:
        import duckdb

        self._connection: Any = duckdb.connect(config={"threads": 1})
        for statement in statements_of(database):
            self._connection.execute(statement)

    def switch(self, off: str) -> None:
        self._connection.execute(_statement(off))

    def plan(self, sql: str) -> str:
        return str(self.rows(f"EXPLAIN {sql}"))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._connection.execute(sql).fetchall()
        return found

    def close(self) -> None:
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
    ("InternalException", "FatalException", "INTERNAL Error"),
    _statement,
    _program,
)
