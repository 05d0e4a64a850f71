"""An engine whose optimizers can be switched off one by one: on against off, and against the reference."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol
from zlib import crc32

from sqlglot import exp, parse_one

from equivalence.cases.random_cases import Case
from equivalence.cases.reduce_case import reduced
from equivalence.fuzzing.campaign import Observation
from equivalence.fuzzing.fuzz_finding import FuzzFinding
from equivalence.fuzzing.judge import Outcome
from equivalence.fuzzing.reduce_sql import reduce_sql
from equivalence.fuzzing.relational_reading import Unreadable, read_relational
from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.fuzzing.small_databases import Tables, answers, free_databases, tables_of
from equivalence.fuzzing.sql_executors import Executor, Refused, executors, same_rows
from semantics import Row

DATABASES: Final = 6
CLOSELY_ONE_IN: Final = 4
"""Of the queries that look right with everything on, one in so many is tried with each switch."""
EVERY: Final = "every setting"
"""To blame where the answer is wrong whatever is switched off."""

Answered = list[Row] | str
"""Rows, or the error."""


@dataclass(frozen=True)
class Trial:
    """How an engine runs a query with one switch: its plan, and its answer on each database."""

    plan: str
    answers: tuple[Answered, ...]


class Switches(Protocol):
    """An engine with switches."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def switches(self) -> tuple[str, ...]: ...
    @property
    def databases(self) -> int:
        """On how many databases a query is tried."""
        ...

    def trials(
        self, schema: RelationalSchema, databases: Sequence[Tables], sql: str, off: Sequence[str]
    ) -> Mapping[str, Trial]:
        """With everything on, under the name "", and with each of these off."""
        ...

    def is_fault(self, error: str) -> bool:
        """Is an error one that no query may cause? With all others, the engine only says that it does not run it."""
        ...

    def is_needed(self, switch: str) -> bool:
        """May queries fail with this off? Then only what is wrong with it on counts."""
        ...

    def setting(self, switch: str) -> str:
        """The statement that switches something off."""
        ...

    def reproduction(self, switch: str, sql: str, schema: RelationalSchema, tables: Tables) -> str:
        """A program without snapeq that shows both answers."""
        ...


@dataclass(frozen=True)
class Deviation:
    """A database on which an answer is wrong: with everything on or, if `off`, with the switch off."""

    switch: str
    case: Case
    expected: Answered
    got: Answered
    off: bool = False


@dataclass(frozen=True)
class Asked:
    """A query on some databases, and the right answers as far as they are known."""

    sql: str
    cases: Sequence[Case]
    right: Sequence[Answered | None]
    trials: Mapping[str, Trial]
    read: bool
    """Does the reference know them? Else it is what other systems agree on: that blames a switch, not the engine."""


