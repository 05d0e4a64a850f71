"""Schedules: how streams reach an engine that runs for long, in batches, in turns, with heartbeats, in disorder.

Every schedule can be kept: each element of the case is pushed once, late by the slack at most, and after no heartbeat
that rules it out. A batch lists its elements in the order in which they arrive; whoever drives a session puts them into
columns, so that making a schedule needs no arrays.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_cases import Case
from equivalence.lists.list_operators import ElementList
from semantics.constraint import elements_of

LARGEST_BATCH: Final = 4
DISORDER_SLACK: Final = 3
"""Instants by which elements are late where disorder is tried."""


@dataclass(frozen=True)
class Push:
    """A batch of one source's elements, in the order in which they arrive; a batch is never empty."""

    source: str
    elements: ElementList

    @property
    def earliest(self) -> int:
        return min(valid.start for _, valid in self.elements)

    @property
    def latest(self) -> int:
        """The last start, which need not be that of the last element."""
        return max(valid.start for _, valid in self.elements)


@dataclass(frozen=True)
class Heartbeat:
    """The promise that no later element of one source, or of any, starts before an instant."""

    instant: int
    source: str | None = None


Step = Push | Heartbeat
Schedule = tuple[Step, ...]


@dataclass
class _Arrival:
    """The elements of a source in the order in which they arrive; how many have arrived, and what was promised."""

    source: str
    elements: ElementList
    done: int = 0
    promised: int = 0

    @property
    def left(self) -> int:
        return len(self.elements) - self.done

    @property
    def earliest(self) -> int:
        """No later element starts before it."""
        return min(self._starts[self.done :]) if self.left else max(self._starts, default=0) + 3

    @property
    def _starts(self) -> list[int]:
        return [valid.start for _, valid in self.elements]

    def batch(self, size: int, slack: int) -> Push:
        taken = Push(self.source, self.elements[self.done : self.done + size])
        self.done += len(taken.elements)
        self.promised = max(self.promised, taken.latest - slack)
        return taken


def choose_schedule(
    choices: Choices, case: Case, *, slack: int = 0, heartbeats: bool = True, largest: int = LARGEST_BATCH
) -> Schedule:
    """All elements of a case in batches, sources in any turn, heartbeats in between, disorder within the slack."""
    arrivals = {name: _Arrival(name, disordered(choices, elements_of(case[name]), slack)) for name in sorted(case)}
    steps: list[Step] = []
    while waiting := [name for name, arrival in arrivals.items() if arrival.left]:
        name = choices.of(waiting)
        steps.append(arrivals[name].batch(choices.between(1, largest), slack))
        if heartbeats and choices.chance(1, 2):
            steps.append(_choose_heartbeat(choices, arrivals, name))
    return tuple(steps)


def choose_steps(choices: Choices, case: Case) -> Schedule:
    """All sources go through time together, one element per push, those of an instant in any order.

    So whoever holds something has let go of what ended, and of nothing else, when the next element comes alone. Where
    turns are free, one source is mostly far ahead of the others, which nothing is dropped before.
    """
    arriving = [Push(name, (element,)) for name in sorted(case) for element in elements_of(case[name])]
    steps: list[Step] = []
    for instant in sorted({push.latest for push in arriving}):
        if choices.chance(1, 2):
            steps.append(Heartbeat(instant, choices.of([None, *sorted(case)])))
        steps += _shuffled(choices, [push for push in arriving if push.latest == instant])
    return tuple(steps)


def _shuffled(choices: Choices, steps: list[Push]) -> list[Step]:
    return [steps.pop(choices.below(len(steps))) for _ in range(len(steps))]


def disordered(choices: Choices, elements: ElementList, slack: int) -> ElementList:
    """The elements in an order in which they may arrive: each delayed by the slack at most."""
    arrivals = [valid.start + (choices.between(0, slack) if slack else 0) for _, valid in elements]
    return tuple(elements[i] for i in sorted(range(len(elements)), key=arrivals.__getitem__))


def _choose_heartbeat(choices: Choices, arrivals: Mapping[str, _Arrival], name: str) -> Heartbeat:
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
        rest = [later.earliest for later in pushes[i + 1 :] if later.source == push.source]
        steps += [Heartbeat(min(rest, default=push.latest + 1), push.source)] * choices.between(0, 2)
    return tuple(steps)
