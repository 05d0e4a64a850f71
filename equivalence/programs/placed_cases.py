"""Many cases in one run of a job that knows nothing of cases: one after the other in time.

They are far enough apart that windows of one have run empty when the next begins, and begin where all windows are in
step. What lasts for longer reaches into later cases. That is no harm: the judge sees the same long streams as the job.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import lcm

from equivalence.cases.directed.clues import Clues
from equivalence.cases.directed.draw import settled_after
from equivalence.cases.random_cases import Case
from semantics import FOREVER, Interval, IntervalStream, Plan, RawStream, Stream
from semantics.constraint import Constraint, Lasting, admits, elements_of
from semantics.plan import LandmarkWindow, TimeWindow
from semantics.stream import IntervalElement
from semantics.time import End


@dataclass(frozen=True)
class PlacedCases:
    """Cases, each in a period of its own; tables are those of the first case, and hold in all of them."""

    cases: tuple[Case, ...]
    period: int
    tables: frozenset[str] = frozenset()
    step: int = 1
    """At multiples of it, windows are in step."""

    @property
    def horizon(self) -> int:
        """The end of the last period."""
        return self.period * len(self.cases)

    def streams(self) -> dict[str, Stream]:
        """One stream for each source, with the elements of all cases."""
        return {name: self._stream(name) for name in self.cases[0]}

    def _stream(self, name: str) -> Stream:
        first = self.cases[0][name]
        if name in self.tables:
            return first
        elements = [moved for i, case in enumerate(self.cases) for moved in _moved(case[name], i * self.period)]
        return IntervalStream(first.schema, sorted(elements, key=lambda element: element[1].start))


def placed(cases: Sequence[Case], plan: Plan, clues: Clues, tables: frozenset[str], at_least: int = 0) -> PlacedCases:
    """Cases in periods, perhaps of at least so many instants, that are a multiple of every slide, reset and pane."""
    together = lcm(*(step for node in plan.walk() for step in _steps(node)))
    longest = max(at_least, *(settled_after(case, clues) for case in cases))
    return PlacedCases(tuple(cases), together * -(-longest // together), tables, together)


def at_once(cases: Sequence[Case], tables: frozenset[str], rows: int) -> Case:
    """All cases at the same time, again and again until a stream that is no table has so many rows."""
    number = sum(len(elements_of(case[name])) for case in cases for name in case if name not in tables)
    times = -(-rows // max(number, 1))
    return PlacedCases(tuple(cases) * times, 0, tables).streams()


def after_nothing(cases: Sequence[Case], tables: frozenset[str]) -> list[Case]:
    """One more case before all others, in which nothing happens."""
    nothing = {name: stream if name in tables else RawStream(stream.schema, []) for name, stream in cases[0].items()}
    return [nothing, *cases]


def with_one_table(cases: Sequence[Case], constraints: Collection[Constraint]) -> list[Case]:
    """The cases with the tables of the first one; elements that break a constraint with them are left out."""
    tables = {c.source: cases[0][c.source] for c in constraints if isinstance(c, Lasting) and c.source in cases[0]}
    if not tables:
        return list(cases)
    return [_admitted({**case, **tables}, tables, constraints) for case in cases]


def at_one_instant(stream: Stream) -> RawStream:
    """Every element at its first instant only, as a raw stream delivers it."""
    return RawStream(stream.schema, [(row, interval.start) for row, interval in elements_of(stream)])


def _admitted(case: Case, tables: Mapping[str, Stream], constraints: Collection[Constraint]) -> Case:
    made: dict[str, Stream] = dict(case)
    for name in case.keys() - tables.keys():
        own = [constraint for constraint in constraints if constraint.source == name]
        kept: list[IntervalElement] = []
        for element in elements_of(case[name]):
            if all(admits(constraint, element, kept, made) for constraint in own):
                kept.append(element)
        made[name] = IntervalStream(case[name].schema, kept)
    return made


def _moved(stream: Stream, by: int) -> Iterator[IntervalElement]:
    for row, interval in elements_of(stream):
        end: End = interval.end if interval.end == FOREVER else interval.end + by
        yield row, Interval(interval.start + by, end)


def _steps(node: Plan) -> Iterator[int]:
    if isinstance(node, TimeWindow):
        yield node.slide
        yield from () if node.size == FOREVER else [int(node.size)]
    if isinstance(node, LandmarkWindow) and node.reset is not None:
        yield node.reset
