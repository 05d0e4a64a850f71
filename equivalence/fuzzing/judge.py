"""Is a rewrite right? By the reference on small databases, by a short proof, and by systems that run both texts."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from sqlite3 import Connection
from typing import Final
from zlib import crc32

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from equivalence.cases.random_cases import Case
from equivalence.comparison.solvers import solvers_missing
from equivalence.comparison.time_limit import OutOfTime, time_limit
from equivalence.fuzzing.relational_reading import Unreadable, read_relational
from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.fuzzing.small_databases import (
    Difference,
    answers,
    directed_databases,
    first_difference,
    free_databases,
    known_about,
    tables_of,
)
from equivalence.fuzzing.sql_executors import Executor, Refused, asked, executors, filled_sqlite, same_rows
from equivalence.fuzzing.sql_rewrite import Rewrite
from semantics import Multiset, Plan, Row

FREE_DATABASES: Final = 16
DIRECTED_DATABASES: Final = 3
SECONDS_FOR_A_PROOF: Final = 0.2
EXECUTED_DATABASES: Final = 6
"""How many databases a system runs both texts on where the reference cannot read one."""


Both = tuple[list[Row], list[Row]]
"""What the text before a rewrite gives, and what the text after it does."""


class Outcome(StrEnum):
    """What was found out about a rewrite that changed the text."""

    PROVED = "proved"
    AGREED = "agreed"
    REFUTED = "refuted"
    UNREADABLE = "unreadable"
    UNCONFIRMED = "unconfirmed"
    """The reference sees a difference that no system shows: nothing is claimed."""


@dataclass(frozen=True)
class Wrong:
    """How a rewrite is wrong: data, what the text before it gives there, and what the text after it does."""

    case: Case
    expected: tuple[Row, ...]
    got: "tuple[Row, ...] | str"
    """Rows, or the error."""
    oracle: str
    confirmed_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """The outcome, with what is wrong, or why nothing can be said."""

    outcome: Outcome
    wrong: Wrong | None = None
    reason: str = ""


class Judge:
    """Judges rewrites of queries over one schema. A proof is looked for that long, and not at all in 0 seconds."""

    def __init__(
        self,
        schema: RelationalSchema,
        systems: Sequence[Executor] | None = None,
        *,
        seconds: float = SECONDS_FOR_A_PROOF,
    ) -> None:
        self.schema = schema
        self.systems = executors() if systems is None else tuple(systems)
        self._free = free_databases(schema, FREE_DATABASES, "free")
        self._seconds = seconds if solvers_missing() is None else 0
        self.plan: Callable[[str], Plan] = lru_cache(64)(self._plan)
        self._screened: Callable[[str], list[list[Row]] | None] = lru_cache(16)(self._on_sqlite)
        self._answers: Callable[[str], list[Multiset | None]] = lru_cache(16)(
            lambda text: answers(self.plan(text), self._free)
        )

    def judge(self, rewrite: Rewrite, reference_one_in: int = 1) -> Judgement:
        """What is to be said of a rewrite that fired.

        Of `reference_one_in` rewrites, one is given to the reference and the prover whatever SQLite says of it.
        """
        if rewrite.after is None:
            return self._failure(rewrite, rewrite.error or "", "the rule itself")
        if rewrite.before == rewrite.after.replace('"', ""):
            return Judgement(Outcome.PROVED)  # names in quotes are the same names: all of ours are in lower case
        if self._is_screened(rewrite, reference_one_in):
            return Judgement(Outcome.AGREED)
        try:
            before = self.plan(rewrite.before)
        except Unreadable as error:
            return self._run_alone(rewrite, str(error))
        try:
            after = self.plan(rewrite.after)
        except Unreadable as error:
            return self._executed(rewrite, str(error))
        return self._compared(rewrite, before, after)

    def _is_screened(self, rewrite: Rewrite, reference_one_in: int) -> bool:
        """Is it enough that SQLite sees no difference? It is, for most; what it does see, the reference decides."""
        assert rewrite.after is not None
        if crc32(rewrite.after.encode()) % reference_one_in == 0:
            return False
        return _agree(self._screened(rewrite.before), self._screened(rewrite.after))

    def is_same_on_sqlite(self, rewrite: Rewrite, first: Case) -> bool:
        """Does SQLite see no difference, on this database or any other that is always tried?"""
        assert rewrite.after is not None
        mine, other = (self._on_one(text, first) for text in (rewrite.before, rewrite.after))
        return _agree(mine, other) and _agree(self._screened(rewrite.before), self._screened(rewrite.after))

    def _on_one(self, text: str, case: Case) -> list[list[Row]] | None:
        with closing(filled_sqlite(self.schema.ddl, tables_of(case))) as connection:
            return _rows_of([connection], text)

    def tells(self, text: str) -> bool:
        """Does a query give rows, and not the same on all databases?"""
        rows = self._screened(text)
        return rows is not None and any(rows) and any(not same_rows(rows[0], other) for other in rows[1:])

    def _on_sqlite(self, text: str) -> list[list[Row]] | None:
        return _rows_of(self._connections, text)

    @cached_property
    def _connections(self) -> list[Connection]:
        return [filled_sqlite(self.schema.ddl, tables_of(case)) for case in self._free]

    def differs(self, rewrite: Rewrite, first: Case) -> Difference | None:
        """Does the reference see a difference, on this database or any other that is tried? Unreadable if it cannot."""
        assert rewrite.after is not None
        if self.plan(rewrite.before) == self.plan(rewrite.after):
            return None
        return self.on(rewrite, first) or self._difference(rewrite.before, rewrite.after)

    def on(self, rewrite: Rewrite, case: Case) -> Difference | None:
        """The difference on this very database."""
        assert rewrite.after is not None
        mine, other = answers(self.plan(rewrite.before), [case]), answers(self.plan(rewrite.after), [case])
        return first_difference([case], mine, other)

    def _difference(self, before: str, after: str) -> Difference | None:
        """On the databases that are always tried."""
        return first_difference(self._free, self._answers(before), self._answers(after))

    def _plan(self, text: str) -> Plan:
        return read_relational(text, self.schema)

    def _compared(self, rewrite: Rewrite, before: Plan, after: Plan) -> Judgement:
        if before == after:
            return Judgement(Outcome.PROVED)
        if len(before.schema) != len(after.schema):
            return self._executed(rewrite, f"the columns are {after.schema}, before they were {before.schema}")
        found = self._difference(rewrite.before, rewrite.after or "")
        if found is None:
            cases = directed_databases(before, after, self.schema, DIRECTED_DATABASES)
            found = first_difference(cases, answers(before, cases), answers(after, cases))
        if found is not None:
            return self.confirmed(rewrite, found)
        return self._proved(before, after)

    def _proved(self, before: Plan, after: Plan) -> Judgement:
        if not self._seconds:
            return Judgement(Outcome.AGREED)
        from equivalence.fuzzing.proof_of_rewrite import is_proved

        try:
            with time_limit(self._seconds):
                proved = is_proved(before, after, known_about(before, after, self.schema))
        except OutOfTime:
            proved = False
        return Judgement(Outcome.PROVED if proved else Outcome.AGREED)

    def confirmed(self, rewrite: Rewrite, found: Difference, oracle: str = "reference") -> Judgement:
        """Refuted, if a system that runs both texts gives what the reference says of each of them."""
        assert rewrite.after is not None
        expected, got = tuple(found.left), tuple(found.right)
        agreeing = []
        for system in self.systems:
            mine, other = self._run(system, rewrite.before, found.case), self._run(system, rewrite.after, found.case)
            if _are(mine, expected) and _are(other, got):
                agreeing.append(f"{system.name} {system.version}")
        if not agreeing:
            return Judgement(Outcome.UNCONFIRMED, reason=f"{rewrite.before} → {rewrite.after}")
        return Judgement(Outcome.REFUTED, Wrong(found.case, expected, got, oracle, tuple(agreeing)))

    def _executed(self, rewrite: Rewrite, reason: str) -> Judgement:
        """A text that has no plan here is compared by the systems alone; it stays unreadable if they see nothing."""
        for system in self.systems:
            for case in self._free[:EXECUTED_DATABASES]:
                answered = self._both(system, rewrite, case)
                if answered is None:
                    break  # mostly it is the text that it does not run, whatever the rows are
                if not same_rows(*answered):
                    return _by_execution(case, answered, [system])
        return self._failure(rewrite, reason, "execution")

    def _run_alone(self, rewrite: Rewrite, reason: str) -> Judgement:
        """A query that has no plan here: wrong only if all systems agree on it, and all on another answer after it."""
        for case in self._free[:EXECUTED_DATABASES]:
            answered = self._unanimous(rewrite, case)
            if answered is not None:
                return _by_execution(case, answered, self.systems)
        return Judgement(Outcome.UNREADABLE, reason=reason)

    def executed_on(self, rewrite: Rewrite, case: Case, names: Sequence[str]) -> Judgement | None:
        """What these systems give for both texts on this very database, if it differs, and all give the same."""
        asked = [system for system in self.systems if f"{system.name} {system.version}" in names]
        given = [self._both(system, rewrite, case) for system in asked]
        first = given[0] if given else None
        if first is None or same_rows(*first):
            return None
        alike = all(both is not None and all(map(same_rows, both, first)) for both in given)
        return _by_execution(case, first, asked) if alike else None

    def _unanimous(self, rewrite: Rewrite, case: Case) -> Both | None:
        """The two answers that all systems give, if those are two and there are several systems."""
        given: list[Both] = []
        for system in self.systems:
            answered = self._both(system, rewrite, case)
            if answered is None or same_rows(*answered) or not all(map(same_rows, answered, (given or [answered])[0])):
                return None  # the next one, which may be slower, need not be asked
            given.append(answered)
        return given[0] if len(given) > 1 else None

    def _both(self, system: Executor, rewrite: Rewrite, case: Case) -> Both | None:
        """What a system gives for both texts; None if it does not run one of them."""
        assert rewrite.after is not None
        mine = self._run(system, rewrite.before, case)
        other = mine if isinstance(mine, str) else self._run(system, rewrite.after, case)
        return None if isinstance(mine, str) or isinstance(other, str) else (mine, other)

    def _failure(self, rewrite: Rewrite, reason: str, oracle: str) -> Judgement:
        """A rule that raises, or writes what no system runs, is wrong if the query itself is run by all of them."""
        case = self._free[0]
        expected = [self._run(system, rewrite.before, case) for system in self.systems]
        answered = [rows for rows in expected if not isinstance(rows, str)]
        got = self._errors(rewrite, case)
        if len(answered) < len(self.systems) or len(got) < len(self.systems) or _has_new_functions(rewrite):
            return Judgement(Outcome.UNREADABLE, reason=reason)
        names = tuple(f"{system.name} {system.version}" for system in self.systems)
        return Judgement(Outcome.REFUTED, Wrong(case, tuple(answered[0]), got[0], oracle, names))

    def _errors(self, rewrite: Rewrite, case: Case) -> list[str]:
        """What each system that does not run the text says, or the rule itself."""
        if rewrite.after is None:
            return [rewrite.error or ""] * len(self.systems)
        got = [self._run(system, rewrite.after, case) for system in self.systems]
        return [error for error in got if isinstance(error, str)]

    def _run(self, system: Executor, sql: str, case: Case) -> list[Row] | str:
        try:
            return system.run(self.schema.ddl, tables_of(case), sql)
        except Refused as error:
            return str(error)


def _rows_of(connections: Sequence[Connection], text: str) -> list[list[Row]] | None:
    """What each database gives; None if SQLite does not run the query."""
    try:
        return [asked(connection, text) for connection in connections]
    except Refused:
        return None


def _agree(mine: list[list[Row]] | None, other: list[list[Row]] | None) -> bool:
    return mine is not None and other is not None and all(map(same_rows, mine, other))


def _by_execution(case: Case, answered: Both, systems: Sequence[Executor]) -> Judgement:
    names = tuple(f"{system.name} {system.version}" for system in systems)
    return Judgement(Outcome.REFUTED, Wrong(case, tuple(answered[0]), tuple(answered[1]), "execution", names))


def _are(rows: list[Row] | str, wanted: Sequence[Row]) -> bool:
    return not isinstance(rows, str) and same_rows(rows, wanted)


def _has_new_functions(rewrite: Rewrite) -> bool:
    """Does a text call what the one before it did not? Then it may be for a system that is not here."""
    return rewrite.after is not None and not _functions(rewrite.after) <= _functions(rewrite.before)


def _functions(text: str) -> set[str]:
    """None, as far as can be seen, if the text is none of SQL."""
    try:
        tree = parse_one(text)
    except SqlglotError:
        return set()
    return {node.sql_name() if isinstance(node, exp.Func) else "" for node in tree.find_all(exp.Func)}
