"""Schedules: how streams reach an engine that runs for long, in batches, in turns, with heartbeats, in disorder."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from equivalence.cases.choices import Choices, Drawn
from equivalence.cases.constrained_cases import Case
from physical.columns.stream import PhysicalStream

LARGEST_BATCH: Final = 4
SLACK: Final = 3


@dataclass(frozen=True)
class Push:
    """A batch of one source's elements."""

    source: str
    elements: PhysicalStream


@dataclass(frozen=True)
class Heartbeat:
    """The promise that no later element of one source, or of any, starts before an instant."""

    instant: int
    source: str | None = None


Step = Push | Heartbeat
Schedule = tuple[Step, ...]


@dataclass
class _Arrival:
    """What is still to come of a source, in the order in which it will."""

    elements: PhysicalStream
    done: int = 0
    promised: int = 0

    @property
    def left(self) -> int:
        return len(self.elements) - self.done

    @property
    def earliest(self) -> int:
        """No later element starts before it."""
        return int(self.elements.start[self.done :].min()) if self.left else self._last + 3

    @property
    def _last(self) -> int:
        return int(self.elements.start.max()) if len(self.elements) else 0

    def batch(self, size: int, slack: int) -> PhysicalStream:
        taken = self.elements.take(np.s_[self.done : self.done + size])
        self.done += len(taken)
        self.promised = max(self.promised, int(taken.start.max()) - slack)
        return taken


def a_schedule(choices: Choices, case: Case, *, slack: int = 0, heartbeats: bool = True) -> Schedule:
    """All elements of a case in batches, sources in any turn, heartbeats in between, disorder within the slack."""
    arrivals = {name: _Arrival(disordered(choices, PhysicalStream.of(case[name]), slack)) for name in sorted(case)}
    steps: list[Step] = []
    while waiting := [name for name, arrival in arrivals.items() if arrival.left]:
        name = choices.of(waiting)
        steps.append(Push(name, arrivals[name].batch(choices.between(1, LARGEST_BATCH), slack)))
        if heartbeats and choices.chance(1, 2):
            steps.append(_a_heartbeat(choices, arrivals, name))
    return tuple(steps)


def disordered(choices: Choices, stream: PhysicalStream, slack: int) -> PhysicalStream:
    """The elements as they may arrive: each at most so many instants later than its start says."""
    delays = [choices.between(0, slack) if slack else 0 for _ in range(len(stream))]
    return stream.take(np.argsort(stream.start + np.array(delays, np.int64), kind="stable"))


def _a_heartbeat(choices: Choices, arrivals: Mapping[str, _Arrival], name: str) -> Heartbeat:
    """A promise that will be kept, by one source or by all."""
    everywhere = choices.chance(1, 4)
    promising = list(arrivals.values()) if everywhere else [arrivals[name]]
    least = max(arrival.promised for arrival in promising)
    instant = choices.between(least, max(least, min(arrival.earliest for arrival in promising)))
    if everywhere and instant > min(arrival.earliest for arrival in promising):
        return _alone(arrivals[name], name)
    for arrival in promising:
        arrival.promised = instant
    return Heartbeat(instant, None if everywhere else name)


def _alone(arrival: _Arrival, name: str) -> Heartbeat:
    """All sources cannot promise the same: one of them repeats what it promised."""
    return Heartbeat(arrival.promised, name)


def with_heartbeats(choices: Choices, schedule: Schedule) -> Schedule:
    """The pushes of a schedule without disorder, with as many promises between them as can be kept."""
    steps: list[Step] = []
    pushes = [step for step in schedule if isinstance(step, Push)]
    for i, push in enumerate(pushes):
        steps.append(push)
        rest = [int(later.elements.start.min()) for later in pushes[i + 1 :] if later.source == push.source]
        latest = int(push.elements.start.max())
        steps += [Heartbeat(min(rest, default=latest + 1), push.source)] * choices.between(0, 2)
    return tuple(steps)


@st.composite
def schedules(draw: DrawFn, case: Case, *, slack: int = 0) -> Schedule:
    """A way in which the streams of a case may reach an engine that runs for long."""
    return a_schedule(Drawn(draw), case, slack=slack)
