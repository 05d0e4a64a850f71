"""Plans with numbers of any size: windows, rows, places, gaps, frames, lists of IN, branches of CASE, keys.

Optimizers and engines may have ways of their own for the larger ones. What such a plan says is seen only in cases that
are drawn around its numbers, with as many rows as they ask for.
"""

from dataclasses import replace
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.dimensions.pools import magnitudes
from equivalence.cases.plan_shapes import LongExpressions, MeetingInputs
from equivalence.cases.random_plans import CATALOGUE
from semantics import FOREVER, Plan, Scope
from semantics import plan as op
from semantics.over import EdgeValue, FrameAggregate, NeighbourValue, OverFunction

NUMBERS: Final = (3, 1, 5, 6, 8, 9, 10, 12, 16, 17, 20, 21, 25, 32, 33, 40, 64, 65)
SPANS: Final = (3, 1, 7, 12, 60, 90, 360, 500, 3_600, 86_400, 100_000, 604_800, *magnitudes(100, 2**32))
MOST_KEYS: Final = 3
ABOUT_NUMBERS: Final[tuple[type[Plan], ...]] = (
    *(op.Limit, op.CountWindow, op.PartitionedWindow, op.Over, op.Aggregation, op.Grouping, op.Filter, op.Map),
    *(op.TimeWindow, op.SessionWindow, op.LandmarkWindow),
)
"""Operators that say how many, or whose expressions may list many things."""


class ManyParts(LongExpressions):
    """IN, CASE and COALESCE of many parts."""

    most_options = 17


class LargeNumbers(MeetingInputs):
    """Numbers of any size, where other plans have small ones."""

    expressions = ManyParts

    def number(self, least: int, most: int) -> int:
        return max(self.choices.of(NUMBERS), least) if self.choices.chance(3, 4) else super().number(least, most)

    def span(self, least: int, most: int) -> int:
        return self.choices.of(SPANS) if self.choices.chance(3, 4) else super().span(least, most)

    def keys(self, child: Plan) -> tuple[int, ...]:
        keys = [self.choices.below(len(child.schema)) for _ in range(self.choices.between(1, MOST_KEYS))]
        return tuple(dict.fromkeys(keys))

    def over_function(self, scope: Scope) -> OverFunction:
        function = super().over_function(scope)
        match function:
            case NeighbourValue(distance=distance):
                return replace(function, distance=self.number(1, 2) * (1 if distance > 0 else -1))
            case FrameAggregate(frame=frame) | EdgeValue(frame=frame) if frame.preceding != FOREVER:
                preceding = self.number(0, 3) if frame.unit == "rows" else self.span(0, 3)
                return replace(function, frame=replace(frame, preceding=preceding))
            case _:
                return function


def choose_plan_of_large_numbers(choices: Choices) -> Plan:
    """An operator that says how many, over a source or another operator."""
    plans = LargeNumbers(choices, CATALOGUE, awkward=False)
    return plans.rooted(choices.of(ABOUT_NUMBERS), choices.between(1, 2))
