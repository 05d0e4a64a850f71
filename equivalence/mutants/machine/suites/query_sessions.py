"""Queries that come and go in a session at any time; each must give what it would give alone."""

import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.schedules import DISORDER_SLACK, Heartbeat, Push, Schedule, Step, choose_schedule
from equivalence.cases.situation import choose_case_in, choose_plan_in
from equivalence.cases.situations import PLAIN
from equivalence.conformance.subject.results import elements, snapshots
from equivalence.lists.list_operators import ElementList
from equivalence.mutants.machine.suites.handing_in import can_be_saved, hand_in
from equivalence.mutants.machine.suites.settling import settles
from equivalence.mutants.machine.trial import Trial
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.session import Session
from physical.kernels.types import ENDLESS
from physical.runtime.operator import AnyOperator
from physical.runtime.statistics import OperatorStatistics
from semantics import IntervalStream, Plan, RawStream, Schema, SnapeqError, Type, WindowError, evaluate
from semantics.evaluate import Snapshots
from semantics.expression import Constant
from semantics.plan import Filter

HORIZON: Final = 16
TOO_LATE: Final = 6
"""Instants by which elements may come later than the session waits."""


def query_sessions(seed: int, size: int) -> Iterator[Trial]:
    """Sessions of two or three queries."""
    for number in range(size):
        case = _a_session(SeededChoices(f"query sessions/{seed}/{number}"))
        yield Trial("query sessions", number, case.wrong)


@dataclass(frozen=True)
class _Query:
    """A plan that runs from before one step of the schedule until before another, or to the end."""

    plan: Plan
    added: int
    removed: int | None
    migrated: int | None = None
    """Before which step it gets another plan that means the same."""

    def is_there(self, number: int) -> bool:
        """Does it run at this step?"""
        return self.added <= number and (self.removed is None or self.removed > number)


def _a_session(choices: Choices) -> "_SessionCase":
    operators = sorted(OPERATORS, key=lambda operator: operator.__name__)
    plans = [choose_plan_in(choices, PLAIN, choices.of(operators)) for _ in range(choices.between(2, 3))]
    if choices.chance(1, 4):
        plans[-1] = plans[0]
    sources = {name: schema for plan in plans for name, schema in plan.sources().items()}
    case = choose_case_in(choices, PLAIN, sources)
    slack, late = choices.of((0, DISORDER_SLACK)), choices.chance(1, 3)
    schedule = choose_schedule(choices, case, slack=slack + TOO_LATE if late else slack, heartbeats=not late)
    queries = tuple(_a_query(choices, plan, len(schedule)) for plan in plans)
    raw = frozenset(name for name, stream in case.items() if isinstance(stream, RawStream) and choices.chance(1, 2))
    settled = all(settles(plan, case) for plan in plans)
    saved = choices.below(len(schedule)) if choices.chance(1, 3) and can_be_saved(plans) else None
    threads, as_rows = choices.of((1, 2)), choices.chance(1, 2)
    return _SessionCase(sources, queries, schedule, slack, late, raw, settled, threads, saved, as_rows)


def _a_query(choices: Choices, plan: Plan, steps: int) -> _Query:
    added = choices.below(steps + 1) if choices.chance(1, 2) else 0
    leaves = added < steps and choices.chance(1, 2)
    removed = choices.between(added + 1, steps) if leaves else None
    last = steps if removed is None else removed - 1
    changes = added < last and choices.chance(1, 3)
    return _Query(plan, added, removed, choices.between(added + 1, last) if changes else None)


class _Known:
    """What a plain model knows of a session: which elements came in time, and what was promised."""

    def __init__(self, sources: Mapping[str, Schema], slack: int) -> None:
        self.slack = slack
        self.promised = dict.fromkeys(sources, 0)
        self.late = dict.fromkeys(sources, 0)
        self.taken: list[tuple[str, ElementList]] = []
        """By step: the source and the elements that came in time."""

    def take(self, step: Step) -> None:
        match step:
            case Heartbeat(instant=instant, source=source):
                self.promise(instant, source)
                self.taken.append(("", ()))
            case Push(source=name, elements=batch):
                in_time = tuple(element for element in batch if element[1].start >= self.promised[name])
                self.late[name] += len(batch) - len(in_time)
                self.taken.append((name, in_time))
                self.promise(step.latest - self.slack, name)

    def promise(self, instant: int, source: str | None = None) -> None:
        for name in self.promised if source is None else [source]:
            self.promised[name] = max(self.promised[name], instant)

    def stream(self, name: str, schema: Schema, since: int, until: int | None) -> IntervalStream:
        """What came of a source in these steps."""
        elements = [element for source, batch in self.taken[since:until] if source == name for element in batch]
        return IntervalStream(schema, sorted(elements, key=lambda element: element[1].start))


