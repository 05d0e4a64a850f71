"""Operators that go by an order, over many rows at once: which row is the first, the next, or one too many?

Places, frames and neighbours are seen only where a group has more rows than they reach over, and what an order says of
NULL and of equal values only where there are some.
"""

from dataclasses import replace
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_over import choose_over
from equivalence.cases.random_plans import PlanGenerator
from equivalence.cases.random_rows import COMMON_VALUES
from equivalence.cases.situation import Situation
from semantics import Interval, Plan, Schema, Scope, Type, Value
from semantics.ordering import SortKey
from semantics.plan import Limit, Over, TimeWindow
from semantics.stream import IntervalElement

NULLS: Final = (None, None, True, False)
INSTANTS: Final = 3
LONGEST: Final = 3
MOST_FUNCTIONS: Final = 4
MOST_COLUMNS: Final = 4
FURTHER_PLACES: Final = 5


class OrderedRows(PlanGenerator):
    """There is always an order, and what is ordered comes straight from a source."""

    def plan(self, depth: int) -> Plan:  # noqa: ARG002  # what is below does not matter here
        windowed = TimeWindow in self.kinds and self.choices.chance(1, 2)
        return TimeWindow(self.source(), self.choices.between(2, 3)) if windowed else self.source()

    def over(self, depth: int) -> Plan:
        child, count = self.plan(depth - 1), self.choices.between(2, MOST_FUNCTIONS)
        functions = tuple(choose_over(self.choices, Scope(child.schema)) for _ in range(count))
        keys = self.keys(child) if self.choices.chance(1, 2) else ()
        return Over(child, functions, tuple(f"a{i}" for i in range(count)), keys, self.order(child))

    def number(self, least: int, most: int) -> int:
        """Places further behind than the first few, as far as there are rows."""
        return self.choices.between(least, most + FURTHER_PLACES)

    def order(self, child: Plan) -> tuple[SortKey, ...]:
        columns = [self.choices.below(len(child.schema)) for _ in range(self.choices.between(1, MOST_COLUMNS))]
        return tuple(SortKey(c, self.choices.chance(1, 2), self.choices.of(NULLS)) for c in dict.fromkeys(columns))


def _null_or_common(choices: Choices, type_: Type) -> Value:
    return None if choices.chance(1, 4) else choices.of(COMMON_VALUES[type_])


def _together(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    start = choices.below(INSTANTS)
    return Interval(start, start + choices.between(1, LONGEST))


def _one_of_three(choices: Choices, type_: Type) -> Value:
    return choices.of((None, *COMMON_VALUES[type_][:2]))


ORDERED: Final = Situation(
    "order",
    _null_or_common,
    _together,
    shape=OrderedRows,
    operators=frozenset({Limit, Over}),
    weight=24,
    least=5,
    largest=12,
)
LONG_ORDERS: Final = replace(
    ORDERED,
    name="long orders",
    value=_one_of_three,
    catalogue={"A": Schema.of(x=int, s=str, y=int, f=float), "B": Schema.of(x=int, y=int, z=int)},
    weight=2,
    least=8,
    largest=20,
)
"""Columns of few values, so that rows are peers by the first columns of an order, and the last ones decide."""
