"""What an output is the answer to: a plan, rows as they arrived, what counts as late, where it is judged."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from equivalence.query_files.calendar import NUMBERS, Calendar
from equivalence.recordings.recording import EveryInstant, Judged
from semantics import Instant, Interval, IntervalStream, Plan, Row, Schema, Stream
from semantics.constraint import elements_of
from semantics.sparse.row_steps import Counts

Lateness = Literal["keep", "pane", "row", "bin", "key", "refuse"]
"""What a late row loses: nothing, the closed panes, or all panes if the row, its slide bin or its key is behind; or it
is an error."""

OutputChange = Callable[["Situation", Counts], Counts]
"""What happens to a result after it was computed."""


@dataclass(frozen=True)
class Arrival:
    """A row, when it is valid, and the watermark just before it came; None if nothing is known of watermarks."""

    row: Row
    valid: Interval
    watermark: Instant | None = None

    @property
    def time(self) -> Instant:
        return self.valid.start


@dataclass(frozen=True)
class Input:
    """The rows of one source in the order in which they came."""

    schema: Schema
    arrivals: tuple[Arrival, ...]

    def kept(self, keep: Callable[[Arrival], bool]) -> "Input":
        return replace(self, arrivals=tuple(arrival for arrival in self.arrivals if keep(arrival)))

    @property
    def is_marked(self) -> bool:
        return any(arrival.watermark is not None for arrival in self.arrivals)

    @property
    def is_ordered(self) -> bool:
        return all(before.time <= after.time for before, after in pairwise(self.arrivals))

    def stream(self) -> IntervalStream:
        """The rows in the order of time."""
        ordered = sorted(self.arrivals, key=lambda arrival: arrival.time)
        return IntervalStream(self.schema, [(arrival.row, arrival.valid) for arrival in ordered])


@dataclass(frozen=True)
class Situation:
    """Everything that decides a right output, and what a deviation changes of it."""

    plan: Plan
    inputs: Mapping[str, Input]
    judged: Judged = field(default_factory=EveryInstant)
    lateness: Lateness = "keep"
    closes_early: bool = False
    """Is a pane closed when the watermark reaches its last instant, and not only after it?"""
    ticks_per_hour: int = 3600
    """Instants in an hour: what a time zone is off by."""
    afterwards: tuple[OutputChange, ...] = ()
    since: Instant = 0
    """Before it nothing is judged: the rows of a slice say nothing about outputs that look further back."""
    calendar: Calendar = NUMBERS
    """How instants are written for people."""

    def with_inputs(self, change: Callable[[Input], Input]) -> "Situation":
        return replace(self, inputs={name: change(given) for name, given in self.inputs.items()})

    def with_output(self, change: OutputChange) -> "Situation":
        return replace(self, afterwards=(*self.afterwards, change))

    def during(self, first: Instant, end: Instant) -> "Situation":
        """The same with only those rows that are valid at some instant in [first, end)."""
        return self.with_inputs(
            lambda given: given.kept(lambda arrival: arrival.time < end and arrival.valid.end > first)
        )

    @property
    def can_be_late(self) -> bool:
        """Are there watermarks, or rows that come after a later one?"""
        return any(given.is_marked or not given.is_ordered for given in self.inputs.values())

    @property
    def rows(self) -> int:
        return sum(len(given.arrivals) for given in self.inputs.values())

    @property
    def times(self) -> list[Instant]:
        """When rows begin, in order."""
        return sorted(arrival.time for given in self.inputs.values() for arrival in given.arrivals)


def situation_of(plan: Plan, streams: Mapping[str, Stream], judged: Judged | None = None) -> Situation:
    """Streams without watermarks: nothing is late.

    >>> from semantics import parse, parse_plan
    >>> situation_of(parse_plan("S(x int)"), {"S": parse("raw(x int): (5)@3")}).inputs["S"].arrivals
    (Arrival(row=(5,), valid=Interval(start=3, end=4), watermark=None),)
    """
    inputs = {
        name: Input(stream.schema, tuple(Arrival(row, valid) for row, valid in elements_of(stream)))
        for name, stream in streams.items()
    }
    return Situation(plan, inputs, EveryInstant() if judged is None else judged)


def with_watermarks(arrivals: Iterable[Arrival], delay: int) -> tuple[Arrival, ...]:
    """Each row with the watermark before it: the latest time so far, less a delay.

    >>> rows = [Arrival((i,), Interval(t, t + 1)) for i, t in enumerate((5, 9, 4))]
    >>> [arrival.watermark for arrival in with_watermarks(rows, 2)]
    [None, 3, 7]
    """
    marked: list[Arrival] = []
    latest: Instant | None = None
    for arrival in arrivals:
        marked.append(replace(arrival, watermark=None if latest is None else latest - delay))
        latest = arrival.time if latest is None else max(latest, arrival.time)
    return tuple(marked)
