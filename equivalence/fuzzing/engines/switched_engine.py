"""An engine with switches, in a process of its own: a crash of it ends nothing here."""

import atexit
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from equivalence.fuzzing.engines.laboratory import ON, AskSwitches, AskVersion, Database, FilledTable, TryQuery
from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.fuzzing.small_databases import Tables
from equivalence.fuzzing.switches_under_test import DATABASES, EVERY, Answered, Trial
from physical.adapters.environments import Environment
from physical.adapters.sql import remote_engine
from physical.adapters.worker_process import WorkerProcess
from semantics import SnapeqError
from semantics.sql.errors import one_of

ENDED = "the process of"
"""How the message begins that an engine has crashed."""


@dataclass(frozen=True)
class Engine:
    """What there is to know of an engine outside its process."""

    name: str
    environment: Environment
    laboratory: type
    """Made in the process; has no arguments."""
    faults: tuple[str, ...]
    """Words of errors that no query may cause. With any other error, the engine says that it does not run a query."""
    statement: Callable[[str], str]
    """What switches something off, in the words of the engine."""
    program: Callable[[Sequence[str], str, Database], list[str]]
    """Lines of Python without snapeq that run a query with each of some settings, given what follows."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Environment variables of the process."""
    is_needed: Callable[[str], bool] = lambda _: False
    """Is a switch one without which queries may fail, since what it switches off is no mere improvement?"""
    databases: int = DATABASES
    """On how many databases a query is tried."""


class SwitchedEngine:
    """All settings are tried on a query, one after the other."""

    def __init__(self, engine: Engine, rule: str | None = None) -> None:
        engine.environment.check_installed()
        self.name = engine.name
        self.databases = engine.databases
        self._engine = engine
        self._rule = rule
        made = f"{engine.laboratory.__module__}:{engine.laboratory.__qualname__}"
        self._process = WorkerProcess(
            engine.environment, remote_engine.__name__, {remote_engine.ENGINE: made, **engine.settings}
        )
        atexit.register(self._process.stop)

    @cached_property
    def version(self) -> str:
        return str(self._process.ask(AskVersion()))

    @cached_property
    def switches(self) -> tuple[str, ...]:
        known: Any = self._process.ask(AskSwitches())
        if self._rule is None:
            return tuple(known)
        if self._rule not in known:
            raise SnapeqError(f"{self.name} has no switch {self._rule}; expected {one_of(known)}")
        return (self._rule,)

    def trials(
        self, schema: RelationalSchema, databases: Sequence[Tables], sql: str, off: Sequence[str]
    ) -> Mapping[str, Trial]:
        made = tuple(_database(schema, tables) for tables in databases)
        settings = (ON, *off)
        try:
            tried: Any = self._process.ask(TryQuery(made, sql, settings))
        except SnapeqError as error:
            if len(settings) == 1:
                return {ON: Trial("", (str(error),) * len(databases))}
            return {setting: self._alone(made, sql, setting) for setting in settings}
        return {setting: _trial(*one) for setting, one in zip(settings, tried, strict=True)}

    def _alone(self, databases: tuple[Database, ...], sql: str, setting: str) -> Trial:
        """One setting by itself: another one has ended the process."""
        try:
            tried: Any = self._process.ask(TryQuery(databases, sql, tuple(dict.fromkeys((ON, setting)))))
        except SnapeqError as error:
            return Trial(setting, (str(error),) * len(databases))
        return _trial(*tried[-1])

    def is_fault(self, error: str) -> bool:
        return error.startswith(ENDED) or any(words in error for words in self._engine.faults)

    def is_needed(self, switch: str) -> bool:
        return self._engine.is_needed(switch)

    def setting(self, switch: str) -> str:
        return self._engine.statement(switch)

    def reproduction(self, switch: str, sql: str, schema: RelationalSchema, tables: Tables) -> str:
        settings = [ON] if switch == EVERY else [ON, switch]
        return "\n".join([*self._engine.program(settings, sql, _database(schema, tables)), ""])


def _database(schema: RelationalSchema, tables: Tables) -> Database:
    return tuple(FilledTable(table, tuple(tables.get(table.name, ()))) for table in schema.tables)


def _trial(plan: str, answers: Sequence[Any]) -> Trial:
    read: list[Answered] = [answer if isinstance(answer, str) else [tuple(row) for row in answer] for answer in answers]
    return Trial(plan, tuple(read))
