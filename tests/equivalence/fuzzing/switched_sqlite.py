"""An engine with switches for tests: SQLite behind an optimizer of texts, whose rules can be switched off."""

from collections.abc import Callable, Mapping, Sequence

from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.fuzzing.small_databases import Tables
from equivalence.fuzzing.sql_executors import Refused, SqliteExecutor
from equivalence.fuzzing.sql_rewrite import normal
from equivalence.fuzzing.switches_under_test import Answered, Trial


class SwitchedSqlite:
    """Each rule rewrites a query before it is run; a rule that raises is an internal error of the engine."""

    name = "switched"
    version = "1"
    databases = 4

    def __init__(self, rules: Mapping[str, Callable[[str], str]], needed: Sequence[str] = ()) -> None:
        self._rules = rules
        self._needed = needed
        self.switches = tuple(rules)

    def trials(
        self, schema: RelationalSchema, databases: Sequence[Tables], sql: str, off: Sequence[str]
    ) -> Mapping[str, Trial]:
        return {switch: self._trial(schema, databases, sql, switch) for switch in ("", *off)}

    def _trial(self, schema: RelationalSchema, databases: Sequence[Tables], sql: str, off: str) -> Trial:
        plan = sql
        try:
            for name, rule in self._rules.items():
                plan = plan if name == off else normal(rule(plan))
        except Exception as error:
            return Trial("none", (f"internal error: {error}",) * len(databases))
        return Trial(plan, tuple(_answer(schema, tables, plan) for tables in databases))

    def is_fault(self, error: str) -> bool:
        return error.startswith("internal error")

    def is_needed(self, switch: str) -> bool:
        return switch in self._needed

    def setting(self, switch: str) -> str:
        return f"SET {switch} = off"

    def reproduction(self, switch: str, sql: str, schema: RelationalSchema, tables: Tables) -> str:
        return f"{switch}: {sql} on {schema.ddl} with {tables}"


def _answer(schema: RelationalSchema, tables: Tables, sql: str) -> Answered:
    try:
        return SqliteExecutor().run(schema.ddl, tables, sql)
    except Refused as error:
        return str(error)
