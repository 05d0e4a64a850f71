"""Streams over few instants, so that elements tie, touch, overlap and repeat.

Every stream has the schema that was asked for, starts in order and intervals that hold an instant. Elements that start
together come in any order.
"""

from collections.abc import Callable
from typing import Final, TypeVar

from equivalence.cases.choices import Choices
from equivalence.cases.random_rows import RowGenerator
from semantics import FOREVER, Interval, IntervalStream, RawStream, Schema, Stream
from semantics.constraint import ALWAYS
from semantics.stream import IntervalElement, RawElement

T = TypeVar("T")
HORIZON: Final = 8
"""Elements start before it, except some that continue another one; cases are evaluated a little beyond it."""


def choose_several(choices: Choices, make: Callable[[], T], max_size: int) -> list[T]:
    """A list, seldom empty.

    Before each element a choice decides whether there is one more. A length chosen in advance would shrink badly: no
    element could go without changing it.
    """
    made: list[T] = []
    while len(made) < max_size and choices.chance(7, 8):
        made.append(make())
    return made


def choose_interval(choices: Choices) -> Interval:
    """Mostly short intervals; some last for ever."""
    start, kind, length = choices.below(HORIZON), choices.below(6), choices.below(HORIZON)
    if kind < 2:
        return Interval(start, start + 1 + length % 4)
    return Interval(start, start + 1 + length if kind < 4 else FOREVER)


def choose_raw_stream(choices: Choices, schema: Schema, max_size: int, rows: RowGenerator) -> RawStream:
    def element() -> RawElement:
        return rows.of(schema), choices.below(HORIZON)

    return RawStream(schema, sorted(choose_several(choices, element, max_size), key=lambda element: element[1]))


def choose_interval_stream(choices: Choices, schema: Schema, max_size: int, rows: RowGenerator) -> IntervalStream:
    elements: list[IntervalElement] = []
    while len(elements) < max_size and choices.chance(7, 8):
        if elements and choices.chance(1, 6):
            elements.append(_continuation(choices, elements[choices.below(len(elements))]))
        else:
            elements.append((rows.of(schema), choose_interval(choices)))
    return IntervalStream(schema, sorted(elements, key=lambda element: element[1].start))


def choose_stream(choices: Choices, schema: Schema, max_size: int, rows: RowGenerator) -> Stream:
    """A raw or an interval stream."""
    if choices.below(3) == 0:
        return choose_raw_stream(choices, schema, max_size, rows)
    return choose_interval_stream(choices, schema, max_size, rows)


def choose_table(choices: Choices, schema: Schema, max_size: int, rows: RowGenerator) -> IntervalStream:
    """Rows that are valid at every instant."""
    return IntervalStream(schema, [(row, ALWAYS) for row in choose_several(choices, lambda: rows.of(schema), max_size)])


def _continuation(choices: Choices, element: IntervalElement) -> IntervalElement:
    """The same row again, from where the element ends; or, if it never ends, from where it starts."""
    row, interval = element
    start = interval.start if interval.end == FOREVER else int(interval.end)
    return row, Interval(start, start + choices.between(1, 3))
