"""The canonical form of streams and their first difference, against the reference."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.random_plans import CATALOGUE
from equivalence.cases.situation import choose_case_in
from equivalence.cases.situations import SITUATIONS
from equivalence.mutants.machine.trial import Trial
from physical.columns.canonical import first_difference
from physical.columns.stream import PhysicalStream
from semantics import FOREVER, Interval, IntervalStream, Schema, Stream
from semantics.constraint import elements_of
from semantics.multiset import Multiset
from semantics.stream import IntervalElement, Run, canonical
from semantics.types import BASIC_TYPES

SCHEMAS: Final = (*CATALOGUE.values(), *(Schema.of(x=type_) for type_ in BASIC_TYPES))
"""Rows of one column are numbered in another way than wider ones."""
MANY_ROWS_EVERY: Final = 15


def canonical_form(seed: int, size: int) -> Iterator[Trial]:
    """Streams in all situations, and for each a second one that is nearly the same."""
    for number in range(size):
        choices = SeededChoices(f"canonical form/{seed}/{number}")
        left, right = two_streams(choices)
        yield Trial("canonical form", number, _FormCase(left, right).wrong)
        if number % MANY_ROWS_EVERY == 0:
            many = _many_rows(choices)
            right = IntervalStream(many.schema, _disguised(choices, list(many.elements)))
            yield Trial("canonical form of many rows", number, _FormCase(many, right).wrong)


def _many_rows(choices: Choices) -> IntervalStream:
    """Many different rows that start together, in any order: there are several ways to put them in order."""
    wide, number = choices.chance(1, 2), choices.between(66, 160)
    starts = [choices.below(2) for _ in range(number)]
    rows = [(choices.between(-99, 99), str(choices.below(9))) for _ in range(number)]
    schema = Schema.of(x=int, s=str) if wide else Schema.of(x=int)
    elements = [
        (row if wide else row[:1], Interval(start, start + choices.between(1, 3)))
        for row, start in zip(rows, sorted(starts), strict=True)
    ]
    return IntervalStream(schema, elements)


def two_streams(choices: Choices) -> tuple[IntervalStream, IntervalStream]:
    """A stream, and one that has the same elements in pieces and in another order; in two of three cases one differs."""
    situation = choices.of([s for s in SITUATIONS.values() if s.delivery == "whole" and s.catalogue is None])
    (stream,) = choose_case_in(choices, situation, {"S": choices.of(SCHEMAS)}).values()
    left = IntervalStream(stream.schema, elements_of(stream))
    return left, IntervalStream(left.schema, _disguised(choices, list(left.elements)))


def _disguised(choices: Choices, elements: list[IntervalElement]) -> list[IntervalElement]:
    pieces = [piece for element in elements for piece in _cut(choices, element)]
    if pieces and choices.chance(2, 3):
        place = choices.below(len(pieces))
        row, interval = pieces[place]
        others = [[], [(row, interval)] * 2, [(row, Interval(interval.start, interval.end + 1))]]
        pieces[place : place + 1] = choices.of(others)
    by_start = sorted((element[1].start, choices.below(1000), i) for i, element in enumerate(pieces))
    return [pieces[i] for _, _, i in by_start]


def _cut(choices: Choices, element: IntervalElement) -> list[IntervalElement]:
    row, interval = element
    middle = interval.start + choices.between(1, 4)
    if middle >= interval.end or choices.chance(1, 2):
        return [element]
    return [(row, Interval(interval.start, middle)), (row, Interval(middle, interval.end))]


@dataclass(frozen=True)
class _FormCase:
    left: IntervalStream
    right: IntervalStream

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        return canonical(self.left)

    @cached_property
    def difference(self) -> int | None:
        return difference_of(self.left, self.right)

    def wrong(self) -> str | None:
        left, right = PhysicalStream.of(self.left), PhysicalStream.of(self.right)
        if left.canonical().to_runs() != self.runs:
            return "wrong runs"
        found = first_difference(left, right), first_difference(right, left)
        if found != (self.difference, self.difference) or left.equivalent(right) != (self.difference is None):
            return f"first difference {found} for {self.difference}"
        return None


def difference_of(left: Stream, right: Stream) -> int | None:
    """The first instant at which two streams differ, by the definition."""
    bounds = {t for stream in (left, right) for _, interval in elements_of(stream) for t in _ends(interval)}
    return next((t for t in sorted(bounds) if _at(left, t) != _at(right, t)), None)


def _ends(interval: Interval) -> list[int]:
    return [interval.start] if interval.end == FOREVER else [interval.start, int(interval.end)]


def _at(stream: Stream, t: int) -> Multiset:
    return Multiset.sum([(row, 1) for row, interval in elements_of(stream) if interval.start <= t < interval.end])
