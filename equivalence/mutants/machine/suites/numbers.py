"""Sums and means of numbers of all magnitudes, and every operation on every pair of integers at the edge of 64 bits."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.numbers import EDGES
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import attempt_in
from equivalence.conformance.judge import Attempt
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.suites.engine_cases import can_be_listed, wrong_of
from equivalence.mutants.machine.trial import Suite, Trial
from semantics import Plan, RawStream, Schema, Type
from semantics.aggregate import Sum
from semantics.expression import Arithmetic, Ref
from semantics.plan import Aggregation, Grouping, Map, Source, Union

NUMBERS: Final = tuple(SITUATIONS[name] for name in ("numbers", "numbers", "numbers in step"))


def numbers_of(engine: AnyEngine) -> Suite:
    """Aggregates over few elements whose numbers are made for each other."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        for number in range(size):
            choices = SeededChoices(f"numbers/{seed}/{number}")
            attempt = attempt_in(choices, choices.of((Aggregation, Grouping)), choices.of(NUMBERS))
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
