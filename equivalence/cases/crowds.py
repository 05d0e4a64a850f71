"""Situations of some dozen elements that live side by side: on fewer, heaps, chains, trees and indexes do little."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.dimensions.dimension import JOINS
from equivalence.cases.plan_shapes import JoinConditions, ManyAggregates, OneArgument
from equivalence.cases.random_rows import COMMON_VALUES
from equivalence.cases.situation import ChooseSpan, Situation, Vary
from semantics import FOREVER, Interval, Plan, Type, Value
from semantics.stream import IntervalElement

LAST_START: Final = 20
HORIZON: Final = 40
FEW_INSTANTS: Final = 8
_TWO_VALUES: Final[dict[Type, tuple[Value, ...]]] = {
    Type.BOOL: (False, True),
    Type.INT: (0, 1),
    Type.FLOAT: (0.5, 1.0),
    Type.STR: ("a", "b"),
}


def _two_values(type_: Type) -> Sequence[Value]:
    return _TWO_VALUES.get(type_) or COMMON_VALUES[type_][:2]


def crowd_of(situations: Sequence[Situation]) -> Vary:
    """Plans and values of one of these situations, with more elements, of which most repeat a row."""

    def crowded(choices: Choices, situation: Situation, operator: type[Plan]) -> Situation:
        base = choices.of([s for s in situations if s.operators is None or operator in s.operators])
        spans: tuple[ChooseSpan, ...] = (of_any_length, _of_length(choices.between(1, 9)), _in_bursts)
        least = choices.of((16, 8, 32))
        return replace(
            situation,
            value=base.value,
            awkward=base.awkward,
            catalogue=base.catalogue,
            shape=_shape(choices, base, operator),
            least=least,
            largest=least + 8,
            again=choices.of((6, 3, 7)),
            span=choices.of(spans),
            batch=choices.of((4, 12, 40)),
        )

    return crowded


def _shape(choices: Choices, base: Situation, operator: type[Plan]) -> type:
    """Half of the time aggregates of one column; mostly conditions for which engines have ways of their own."""
    if operator in JOINS and choices.chance(2, 3):
        return JoinConditions
    return OneArgument if base.shape is ManyAggregates and choices.chance(1, 2) else base.shape


def of_any_length(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    start = choices.below(LAST_START)
    if choices.chance(1, 16):
        return Interval(start, FOREVER)
    return Interval(start, start + choices.between(1, 12))


def _of_length(length: int) -> ChooseSpan:
    """As behind a window: elements end in the order in which they start."""

    def span(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
        start = choices.below(LAST_START)
        return Interval(start, start + length)

    return span


def _in_bursts(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    start = choices.of((0, 1, 9, 10))
    return Interval(start, start + choices.between(1, 12))


# Few keys that come and go ---------------------------------------------------------------------------------------


def of_few_values(choices: Choices, type_: Type) -> Value:
    """One of two, so that most elements have the key of others."""
    return None if choices.chance(1, 24) else choices.of(_two_values(type_))


def one_after_the_other(choices: Choices, before: IntervalElement | None) -> Interval:
    """It starts about when an earlier one ends, or soon; it lasts for a few instants."""
    start = choices.below(FEW_INSTANTS)
    if before is not None and before[1].end < LAST_START and choices.chance(1, 2):
        start = max(int(before[1].end) + choices.of((0, -1, 1)), 0)
    return Interval(start, start + choices.between(1, 4))


def with_join_conditions(choices: Choices, situation: Situation, operator: type[Plan]) -> Situation:
    """Joins whose conditions an index can help with, mostly."""
    return replace(situation, shape=JoinConditions) if operator in JOINS and choices.chance(3, 4) else situation
