"""Numbers that are made for each other: their sums round, tie, cancel, are subnormal, not finite, or overflow."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from equivalence.cases.choices import Choices
from equivalence.cases.plan_shapes import ManyAggregates, OneArgument
from equivalence.cases.random_plans import PlanGenerator
from equivalence.cases.random_rows import COMMON_VALUES
from equivalence.cases.situation import ChooseValue, Situation
from semantics import Expression, Interval, Plan, Schema, Scope, Type, Value
from semantics.aggregate import Avg, Max, Sum
from semantics.expression import Arithmetic, Ref
from semantics.plan import Map
from semantics.stream import IntervalElement
from semantics.value import INT_MAX, INT_MIN, NAN

FIRST_EXPONENTS: Final = (0, -1074, -1074, -1074, -1074, -1060, -1022, -990, -946, -60, 60, 900, 960, 970, 970)
"""What the last bits of the numbers of a case are worth, as powers of two."""
DISTANCES: Final = (0, 0, 1, 2, 11, 20, 21, 31, 32, 33, 52, 53, 54, 63, 64, 65, 96, 128)
MANTISSAS: Final = (1, 3, 5, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**52, 2**52 + 1, 2**53 - 1)
HUGE: Final = (2.0**1023, (2 - 2.0**-52) * 2.0**1023)
"""The sum of two of these need not be finite, though their mean is."""
_INFINITIES: Final = (float("inf"), float("-inf"))
NOT_FINITE: Final = ((NAN,), (NAN,), *((infinity,) for infinity in _INFINITIES), _INFINITIES, (NAN, *_INFINITIES))
"""Each alone among ordinary numbers, and some together: sums of one sign stay infinite, others do not."""
ORDINARY: Final = (1.0, -0.5, 3.0, 0.25)
"""For each number that is not finite: with fewer of them the last such number would seldom leave while others stay."""
CATALOGUE: Final = {"A": Schema.of(k=bool, f=float), "B": Schema.of(k=bool, x=int, f=float)}
"""Groups of a column with two values are large enough for some numbers to leave while others stay."""
ODD_FACTORS: Final = (2**31 - 1, 2**32 + 1, 3_037_000_499, 94_906_267)
"""Their products need more bits than a double has, and fit into 64 bits."""
EDGES: Final = (0, 1, -1, INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1, 2**62, -(2**62), 2**31, 2**32, *ODD_FACTORS)
FIRST_BITS: Final = (0, 20, 30, 31, 32, 51, 52, 53, 60, 61, 62, 63)


def made_for_each_other(choices: Choices, situation: Situation, operator: type[Plan]) -> Situation:  # noqa: ARG001
    """Few numbers of a case, under many aggregates or under a few of one column."""
    if choices.chance(1, 2 if situation.delivery == "in step" else 3):
        return _what_enters_leaves(choices, situation)
    return replace(
        situation,
        value=_chooses_of(choices, list(_doubles(choices))),
        shape=choices.of((ManyAggregates, OneArgument)),
        again=choices.of((0, 4)),
        least=choices.of((2, 1, 6)),
        largest=choices.of((9, 2, 9, 3)),
    )


def _what_enters_leaves(choices: Choices, situation: Situation) -> Situation:
    """Sums go on for long after what is not finite has left, and while elements still come."""
    value = _chooses_of(choices, _beyond(choices))
    return replace(situation, value=value, span=in_turn, raw=False, shape=FloatSums, least=9, largest=12)


def _chooses_of(choices: Choices, doubles: list[Value]) -> ChooseValue:
    """Values of few numbers, which belong to this case."""
    pools: dict[Type, list[Value]] = {**COMMON_VALUES, Type.FLOAT: doubles, Type.INT: list(_integers(choices))}
    nulls = choices.chance(1, 4)

    def choose(choices: Choices, type_: Type) -> Value:
        return None if nulls and choices.chance(1, 4) else choices.of(pools[type_])

    return choose


def _beyond(choices: Choices) -> list[Value]:
    """Ordinary numbers with few that are not finite, or numbers whose sum need not be."""
    if choices.chance(1, 4):
        return [*HUGE, *(-huge for huge in HUGE)]
    odd = choices.of(NOT_FINITE)
    return [*ORDINARY * len(odd), *odd]


class FloatSums(OneArgument):
    """SUM and AVG of floats, of all rows or for each of two groups: what enters a sum has to leave it again."""

    def aggregates(self, child: Plan, at_least: int) -> tuple[tuple[Any, ...], tuple[str, ...]]:  # noqa: ARG002
        index = child.schema.names.index("f")
        column = Ref(index, child.schema.types[index])  # an engine without floats has integers there
        return (Sum(column), Avg(column), Max(column)), ("total", "mean", "greatest")

    def keys(self, child: Plan) -> tuple[int, ...]:
        return (child.schema.names.index("k"),)


def _doubles(choices: Choices) -> Iterator[float]:
    """Numbers not far from each other, some of which are the negative of another one, often with the last bit alone."""
    first, few = choices.of(FIRST_EXPONENTS), choices.chance(1, 3)
    if choices.chance(1, 2):
        yield 2.0**first
    mantissas, distances = (range(10), (0,)) if few else (MANTISSAS, DISTANCES)
    for _ in range(choices.between(2, 6)):
        number = choices.of(mantissas) * 2.0 ** min(first + choices.of(distances), 970)
        yield number
        if choices.chance(1, 4):
            yield -number


def _integers(choices: Choices) -> Iterator[int]:
    """Numbers next to a power of two and to its negative."""
    bits = choices.of(FIRST_BITS)
    for _ in range(choices.between(2, 5)):
        number = choices.of((1, -1)) * 2**bits + choices.between(-3, 3)
        yield min(max(number, INT_MIN), INT_MAX)
    if choices.chance(1, 2):
        yield from (0, 1, -1, 2)


def early(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    start = choices.below(4)
    return Interval(start, start + choices.between(1, 6))


def in_turn(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    """Some are over when others start, and most of these last a little longer."""
    start = choices.below(8)
    return Interval(start, start + choices.between(1, 4))


# At the edge of 64 bits ------------------------------------------------------------------------------------------


def at_the_edge(choices: Choices, type_: Type) -> Value:
    return choices.of(EDGES if type_ is Type.INT else COMMON_VALUES[type_])


class EdgeArithmetic(PlanGenerator):
    """Two columns added, subtracted or multiplied, and the SUM of one: with nothing else that could overflow."""

    def map(self, depth: int) -> Plan:  # noqa: ARG002  # what is below does not matter here
        return Map(child := self.source(), (self._computed(Scope(child.schema)),), ("r",))

    def plan(self, depth: int) -> Plan:  # noqa: ARG002
        return self.source()

    def aggregates(self, child: Plan, at_least: int) -> tuple[tuple[Any, ...], tuple[str, ...]]:  # noqa: ARG002
        return (Sum(Ref(self.choices.of(_integer_columns(Scope(child.schema))), Type.INT)),), ("r",)

    def _computed(self, scope: Scope) -> Expression:
        left, right = (Ref(self.choices.of(_integer_columns(scope)), Type.INT) for _ in range(2))
        return Arithmetic(self.choices.of(("+", "-", "*")), left, right)


def _integer_columns(scope: Scope) -> list[int]:
    return [i for i, type_ in enumerate(scope.types) if type_ is Type.INT]
