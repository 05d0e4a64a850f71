"""A probe of a session: rows come one after the other, perhaps late, time goes on, and what is told is looked at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from equivalence.cases.delivery import Delivery
from equivalence.cases.schedules import Heartbeat, Push, Schedule
from equivalence.conformance.subject.in_process import Subject
from equivalence.conformance.subject.results import Element
from equivalence.deviations.situation import Arrival, Input, Situation
from equivalence.dialects.probe import HORIZON, Answer, Probe, answer_of
from equivalence.recordings.recording import EveryInstant
from equivalence.verdicts.fault_kind import Fault
from semantics import Instant, TooManyChanges, Unsupported, parse
from semantics.constraint import elements_of
from semantics.how_many import how_many
from semantics.sparse.stream import counts_of_runs
from semantics.time import Interval

SOURCE: Final = "S"


@dataclass(frozen=True)
class SoFar(EveryInstant):
    """What a session has told when time has come as far as the horizon, and nobody has ended it."""


@dataclass(frozen=True)
class SessionProbe(Probe):
    """A query over one stream, and steps: rows that come, in the notation, or instants that time reaches."""

    steps: tuple[str | Instant, ...]
    harmless: tuple[str | Instant, ...] = ()
    """Steps for which no alternative is an error; none if no alternative is one here."""
    slack: int = 0

    @cached_property
    def situation(self) -> Situation:
        given = Input(self.plan.sources()[SOURCE], tuple(self._arrivals()))
        return Situation(self.plan, {SOURCE: given}, SoFar(self.reached), "refuse")

    @property
    def reached(self) -> Instant:
        """How far time has come by heartbeats."""
        return max((step for step in self.steps if isinstance(step, int)), default=0)

    @cached_property
    def last(self) -> Instant:
        """The latest start of a row."""
        return max(arrival.time for arrival in self.situation.inputs[SOURCE].arrivals)

    def _arrivals(self) -> Iterator[Arrival]:
        """Each row with what was promised before it came: by heartbeats, or by later rows and the slack."""
        promised: Instant | None = None
        for step in self._schedule(self.steps):
            if isinstance(step, Heartbeat):
                promised = max(promised or 0, step.instant)
                continue
            for row, valid in step.elements:
                yield Arrival(row, valid, promised)
                promised = max(promised or 0, valid.start - self.slack)

    def _schedule(self, steps: Sequence[str | Instant]) -> Schedule:
        return tuple(Heartbeat(step) if isinstance(step, int) else self._push(step) for step in steps)

    def _push(self, rows: str) -> Push:
        kind = "interval" if "@[" in rows else "raw"
        return Push(SOURCE, tuple(elements_of(parse(f"{kind}({self.plan.sources()[SOURCE]}): {rows}"))))

    def _found(self, subject: Subject) -> Answer:
        told = self._told(subject, self.steps)
        until = max(self.reached, self.last + 1) if any(start >= self.last for _, start, _ in told) else self.reached
        runs = ((row, Interval(start, min(end, until)), 1) for row, start, end in told if start < until)
        return answer_of(self.plan.schema, counts_of_runs(runs, HORIZON))

    def _told(self, subject: Subject, steps: Sequence[str | Instant]) -> list[Element]:
        if not subject.sessions:
            raise Unsupported(f"engine {subject.name} has no sessions")
        delivery = Delivery(schedule=self._schedule(steps), slack=self.slack, unfinished=True)
        try:
            return subject.elements(self.plan, delivery.pushed(self.plan.sources()), HORIZON, delivery)
        except TooManyChanges as refused:  # it takes events alone
            raise Unsupported(str(refused)) from None

    def _runs_otherwise(self, subject: Subject) -> bool:
        try:
            self._told(subject, self.harmless)
        except Fault:
            return False
        return True

    def given(self) -> Sequence[str]:
        slack = [f"a row may come {how_many(self.slack, 'instant')} after later ones"] if self.slack else []
        steps = (f"time reaches {step}" if isinstance(step, int) else f"{SOURCE} gets {step}" for step in self.steps)
        return [*slack, *steps]

    def to_json(self) -> dict[str, object]:
        return {"steps": list(self.steps), "slack": self.slack}