class SwitchesUnderTest:
    """Which optimizers of an engine change answers, not only plans?

    Other systems confirm what the reference says where no switch tells right from wrong.
    """

    def __init__(self, engine: Switches, systems: Sequence[Executor] | None = None) -> None:
        self.name = engine.name
        self.version = engine.version
        self.rules = (*engine.switches, EVERY)
        self._engine = engine
        known = executors() if systems is None else systems
        self._systems = [system for system in known if system.name != engine.name]
        self._databases: dict[RelationalSchema, list[Case]] = {}

    def observe(self, sql: str, schema: RelationalSchema, fired: Mapping[str, int]) -> Iterator[Observation]:
        del fired
        if self._passes(sql, schema):
            return
        asked = self._asked(sql, schema, self._cases(schema), self._engine.switches)
        whole = asked.trials[""]
        for switch in (EVERY, *self._engine.switches):
            if switch == EVERY or asked.trials[switch].plan != whole.plan:
                yield self._observed(schema, asked, switch)

    def _passes(self, sql: str, schema: RelationalSchema) -> bool:
        """Is it enough that the engine, with everything on, agrees with another system? What it refuses is counted."""
        if not self._systems or crc32(sql.encode()) % CLOSELY_ONE_IN == 0:
            return False
        databases = [tables_of(case) for case in self._cases(schema)]
        given = self._engine.trials(schema, databases, sql, ())[""].answers
        try:
            return all(
                isinstance(mine, list) and same_rows(mine, self._systems[0].run(schema.ddl, tables, sql))
                for mine, tables in zip(given, databases, strict=True)
            )
        except Refused:
            return False

    def _cases(self, schema: RelationalSchema) -> list[Case]:
        return self._databases.setdefault(schema, free_databases(schema, self._engine.databases, "switches"))

    def _asked(self, sql: str, schema: RelationalSchema, cases: Sequence[Case], off: Sequence[str]) -> Asked:
        trials = self._engine.trials(schema, [tables_of(case) for case in cases], sql, off)
        right = _right(sql, schema, cases)
        if right is None:
            return Asked(sql, cases, [self._agreed(sql, schema, case) for case in cases], trials, read=False)
        return Asked(sql, cases, right, trials, read=True)

    def _agreed(self, sql: str, schema: RelationalSchema, case: Case) -> Answered | None:
        """What all other systems give, if they give the same."""
        found = []
        for system in self._systems:
            try:
                found.append(system.run(schema.ddl, tables_of(case), sql))
            except Refused:
                return None
        return found[0] if found and all(same_rows(found[0], other) for other in found) else None

    def _observed(self, schema: RelationalSchema, asked: Asked, switch: str) -> Observation:
        refused = self._refused(asked.trials["" if switch == EVERY else switch])
        if refused is not None:
            return Observation(switch, Outcome.UNREADABLE, f"{refused}: {asked.sql}")
        found = self._deviation(asked, switch)
        if found is None:
            return Observation(switch, Outcome.AGREED, telling=_tells(asked.trials[""]))
        if switch == EVERY and not self._is_confirmed(found, asked.sql, schema):
            return Observation(switch, Outcome.UNCONFIRMED, asked.sql)
        return Observation(switch, Outcome.REFUTED, shrink=partial(self._finding, asked.sql, schema, found))

    def _refused(self, trial: Trial) -> str | None:
        """What an engine says that does not run a query on any database."""
        said = [answer for answer in trial.answers if isinstance(answer, str) and not self._engine.is_fault(answer)]
        return said[0] if len(said) == len(trial.answers) else None

    def _deviation(self, asked: Asked, switch: str) -> Deviation | None:
        for place, case in enumerate(asked.cases):
            answers = {name: trial.answers[place] for name, trial in asked.trials.items()}
            right = asked.right[place]
            if switch == EVERY:
                found = self._everywhere(case, right, answers) if asked.read else None
            else:
                found = self._between(switch, case, right, answers)
            if found is not None:
                return found
        return None

    def _everywhere(self, case: Case, right: Answered | None, answers: Mapping[str, Answered]) -> Deviation | None:
        """A wrong answer that no switch mends; where one does, that one is to blame."""
        whole = answers[""]
        if right is None or not self._differ(right, whole):
            return None
        mended = any(isinstance(other, list) and not self._differ(right, other) for other in answers.values())
        return None if mended else Deviation(EVERY, case, right, whole)

    def _between(
        self, switch: str, case: Case, right: Answered | None, answers: Mapping[str, Answered]
    ) -> Deviation | None:
        """On against off; the reference knows which of both is wrong."""
        whole, other = answers[""], answers[switch]
        if not self._differ(other, whole):
            return None
        off = isinstance(other, str) if right is None else self._differ(right, other)
        if off and self._engine.is_needed(switch):
            return None
        return Deviation(switch, case, whole, other, True) if off else Deviation(switch, case, other, whole)

    def _differ(self, left: Answered, right: Answered) -> bool:
        """Do they contradict each other? Whoever does not run a query contradicts nobody."""
        if isinstance(left, list) and isinstance(right, list):
            return not same_rows(left, right)
        errors = [answer for answer in (left, right) if isinstance(answer, str)]
        return len(errors) == 1 and self._engine.is_fault(errors[0])

    def _is_confirmed(self, found: Deviation, sql: str, schema: RelationalSchema) -> bool:
        """Does another system give what the reference does?"""
        assert isinstance(found.expected, list)
        return bool(self._confirming(found, sql, schema))

    def _confirming(self, found: Deviation, sql: str, schema: RelationalSchema) -> list[str]:
        agreeing = []
        for system in self._systems:
            try:
                rows = system.run(schema.ddl, tables_of(found.case), sql)
            except Refused:
                continue
            if isinstance(found.expected, list) and same_rows(rows, found.expected):
                agreeing.append(f"{system.name} {system.version}")
        return agreeing

    def _finding(self, sql: str, schema: RelationalSchema, found: Deviation, number: int) -> FuzzFinding:
        small = reduce_sql(sql, lambda text: self._again(text, schema, found, found.case) is not None)
        found = self._again(small, schema, found, found.case) or found
        found = reduced(lambda case: self._again(small, schema, found, case), found.case, found, schema.constraints)
        used = {table.name for table in parse_one(small).find_all(exp.Table)}
        kept = schema.only(used)
        tables = {name: rows for name, rows in tables_of(found.case).items() if name in used}
        return FuzzFinding(
            found.switch,
            small,
            self._blamed(found),
            kept,
            tables,
            tuple(found.expected) if isinstance(found.expected, list) else (),
            tuple(found.got) if isinstance(found.got, list) else found.got,
            "reference" if found.switch == EVERY else "on against off",
            (f"{self.name} {self.version}", *self._confirming(found, small, schema)),
            self._engine.reproduction(found.switch, small, kept, tables),
            number,
        )

    def _blamed(self, found: Deviation) -> str:
        if found.switch == EVERY:
            return "as it is"
        statement = self._engine.setting(found.switch)
        return f"wrong after {statement}" if found.off else f"wrong as it is, right after {statement}"

    def _again(self, sql: str, schema: RelationalSchema, found: Deviation, case: Case) -> Deviation | None:
        """The same kind of deviation on another query or database."""
        off = () if found.switch == EVERY else (found.switch,)
        asked = self._asked(sql, schema, [case], off)
        if asked.right[0] is None:
            return None
        again = self._deviation(asked, found.switch)
        if again is None or _kind(again.got) != _kind(found.got) or again.off != found.off:
            return None
        return again if found.switch != EVERY or self._is_confirmed(again, sql, schema) else None


def _right(sql: str, schema: RelationalSchema, cases: Sequence[Case]) -> list[Answered | None] | None:
    """What the reference says; nothing on a database where its numbers become too large, or if it cannot read it."""
    try:
        plan = read_relational(sql, schema)
    except Unreadable:
        return None
    return [None if rows is None else list(rows) for rows in answers(plan, cases)]


def _tells(trial: Trial) -> bool:
    """Does a query give rows, and not the same on all databases?"""
    rows = [answer for answer in trial.answers if isinstance(answer, list)]
    return any(rows) and any(not same_rows(rows[0], other) for other in rows[1:])


def _kind(answer: Answered) -> str:
    """Rows, or the first words of an error."""
    return " ".join(answer.split()[:3]) if isinstance(answer, str) else "rows"