@dataclass(frozen=True)
class _SessionCase:
    sources: Mapping[str, Schema]
    queries: tuple[_Query, ...]
    schedule: Schedule
    slack: int
    drop_late: bool
    raw: frozenset[str]
    settles: bool
    """Can the session be closed, or would results go on for ever?"""
    threads: int = 1
    saved: int | None = None
    """Before which step it is saved, and goes on from what was saved."""
    as_rows: bool = False
    """Do batches come as rows, where they are in order?"""

    @cached_property
    def final(self) -> _Known:
        """What is known when all is over."""
        known = _Known(self.sources, self.slack)
        for number, step in enumerate(self.schedule):
            if self.leaving(number):
                for name, t in self.promises(number, known).items():
                    known.promise(t, name)
            known.take(step)
        return known

    @cached_property
    def expected(self) -> list[Snapshots]:
        return [self._alone(query) for query in self.queries]

    def promises(self, number: int, known: _Known) -> dict[str, int]:
        """For each source up to which instant nothing more comes after this many steps."""
        rest = {name: [HORIZON] for name in self.sources}
        for step in self.schedule[number:]:
            match step:
                case Push(source=name):
                    rest[name].append(step.earliest)
                case Heartbeat(instant=instant, source=source):
                    for name in self.sources if source is None else [source]:
                        rest[name].append(instant)
        return {name: max(min(starts), known.promised[name]) for name, starts in rest.items()}

    def operators(self, number: int) -> tuple[int, int]:
        """How few and how many operators there may be at a step.

        Queries that were added together share what they can; others share some of it, which depends on their state.
        """
        there = [q for q in self.queries if q.is_there(number)]
        groups = [[q.plan for q in there if q.added == added] for added in {q.added for q in there}]
        fewest = len(self._operators_of([query.plan for query in there]))
        return fewest, sum(len(self._operators_of(plans)) for plans in groups)

    def _operators_of(self, plans: list[Plan]) -> list[AnyOperator]:
        session = Session(dict(self.sources), raw=self.raw, allow_unbounded=True)
        for i, plan in enumerate(plans):
            session.add(str(i), plan)
        return session.operators

    def leaving(self, number: int) -> bool:
        return any(query.removed == number for query in self.queries)

    def _alone(self, query: _Query) -> Snapshots:
        """What the reference says of the elements that the query saw."""
        streams = {
            name: self.final.stream(name, schema, query.added, query.removed)
            for name, schema in query.plan.sources().items()
        }
        return evaluate(query.plan, streams, HORIZON).snapshots

    def wrong(self) -> str | None:
        running = _Running(self)
        for number, step in enumerate(self.schedule):
            running.change_queries(number)
            running.known.take(step)
            if number == self.saved:
                running.go_on_from_saved()
            hand_in(running.session, step, self.sources, as_rows=self.as_rows)
        running.change_queries(len(self.schedule))
        return running.problem or running.wrong_end() or running.wrong_results()


