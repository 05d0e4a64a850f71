"""DuckDB's optimizers, switched off one by one by `disabled_optimizers`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.fuzzing.small_databases import Tables
from equivalence.fuzzing.sql_executors import DuckdbExecutor, insertion
from equivalence.fuzzing.switches_under_test import EVERY, Answered, Trial
from semantics import SnapeqError
from semantics.sql.errors import one_of

if TYPE_CHECKING:
    from physical.adapters.duckdb_engine import Database


@dataclass(frozen=True)
class AskOptimizers:
    """Which optimizers are there?"""

    def run(self, database: "Database") -> list[str]:
        return [row[0] for row in database.connection.execute("SELECT name FROM duckdb_optimizers()").fetchall()]


@dataclass(frozen=True)
class TryOptimizers:
    """A query on some databases, with each of these settings; answers are rows or the error."""

    databases: tuple[tuple[str, ...], ...]
    """The statements that make each."""
    sql: str
    off: tuple[str, ...]

    def run(self, database: "Database") -> list[tuple[str, list[Any]]]:
        """The plan on the last database, and the answers on all of them; with the same plan they are the same."""
        del database  # after an internal error, a database is of no use any more
        plans = self._asked(self.databases[-1], self.off, "EXPLAIN ")
        firing = [switch for switch in self.off if not switch or plans[switch] != plans[""]]
        answers = [self._asked(statements, firing) for statements in self.databases]
        return [
            (str(plans[switch]), [answer[switch if switch in firing else ""] for answer in answers])
            for switch in self.off
        ]

    def _asked(self, statements: tuple[str, ...], off: Sequence[str], before: str = "") -> dict[str, Any]:
        """What there is to fetch with each setting on one database, or the error."""
        import duckdb

        made, connection = {}, None
        for switch in off:
            try:
                connection = connection or _connected(statements)
                connection.execute(f"SET disabled_optimizers = '{switch}'")
                made[switch] = connection.execute(before + self.sql).fetchall()
            except duckdb.Error as error:
                made[switch] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
                connection = None
        return made


def _connected(statements: tuple[str, ...]) -> Any:
    import duckdb

    connection = duckdb.connect(config={"threads": 1})
    for statement in statements:
        connection.execute(statement)
    return connection


class DuckdbSwitches:
    """DuckDB in a process of its own, in which all settings are tried on a query, one after the other."""

    name = "duckdb"

    def __init__(self, rule: str | None = None) -> None:
        self._executor = DuckdbExecutor()
        self._rule = rule

    @property
    def version(self) -> str:
        return self._executor.version

    @cached_property
    def switches(self) -> tuple[str, ...]:
        known: Any = self._executor.process.ask(AskOptimizers())
        if self._rule is None:
            return tuple(known)
        if self._rule not in known:
            raise SnapeqError(f"duckdb has no optimizer {self._rule}; expected {one_of(known)}")
        return (self._rule,)

    def trials(
        self, schema: RelationalSchema, databases: Sequence[Tables], sql: str, off: Sequence[str]
    ) -> Mapping[str, Trial]:
        made = [(*schema.ddl, *_insertions(tables)) for tables in databases]
        settings = ("", *off)
        try:
            tried: Any = self._executor.process.ask(TryOptimizers(tuple(made), sql, settings))
        except SnapeqError as error:
            if len(settings) == 1:
                return {settings[0]: Trial("", (str(error),) * len(databases))}
            alone = [self._alone(made, sql, switch, len(databases)) for switch in settings]
            return dict(zip(settings, alone, strict=True))
        return {switch: _trial(*one) for switch, one in zip(settings, tried, strict=True)}

    def _alone(self, made: Sequence[tuple[str, ...]], sql: str, switch: str, number: int) -> Trial:
        """One setting by itself: another one has ended the process."""
        try:
            tried: Any = self._executor.process.ask(TryOptimizers(tuple(made), sql, ("", switch)))
        except SnapeqError as error:
            return Trial("", (str(error),) * number)
        return _trial(*tried[-1])

    def setting(self, switch: str) -> str:
        return f"SET disabled_optimizers = '{switch}'"

    def reproduction(self, switch: str, sql: str, schema: RelationalSchema, tables: Tables) -> str:
        settings = [""] if switch == EVERY else ["", switch]
        return "\n".join(
            [
                "import duckdb",
                "",
                f"for switched_off in {settings!r}:",
                "    connection = duckdb.connect()",
                "    for statement in (",
                *(f"        {statement!r}," for statement in (*schema.ddl, *_insertions(tables))),
                "    ):",
                "        connection.execute(statement)",
                "    connection.execute(f\"SET disabled_optimizers = '{switched_off}'\")",
                "    try:",
                f"        print(connection.execute({sql!r}).fetchall())",
                "    except duckdb.Error as error:",
                "        print(error)",
                "",
            ]
        )


def _insertions(tables: Tables) -> list[str]:
    return [insertion(name, row) for name, rows in tables.items() for row in rows]


def _trial(plan: str, answers: Sequence[Any]) -> Trial:
    read: list[Answered] = [answer if isinstance(answer, str) else [tuple(row) for row in answer] for answer in answers]
    return Trial(plan, tuple(read))
