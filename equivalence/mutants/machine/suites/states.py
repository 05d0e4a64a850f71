"""Operators that remember something, fed a little at a time: what a batch leaves behind matters to later ones.

Such a session must give what is right, and give it as soon as right code does, and hold no more than right code does.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.schedules import Push
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import attempt_in
from equivalence.conformance.judge import Attempt
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.run_by_schedule import drive
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.suites.engine_cases import can_be_listed, wrong_of
from equivalence.mutants.machine.suites.query_sessions import the_same_otherwise
from equivalence.mutants.machine.trial import Suite, Trial
from physical.columns.stream import PhysicalStream
from physical.engines.interval.engine import IntervalEngine
from physical.runtime.graph_session import GraphSession
from semantics import Plan, SnapeqError, WindowError
from semantics import plan as op

LITTLE_AT_A_TIME: Final = tuple(SITUATIONS[name] for name in ("few keys in step", "crowds in batches"))
WITHOUT_STATE: Final = (op.Filter, op.Map, op.Unnest, op.Union, op.TimeWindow, op.LandmarkWindow, op.Rstream)
WITH_STATE: Final = tuple(sorted((one for one in OPERATORS if one not in WITHOUT_STATE), key=lambda one: one.__name__))

ALL: Final = tuple(sorted(OPERATORS, key=lambda one: one.__name__))


def states_of(engine: AnyEngine) -> Suite:
    """Each operator with state in turn."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        for number in range(size):
            choices = SeededChoices(f"states/{seed}/{number}")
            operator = WITH_STATE[number % len(WITH_STATE)]
            attempt = attempt_in(choices, operator, choices.of(LITTLE_AT_A_TIME))
            if can_be_listed(attempt):
                yield Trial(f"{engine.name} states", number, partial(wrong_of, subject, attempt))

    return trials


def prompt_sessions(seed: int, size: int) -> Iterator[Trial]:
    """Any operator in the interval engine, looked at after every step; queries come late, share, and change plans."""
    for number in range(size):
        choices = SeededChoices(f"prompt sessions/{seed}/{number}")
        attempt = attempt_in(choices, ALL[number % len(ALL)], choices.of(LITTLE_AT_A_TIME))
        if attempt.delivery.schedule:
            prompt = _Prompt(attempt, *_life(choices, attempt))
            with suppress(SnapeqError):  # an overflow, which other suites look at
                yield Trial("prompt sessions", number, replace(prompt, right=tuple(prompt.stages())).wrong)


def _life(choices: Choices, attempt: Attempt) -> tuple[int, int | None, Plan | None]:
    """Before which step the query comes, before which one it gets another plan, and which query is there before it."""
    steps = len(attempt.delivery.schedule or ())
    added = choices.below(steps) if choices.chance(1, 3) else 0
    migrated = choices.between(added, steps - 1) if choices.chance(1, 3) else None
    return added, migrated, choices.of((None, attempt.plan, *attempt.plan.inputs))


@dataclass(frozen=True)
class _Stage:
    """What is there after a step."""

    given: int
    """For how many instants the results so far are valid, all together."""
    held: int
    operators: int
    refused: bool
    """Was the other plan refused?"""
    counted: bool = True
    """Are the session's own counts right? Known at the end: they are of all that came."""


@dataclass(frozen=True)
class _Prompt:
    attempt: Attempt
    added: int
    migrated: int | None
    other: Plan | None
    right: tuple[_Stage, ...] = ()

    def wrong(self) -> str | None:
        found = list(self.stages())
        for number, (stage, right) in enumerate(zip(found, self.right, strict=True)):
            if stage.given < right.given:
                return f"results come later than after step {number}"
            if stage.held > right.held or stage.operators > right.operators:
                return f"after step {number} it holds {stage} instead of {right}"
            if stage.refused != right.refused or not stage.counted:
                return f"after step {number} there is {stage} instead of {right}"
        return None if found[-1].given == self.right[-1].given else "it gives too much"

    def stages(self) -> Iterator[_Stage]:
        """Run a session, and stop after each step of the schedule and each instant that follows."""
        schemas = self.attempt.plan.sources()
        schedule = self.attempt.delivery.only(schemas).schedule or ()
        running = _Running(self, IntervalEngine().session(schemas, slack=self.attempt.delivery.slack))
        for number, step in enumerate(schedule):
            running.change_queries(number)
            running.pushed += len(step.elements) if isinstance(step, Push) else 0
            drive(running.session, [step], schemas)
            yield running.stage()
        promised = max(entrance.promised for entrance in running.session.entrances.values())
        for t in range(promised, self.attempt.horizon + 1):
            running.session.heartbeat(t)
            yield running.stage()
        yield replace(running.stage(), counted=running.counted())


class _Running:
    """A session under way."""

    def __init__(self, case: _Prompt, session: GraphSession) -> None:
        self.case = case
        self.session = session
        self.results: list[PhysicalStream] = []
        self.pushed = 0
        self.refused = False
        if case.other is not None:
            session.add("other", case.other)

    def change_queries(self, number: int) -> None:
        if number == self.case.added:
            self.session.add("query", self.case.attempt.plan)
            self.session.subscribe("query", self.results.append)
        if number == self.case.migrated:
            try:
                self.session.migrate("query", the_same_otherwise(self.case.attempt.plan))
            except WindowError:
                self.refused = True

    def stage(self) -> _Stage:
        session, horizon = self.session, self.case.attempt.horizon
        spans = [np.minimum(batch.end, horizon) - np.minimum(batch.start, horizon) for batch in self.results]
        given = sum(int(span.sum()) for span in spans)
        return _Stage(given, session.state.elements, len(session.operators), self.refused)

    def counted(self) -> bool:
        """Do the session's statistics say how many elements came, and how many went out?"""
        if sum(entrance.arrived for entrance in self.session.entrances.values()) != self.pushed:
            return False
        if self.case.added or self.case.migrated is not None:
            return True
        return sum(map(len, self.results)) in [s.emitted for s in self.session.statistics() if "query" in s.queries]
