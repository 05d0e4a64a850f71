"""When the elements of a situation are valid: at few instants, one after the other, one within the other, for ever."""

from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_streams import HORIZON, choose_interval
from equivalence.cases.situation import ChooseSpan
from semantics import FOREVER, Interval
from semantics.stream import IntervalElement

LATE: Final = 2**62
"""Twice this leaves 64 bits."""


def anywhere(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    return choose_interval(choices)


def among(*starts: int, longest: int = 4) -> ChooseSpan:
    """Starts that come up again and again."""

    def span(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
        start = choices.of(starts)
        return Interval(start, start + choices.between(1, longest))

    return span


def adjacent(choices: Choices, before: IntervalElement | None) -> Interval:
    if before is None or before[1].end >= HORIZON or choices.below(4) == 0:
        return among(*range(HORIZON // 2), longest=3)(choices, before)
    start = int(before[1].end)
    return Interval(start, start + choices.between(1, 3))


def nested(choices: Choices, before: IntervalElement | None) -> Interval:
    if before is None or before[1].end - before[1].start < 3 or choices.below(4) == 0:
        return Interval(start := choices.below(3), start + choices.between(5, 9))
    start = before[1].start + choices.between(0, 1)
    return Interval(start, start + choices.between(1, int(before[1].end) - start - 1))


def long(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    """From early on past most of the instants of the case."""
    start = choices.below(4)
    return Interval(start, start + choices.between(HORIZON // 2, HORIZON))


def around_late(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    start = LATE + choices.between(-4, 6)
    return Interval(start, start + choices.between(1, 8))


def endless(choices: Choices, before: IntervalElement | None) -> Interval:
    brief = among(*range(HORIZON))(choices, before)
    return Interval(brief.start, FOREVER) if choices.chance(2, 3) else brief
