"""What files are computed with: streams in batches through a graph, and the difference of two, against the whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.random_cases import Case
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.situation import Situation, choose_in_situation
from equivalence.cases.situations import SITUATIONS
from equivalence.mutants.machine.suites.canonical_form import difference_of, two_streams
from equivalence.mutants.machine.suites.settling import settles
from equivalence.mutants.machine.trial import Trial
from physical.columns.column import ColumnVector, rows
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.algebra import interval_graph
from physical.files import stream_difference
from physical.files.canonical_runs import runs_of_counted
from physical.files.counted import counted_schema
from physical.files.run_in_batches import add_runs, feed
from physical.kernels.types import ENDLESS
from semantics import FOREVER, ArithmeticOverflow, IntervalStream, Plan, Row, Type, evaluate
from semantics.lookahead import known_until, last_change
from semantics.stream import canonical

Batches = Iterator[PhysicalStream]


def batched_runs(seed: int, size: int) -> Iterator[Trial]:
    """Plans over streams that come in batches of any size; the result is in canonical form."""
    operators = sorted(OPERATORS, key=lambda operator: operator.__name__)
    situations = [s for s in SITUATIONS.values() if s.delivery == "whole" and s.operators is None]
    cases = (_fed(SeededChoices(f"batches/{seed}/{number}"), operators, situations) for number in range(2 * size))
    for number, case in enumerate(islice((case for case in cases if case is not None), size)):
        yield Trial("batches", number, case.wrong)


def batched_differences(seed: int, size: int) -> Iterator[Trial]:
    """The first difference of two streams that come in batches."""
    for number in range(size):
        choices = SeededChoices(f"batched differences/{seed}/{number}")
        left, right = two_streams(choices)
        sizes = choices.between(1, 9), choices.between(1, 9)
        case = _Differing(left, right, sizes, stream_difference.CHANGES_WORTH_SETTLING if choices.chance(1, 2) else 0)
        yield Trial("batched differences", number, case.wrong)


def counted_runs(seed: int, size: int) -> Iterator[Trial]:
    """The canonical form of elements that have counts."""
    for number in range(size):
        choices = SeededChoices(f"counted runs/{seed}/{number}")
        stream, _ = two_streams(choices)
        counts = tuple(choices.between(1, 3) for _ in stream.elements)
        if counts:
            yield Trial("counted runs", number, _Counted(stream, counts).wrong)


@dataclass(frozen=True)
class _Counted:
    stream: IntervalStream
    counts: tuple[int, ...]

    @cached_property
    def expected(self) -> list[str]:
        copies = [element for element, n in zip(self.stream.elements, self.counts, strict=True) for _ in range(n)]
        runs = canonical(IntervalStream(self.stream.schema, copies))
        return sorted(repr((*row, n, i.start, ENDLESS if i.end == FOREVER else int(i.end))) for row, i, n in runs)

    def wrong(self) -> str | None:
        whole = PhysicalStream.of(self.stream)
        counts = ColumnVector(Type.INT, np.array(self.counts))
        found = runs_of_counted(whole.with_columns(counted_schema(whole.schema), (*whole.columns, counts)))
        return None if sorted(_runs(found, ENDLESS)) == self.expected else "wrong runs"


def in_batches(stream: PhysicalStream, size: int) -> Batches:
    return (stream.take(np.s_[first : first + size]) for first in range(0, len(stream), size))


def _fed(choices: Choices, operators: list[type[Plan]], situations: list[Situation]) -> "_Fed | None":
    situation = choices.of(situations)
    plan, case = choose_in_situation(choices, situation, choices.of(operators))
    horizon = choices.between(3, situation.horizon)
    try:
        expected = canonical(evaluate(plan, case, horizon))
    except ArithmeticOverflow:
        return None
    runs = tuple((*row, n, i.start, int(i.end)) for row, i, n in expected)
    until = known_until(plan, horizon, lambda name: last_change(case[name]))
    known = until if choices.chance(1, 2) or not settles(plan, case) else ENDLESS
    size, room, patience = choices.between(1, 5), choices.of((None, 1, 3)), choices.of((0, 4, 1 << 14))
    return _Fed(plan, case, horizon, known, runs, size, room, patience)


@dataclass(frozen=True)
class _Fed:
    plan: Plan
    case: Case
    horizon: int
    known: int
    """The horizon that the graph knows of; the result is compared up to the other one."""
    expected: tuple[Row, ...]
    """Each run: its row, its count, its start and its end."""
    size: int
    room: int | None
    patience: int

    def wrong(self) -> str | None:
        graph = interval_graph(self.known, self.patience)
        results = [PhysicalStream.empty(counted_schema(self.plan.schema))]
        operator = add_runs(graph, self.plan, results.append, frozenset())
        operator.patience = self.patience
        if self.room is not None:
            operator.over.room = self.room
        inputs = {name: PhysicalStream.of(stream) for name, stream in self.case.items()}
        feed(graph, {name: in_batches(inputs[name], self.size) for name in self.plan.sources()})
        found = joined([*results, *operator.rest()])
        return None if _runs(found, self.horizon) == list(map(repr, self.expected)) else "wrong runs"


def _runs(found: PhysicalStream, horizon: int) -> list[str]:
    spans = zip(rows(found.columns), found.start.tolist(), found.end.tolist(), strict=True)
    return [repr((*row, start, min(end, horizon))) for row, start, end in spans if start < horizon]


@dataclass(frozen=True)
class _Differing:
    left: IntervalStream
    right: IntervalStream
    sizes: tuple[int, int]
    patience: int

    @cached_property
    def expected(self) -> int | None:
        return difference_of(self.left, self.right)

    def wrong(self) -> str | None:
        expected, before = self.expected, stream_difference.CHANGES_WORTH_SETTLING
        stream_difference.CHANGES_WORTH_SETTLING = self.patience
        try:
            left, right = _counted(self.left, self.sizes[0]), _counted(self.right, self.sizes[1])
            found = stream_difference.first_difference(left, right, counted_schema(self.left.schema))
        finally:
            stream_difference.CHANGES_WORTH_SETTLING = before
        return None if found == expected else f"first difference {found} for {expected}"


def _counted(stream: IntervalStream, size: int) -> Batches:
    whole = PhysicalStream.of(stream)
    ones = ColumnVector(Type.INT, np.ones(len(whole), np.int64))
    return in_batches(whole.with_columns(counted_schema(whole.schema), (*whole.columns, ones)), size)