class _Running:
    """A session under way: its queries, what they gave, and what a plain model knows of it."""

    def __init__(self, case: _SessionCase) -> None:
        self.case = case
        self.session = Session(
            dict(case.sources),
            slack=case.slack,
            drop_late=case.drop_late,
            raw=case.raw,
            allow_unbounded=True,
            threads=case.threads,
        )
        self.known = _Known(case.sources, case.slack)
        self.results = [[PhysicalStream.empty(query.plan.schema)] for query in case.queries]
        self.heard = [0] * len(case.queries)
        """How many batches a query had given when it was removed."""
        self.problem: str | None = None
        self.until = [HORIZON] * len(case.queries)
        """Up to which instant the results of a query are known, since it ran so far."""

    def go_on_from_saved(self) -> None:
        """The subscriptions are saved as well: they go on filling the results."""
        self.session, self.results = pickle.loads(pickle.dumps((self.session, self.results)))

    def change_queries(self, number: int) -> None:
        """Remove and add the queries whose turn it is before this step."""
        if self.case.leaving(number):
            for name, t in self.case.promises(number, self.known).items():
                self.session.heartbeat(t, name)
                self.known.promise(t, name)
        for i, query in enumerate(self.case.queries):
            if query.removed == number:
                self._remove(i)
            if query.added == number:
                self.session.add(str(i), query.plan)
                self.session.subscribe(str(i), self.results[i].append)
            if query.migrated == number:
                with suppress(WindowError):  # what came so far may matter for ever, so that the old plan goes on
                    self.session.migrate(str(i), the_same_otherwise(query.plan))
        self._look_at_operators(number)

    def _look_at_operators(self, number: int) -> None:
        """As many as the queries need; unless one changes its plan, for which both plans run for some time."""
        there, (fewest, most) = len(self.session.operators), self.case.operators(number)
        changing = any(q.migrated is not None and q.migrated <= number for q in self.case.queries)
        if not changing and not fewest <= there <= most:
            self.problem = f"{there} operators for {fewest} to {most}"
        if _needed(self.session.statistics()) != there:
            self.problem = f"{there} operators, of which {_needed(self.session.statistics())} are needed"
        names = {str(i) for i, q in enumerate(self.case.queries) if q.is_there(number)}
        if self.session.queries.keys() != names:
            self.problem = f"queries {sorted(self.session.queries)} instead of {sorted(names)}"

    def _remove(self, i: int) -> None:
        self.until[i] = min(self.known.promised.values())
        self.heard[i] = len(self.results[i])
        self.session.remove(str(i))

    def wrong_end(self) -> str | None:
        """Close the session, if its results have an end; else remove what is left and look for remains."""
        if self.session.late != self.known.late:
            return f"late: {self.session.late} for {self.known.late}"
        if self.case.settles:
            self.session.close()
            return None if _refuses(lambda: self.session.heartbeat(ENDLESS)) else "it goes on after it was closed"
        for name, promised in self.known.promised.items():
            self.session.heartbeat(max(HORIZON, promised), name)
        for i, query in enumerate(self.case.queries):
            if query.removed is None:
                self.session.remove(str(i))
        return "operators without queries" if self.session.operators else None

    def wrong_results(self) -> str | None:
        for i, query in enumerate(self.case.queries):
            found = snapshots(elements(joined(self.results[i]), query.plan.schema), HORIZON)
            if self._wrong(query, found[: self.until[i]], self.case.expected[i][: self.until[i]]):
                return f"query {i} of {len(self.case.queries)} differs"
            if query.removed is not None and len(self.results[i]) != self.heard[i]:
                return f"query {i} gave something after it was removed"
        return None

    def _wrong(self, query: _Query, found: Snapshots, expected: Snapshots) -> bool:
        """Does it differ? A query that looks ahead, if not closed, holds back what later rows may still change."""
        closed = query.removed is None and self.case.settles
        if closed or not query.plan.has_lookahead:
            return found != expected
        return any(given - right for given, right in zip(found, expected, strict=True))


def the_same_otherwise(plan: Plan) -> Plan:
    """A plan that means the same and shares no operator with the given one: each source has a filter that keeps all."""
    if not plan.inputs:
        return Filter(plan, Constant(True, Type.BOOL))
    return plan.with_inputs(*map(the_same_otherwise, plan.inputs))


def _refuses(action: Callable[[], object]) -> bool:
    try:
        action()
    except SnapeqError:
        return True
    return False


def _needed(operators: list[OperatorStatistics]) -> int:
    """How many operators give out results of a query, or something that another one needs for that."""
    needed: set[int] = set()
    for operator in reversed(operators):
        if operator.queries or operator.number in needed:
            needed |= {operator.number, *operator.inputs}
    return len(needed)
