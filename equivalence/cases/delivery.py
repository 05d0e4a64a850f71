"""How a case reaches an engine: as whole streams of rows, as whole streams in columns, or step by step."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_cases import Case
from equivalence.cases.schedules import Heartbeat, Push, Schedule, Step
from semantics import IntervalStream, RawStream, Schema, Stream
from semantics.how_many import how_many
from semantics.notation.json_values import json_element

Stay = tuple[int, int | None]
"""After how many steps of a schedule a query is added, and removed again if it is."""
MOST_OTHERS: Final = 3


@dataclass(frozen=True)
class Delivery:
    """Rows, columns or a schedule. A schedule drives a session, whose inputs may be late by the slack.

    In a session the query may come late, and other queries may come and go; they change nothing.
    """

    columns: bool = False
    schedule: Schedule | None = None
    slack: int = 0
    added: int = 0
    """After how many steps of the schedule the query is added."""
    others: tuple[Stay, ...] = ()
    """When other queries come and go."""
    unfinished: bool = False
    """Does it stop after the last step? If not, time goes on to the horizon."""

    def __str__(self) -> str:
        if self.schedule is not None:
            return f"pushed in {how_many(len(self.schedule), 'step')}" + self._circumstances()
        return "handed over in columns" if self.columns else "handed over as whole streams"

    def _circumstances(self) -> str:
        slack = f" with slack {self.slack}" if self.slack else ""
        added = f", the query added after {self.added}" if self.added else ""
        return slack + added + (f", beside {how_many(len(self.others), 'other query')}" if self.others else "")

    def seen(self, case: Case) -> Case:
        """What the query sees of a case: that which is pushed after it was added."""
        if not self.added:
            return case
        return _pushed(case, (self.schedule or ())[self.added :])

    def pushed(self, schemas: Mapping[str, Schema]) -> Case:
        """All that a schedule pushes, as streams of intervals."""
        return _pushed({name: IntervalStream(schema) for name, schema in schemas.items()}, self.schedule or ())

    def only(self, names: Collection[str]) -> "Delivery":
        """The same delivery without the steps of other sources."""
        if self.schedule is None:
            return self
        keep = [step.source is None or step.source in names for step in self.schedule]
        before = [sum(keep[:n]) for n in range(len(keep) + 1)]
        others = tuple((before[start], None if end is None else before[end]) for start, end in self.others)
        kept = tuple(step for step, wanted in zip(self.schedule, keep, strict=True) if wanted)
        return replace(self, schedule=kept, added=before[self.added], others=others)

    def to_json(self) -> dict[str, object]:
        if self.schedule is not None:
            added = {"added": self.added} if self.added else {}
            others = {"others": [list(stay) for stay in self.others]} if self.others else {}
            unfinished = {"unfinished": True} if self.unfinished else {}
            steps = [_step(step) for step in self.schedule]
            return {"schedule": steps, "slack": self.slack, **added, **others, **unfinished}
        return {"columns": True} if self.columns else {}


WHOLE: Final = Delivery()


def choose_comings(choices: Choices, schedule: Schedule) -> Delivery:
    """A schedule in the course of which the query is added, and others come and go."""
    added = choices.below(len(schedule) // 2 + 1)
    others: list[Stay] = []
    while len(others) < MOST_OTHERS and choices.chance(2, 3):
        start = choices.below(len(schedule) + 1)
        others.append((start, choices.of([None, *range(start, len(schedule) + 1)])))
    return Delivery(schedule=schedule, added=added, others=tuple(others))


def _pushed(case: Case, steps: Schedule) -> Case:
    """Streams of the same kinds that hold no more than what these steps push."""
    pushes = [step for step in steps if isinstance(step, Push)]
    return {name: _of_pushes(stream, [p for p in pushes if p.source == name]) for name, stream in case.items()}


def _of_pushes(stream: Stream, pushes: list[Push]) -> Stream:
    elements = sorted((e for push in pushes for e in push.elements), key=lambda element: element[1].start)
    if isinstance(stream, RawStream):
        return RawStream(stream.schema, [(row, interval.start) for row, interval in elements])
    return IntervalStream(stream.schema, elements)


def _step(step: Step) -> dict[str, object]:
    if isinstance(step, Heartbeat):
        return {"heartbeat": step.instant, **({} if step.source is None else {"source": step.source})}
    return {"push": [json_element(row, valid) for row, valid in step.elements], "source": step.source}
