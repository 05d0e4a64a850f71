"""What runs in the process of an engine: a query on some databases, with everything on and with each switch off.

A switch whose plan is that of everything on is not tried on data: with the same plan, answers are the same.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from equivalence.fuzzing.relational_schema import Table
from equivalence.fuzzing.sql_executors import insertion
from semantics import Row

ON = ""
"""The name of the setting in which everything is on."""


@dataclass(frozen=True)
class FilledTable:
    """A table and its rows, on the way to an engine."""

    table: Table
    rows: tuple[Row, ...]

    @property
    def statements(self) -> list[str]:
        """What makes and fills it, in words that every system reads."""
        rows = [insertion("", row).partition("VALUES ")[2] for row in self.rows]
        return [self.table.ddl, *([f"INSERT INTO {self.table.name} VALUES {', '.join(rows)}"] if rows else [])]


Database = tuple[FilledTable, ...]


class Opened(Protocol):
    """A database that an engine has open."""

    def switch(self, off: str) -> None:
        """Everything on, but this; everything, if it is empty."""
        ...

    def plan(self, sql: str) -> str:
        """How the query would be run."""
        ...

    def rows(self, sql: str) -> Sequence[Sequence[Any]]: ...

    def close(self) -> None: ...


class Laboratory(Protocol):
    """An engine as it is driven in its own process."""

    @property
    def version(self) -> str: ...

    def switches(self) -> Sequence[str]:
        """What can be switched off."""
        ...

    def opened(self, database: Database) -> Opened: ...


@dataclass(frozen=True)
class AskSwitches:
    """What can be switched off?"""

    def run(self, laboratory: Laboratory) -> list[str]:
        return list(laboratory.switches())


@dataclass(frozen=True)
class AskVersion:
    """Which version of the engine is it?"""

    def run(self, laboratory: Laboratory) -> str:
        return laboratory.version


@dataclass(frozen=True)
class TryQuery:
    """A query on some databases, with each of these settings."""

    databases: tuple[Database, ...]
    sql: str
    settings: tuple[str, ...]
    """Switches, of which one at a time is off; the first one is ON."""

    def run(self, laboratory: Laboratory) -> list[tuple[str, list[Any]]]:
        """For each setting the plan on the last database, and what there is on each of them: rows, or an error."""
        plans = self._asked(laboratory, self.databases[-1], self.settings, planned=True)
        firing = [setting for setting in self.settings if setting == ON or plans[setting] != plans[ON]]
        answers = [self._asked(laboratory, database, firing, planned=False) for database in self.databases]
        return [
            (str(plans[setting]), [answer[setting if setting in firing else ON] for answer in answers])
            for setting in self.settings
        ]

    def _asked(
        self, laboratory: Laboratory, database: Database, settings: Sequence[str], *, planned: bool
    ) -> dict[str, Any]:
        """The answer with each setting; after an error, the database is opened anew."""
        made: dict[str, Any] = {}
        opened: Opened | None = None
        for setting in settings:
            try:
                opened = opened or laboratory.opened(database)
                opened.switch(setting)
                made[setting] = opened.plan(self.sql) if planned else list(map(tuple, opened.rows(self.sql)))
            except BaseException as error:  # a panic of a library in Rust is no Exception
                if isinstance(error, KeyboardInterrupt | SystemExit):
                    raise
                made[setting] = _in_words(error)
                _closed(opened)
                opened = None
        _closed(opened)
        return made


def _in_words(error: BaseException) -> str:
    """The kind of an error and its first line: further ones tell where in the engine it was."""
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"


def _closed(opened: Opened | None) -> None:
    if opened is not None:
        with suppress(Exception):
            opened.close()


def statements_of(database: Database) -> list[str]:
    """CREATE and INSERT, for engines that have both."""
    return [statement for filled in database for statement in filled.statements]
