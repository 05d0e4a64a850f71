"""Sums and means of numbers of all magnitudes: those that round, tie, cancel, are subnormal, or overflow."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.plan_shapes import ManyAggregates, OneArgument
from equivalence.cases.random_rows import COMMON_VALUES
from equivalence.cases.situations import CATALOGUE_OF_NUMBERS, ChooseValue, Situation, choose_in_situation
from equivalence.conformance.judge import Attempt
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.suites.engine_cases import can_be_listed, wrong_of
from equivalence.mutants.machine.trial import Suite, Trial
from semantics import Interval, Plan, RawStream, Schema, Type, Value
from semantics.aggregate import Sum
from semantics.expression import Arithmetic, Ref
from semantics.plan import Aggregation, Grouping, Map, Source, Union
from semantics.stream import IntervalElement
from semantics.value import INT_MAX, INT_MIN, NAN

HORIZON: Final = 16
FIRST_EXPONENTS: Final = (0, -1074, -1074, -1060, -1022, -990, -946, -60, 60, 900, 960, 970, 970)
"""What the last bits of the numbers of a case are worth, as powers of two."""
DISTANCES: Final = (0, 0, 1, 2, 11, 20, 21, 31, 32, 33, 52, 53, 54, 63, 64, 65, 96, 128)
MANTISSAS: Final = (1, 3, 5, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**52, 2**52 + 1, 2**53 - 1)
HUGE: Final = (2.0**1023, 1.5 * 2.0**1023, -(2.0**1023), (2 - 2.0**-52) * 2.0**1023)
"""The sum of two of these need not be finite, though their mean is."""
EDGES: Final = (0, 1, -1, INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1, 2**62, -(2**62), 2**31, 2**32)
FIRST_BITS: Final = (0, 20, 30, 31, 32, 51, 52, 53, 60, 61, 62, 63)


def numbers_of(engine: AnyEngine) -> Suite:
    """Aggregates over few elements whose numbers are made for each other."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        for number in range(size):
            attempt = _an_attempt(SeededChoices(f"numbers/{seed}/{number}"))
            if can_be_listed(attempt):
                yield Trial(f"{engine.name} numbers", number, partial(wrong_of, subject, attempt))

    return trials


def arithmetic_of(engine: AnyEngine) -> Suite:
    """Sums, differences and products of integers, by operators and by SUM, at the edge of 64 bits."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        for number in range(size):
            attempt = _at_the_edge(SeededChoices(f"arithmetic/{seed}/{number}"), number)
            yield Trial(f"{engine.name} arithmetic", number, partial(wrong_of, subject, attempt))

    return trials


def _at_the_edge(choices: Choices, number: int) -> Attempt:
    """A pair of numbers whose turn it is, now and then with others; for every pair each operation has its turn."""
    x, y, operation = list(product(EDGES, EDGES, ("+", "-", "*", "SUM")))[number % (4 * len(EDGES) ** 2)]
    others = [(choices.of(EDGES), choices.of(EDGES)) for _ in range(choices.of((0, 0, 1)))]
    stream = RawStream(Schema.of(x=int, y=int), [(row, 0) for row in [(x, y), *others]])
    attempt = Attempt(_computing(operation, Source("S", stream.schema)), {"S": stream}, 2)
    attempt.expected  # noqa: B018  # computed here and kept
    return attempt


def _computing(operation: str, source: Source) -> Plan:
    x, y = Ref(0, Type.INT), Ref(1, Type.INT)
    match operation:
        case "+" | "-" | "*":
            return Map(source, (Arithmetic(operation, x, y),), ("r",))
        case _:
            both = Union(Map(source, (x,), ("x",)), Map(source, (y,), ("x",)))
            return Aggregation(both, (Sum(x),), ("r",))


def _an_attempt(choices: Choices) -> Attempt:
    situation = Situation(
        "numbers",
        _chooses_of(choices),
        _early,
        catalogue=CATALOGUE_OF_NUMBERS,
        shape=choices.of((ManyAggregates, OneArgument)),
        again=choices.of((0, 4)),
        least=choices.of((2, 1, 6)),
        largest=choices.of((9, 2, 9, 3)),
    )
    plan, case = choose_in_situation(choices, situation, choices.of((Aggregation, Grouping)))
    return Attempt(plan, case, HORIZON)


def _chooses_of(choices: Choices) -> ChooseValue:
    """Values of few numbers, which belong to this case."""
    pools: dict[Type, list[Value]] = {
        **COMMON_VALUES,
        Type.FLOAT: [*_doubles(choices), *([] if choices.chance(3, 4) else [NAN, float("inf"), float("-inf"), -0.0])],
        Type.INT: list(_integers(choices)),
    }
    nulls = choices.chance(1, 4)

    def choose(choices: Choices, type_: Type) -> Value:
        return None if nulls and choices.chance(1, 4) else choices.of(pools[type_])

    return choose


def _doubles(choices: Choices) -> Iterator[float]:
    """Numbers not far from each other, some of which are the negative of another one."""
    if choices.chance(1, 12):
        yield from HUGE
        return
    first, few = choices.of(FIRST_EXPONENTS), choices.chance(1, 3)
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


def _early(choices: Choices, before: IntervalElement | None) -> Interval:
    start = choices.below(4)
    return Interval(start, start + choices.between(1, 6))
