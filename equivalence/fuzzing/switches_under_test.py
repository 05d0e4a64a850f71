"""An engine whose optimizers can be switched off one by one: on against off, and against the reference."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

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
from equivalence.fuzzing.sql_executors import same_rows
from semantics import Plan, Row

DATABASES: Final = 4
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

    name: str

    @property
    def version(self) -> str: ...
    @property
    def switches(self) -> tuple[str, ...]: ...

    def trials(
        self, schema: RelationalSchema, databases: Sequence[Tables], sql: str, off: Sequence[str]
    ) -> Mapping[str, Trial]:
        """With everything on, under the name "", and with each of these off."""
        ...

    def setting(self, switch: str) -> str:
        """The statement that switches something off."""
        ...

    def reproduction(self, switch: str, sql: str, schema: RelationalSchema, tables: Tables) -> str:
        """A program without snapeq that shows both answers."""
        ...


@dataclass(frozen=True)
class Deviation:
    """A query and a database on which a switch changes the answer, or both answers are wrong."""

    switch: str
    case: Case
    expected: Answered
    got: Answered


class SwitchesUnderTest:
    """Which optimizers of an engine change answers, not only plans?"""

    def __init__(self, engine: Switches) -> None:
        self.name = engine.name
        self.version = engine.version
        self.rules = (*engine.switches, EVERY)
        self._engine = engine
        self._databases: dict[RelationalSchema, list[Case]] = {}

    def observe(self, sql: str, schema: RelationalSchema, fired: Mapping[str, int]) -> Iterator[Observation]:
        del fired
        cases = self._cases(schema)
        trials = self._engine.trials(schema, [tables_of(case) for case in cases], sql, self._engine.switches)
        right = self._right(sql, schema, cases)
        whole = trials[""]
        yield self._observed(sql, schema, _first(EVERY, cases, right, whole.answers, trials), EVERY)
        for switch in self._engine.switches:
            if trials[switch].plan != whole.plan:
                found = _first(switch, cases, trials[switch].answers, whole.answers)
                yield self._observed(sql, schema, found, switch)

    def _cases(self, schema: RelationalSchema) -> list[Case]:
        return self._databases.setdefault(schema, free_databases(schema, DATABASES, "switches"))

    def _right(self, sql: str, schema: RelationalSchema, cases: Sequence[Case]) -> list[Answered | None]:
        try:
            plan = read_relational(sql, schema)
        except Unreadable:
            return [None] * len(cases)
        return [None if rows is None else list(rows) for rows in answers(plan, cases)]

    def _observed(self, sql: str, schema: RelationalSchema, found: Deviation | None, switch: str) -> Observation:
        if found is None:
            return Observation(switch, Outcome.AGREED)
        return Observation(switch, Outcome.REFUTED, shrink=partial(self._finding, sql, schema, found))

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
            "" if found.switch == EVERY else self._engine.setting(found.switch),
            kept,
            tables,
            tuple(found.expected) if isinstance(found.expected, list) else (),
            tuple(found.got) if isinstance(found.got, list) else found.got,
            "reference" if found.switch == EVERY else "on against off",
            (f"{self.name} {self.version}",),
            self._engine.reproduction(found.switch, small, kept, tables),
            number,
        )

    def _again(self, sql: str, schema: RelationalSchema, found: Deviation, case: Case) -> Deviation | None:
        """The same kind of deviation on another query or database."""
        try:
            plan: Plan = read_relational(sql, schema)
        except Unreadable:
            return None
        off = () if found.switch == EVERY else (found.switch,)
        trials = self._engine.trials(schema, [tables_of(case)], sql, off)
        whole = trials[""].answers
        if found.switch == EVERY:
            (rows,) = answers(plan, [case])
            again = _first(EVERY, [case], [None if rows is None else list(rows)], whole)
        else:
            again = _first(found.switch, [case], trials[found.switch].answers, whole)
        return again if again is not None and _kind(again.got) == _kind(found.got) else None


def _kind(answer: Answered) -> str:
    """Rows, or the first words of an error."""
    return " ".join(answer.split()[:3]) if isinstance(answer, str) else "rows"


def _first(
    switch: str,
    cases: Sequence[Case],
    expected: Sequence[Answered | None],
    got: Sequence[Answered],
    trials: Mapping[str, Trial] | None = None,
) -> Deviation | None:
    """The first database on which two answers differ. A switch that mends the answer is to blame, not every setting."""
    for place, (case, right, answer) in enumerate(zip(cases, expected, got, strict=True)):
        if right is not None and not _agree(right, answer):
            others = [trial.answers[place] for name, trial in (trials or {}).items() if name]
            if not any(_agree(right, other) for other in others):
                return Deviation(switch, case, right, answer)
    return None


def _agree(left: Answered, right: Answered) -> bool:
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str)
    return same_rows(left, right)
