"""Operators that remember something, fed a little at a time: what a batch leaves behind matters to later ones.

Such a session must give what is right, and give it as soon as right code does, and hold no more than right code does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import attempt_in
from equivalence.conformance.judge import Attempt
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.run_by_schedule import drive
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.suites.engine_cases import can_be_listed, wrong_of
from equivalence.mutants.machine.trial import Suite, Trial
from physical.columns.stream import PhysicalStream
from physical.engines.interval.engine import IntervalEngine
from physical.engines.interval.session import Session
from semantics import SnapeqError
from semantics import plan as op

LITTLE_AT_A_TIME: Final = tuple(SITUATIONS[name] for name in ("few keys in step", "crowds in batches"))
WITHOUT_STATE: Final = (op.Filter, op.Map, op.Unnest, op.Union, op.TimeWindow, op.LandmarkWindow, op.Rstream)
WITH_STATE: Final = tuple(sorted((one for one in OPERATORS if one not in WITHOUT_STATE), key=lambda one: one.__name__))


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
    """The same with the interval engine, looked at after every step."""
    for number in range(size):
        choices = SeededChoices(f"prompt sessions/{seed}/{number}")
        attempt = attempt_in(choices, WITH_STATE[number % len(WITH_STATE)], choices.of(LITTLE_AT_A_TIME))
        if attempt.delivery.schedule:
            try:
                yield Trial("prompt sessions", number, _Prompt(attempt, tuple(_steps(attempt))).wrong)
            except SnapeqError:  # an overflow, which other suites look at
                continue


@dataclass(frozen=True)
class _Stage:
    """What is there after a step: for how many instants the results so far are valid, and how much is held."""

    given: int
    held: int


@dataclass(frozen=True)
class _Prompt:
    attempt: Attempt
    right: tuple[_Stage, ...]

    def wrong(self) -> str | None:
        found = list(_steps(self.attempt))
        for number, (stage, right) in enumerate(zip(found, self.right, strict=True)):
            if stage.given < right.given:
                return f"results come later than after step {number}"
            if stage.held > right.held:
                return f"after step {number} it holds {stage.held} elements instead of {right.held}"
        return None if found[-1].given == self.right[-1].given else "it gives too much"


def _steps(attempt: Attempt) -> Iterator[_Stage]:
    """Run a session, and stop after each step of the schedule and each instant that follows."""
    schemas, schedule = attempt.plan.sources(), attempt.delivery.only(attempt.plan.sources()).schedule or ()
    session = IntervalEngine().session(schemas, slack=attempt.delivery.slack)
    results: list[PhysicalStream] = []
    session.add("query", attempt.plan)
    session.subscribe("query", results.append)
    for step in schedule:
        drive(session, [step], schemas)
        yield _stage(session, results, attempt.horizon)
    for t in range(max((entrance.promised for entrance in session.entrances.values()), default=0), attempt.horizon + 1):
        session.heartbeat(t)
        yield _stage(session, results, attempt.horizon)


def _stage(session: Session, results: list[PhysicalStream], horizon: int) -> _Stage:
    spans = [np.minimum(batch.end, horizon) - np.minimum(batch.start, horizon) for batch in results]
    return _Stage(sum(int(span.sum()) for span in spans), session.state.elements)
