"""Split and coalesce as operators of their own, with limits that no plan gives them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.lists.list_operators import split
from equivalence.mutants.machine.suites.batches import in_batches
from equivalence.mutants.machine.suites.canonical_form import two_streams
from equivalence.mutants.machine.trial import Trial
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.operator import IntervalOperator
from physical.engines.interval.split_and_coalesce import IntervalCoalesce, IntervalSplit
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Interval, IntervalStream
from semantics.stream import IntervalElement, Run, canonical


def pieces(seed: int, size: int) -> Iterator[Trial]:
    """Streams in pieces, in batches of any size; each is cut, and each is glued together."""
    for number in range(size):
        case = _pieces(SeededChoices(f"pieces/{seed}/{number}"))
        yield Trial("split", number, case.wrong_split)
        yield Trial("coalesce", number, case.wrong_coalesce)


def _pieces(choices: Choices) -> "_Pieces":
    _, stream = two_streams(choices)
    return _Pieces(stream, choices.between(1, 4), choices.of((0, 1, 3, 9)), choices.between(1, 9))


@dataclass(frozen=True)
class _Pieces:
    stream: IntervalStream
    length: int
    beyond: int
    """A limit longer than the pieces by this much; 0 stands for no limit."""
    size: int

    @property
    def longest(self) -> int:
        return self.length + self.beyond if self.beyond else ENDLESS

    @cached_property
    def short(self) -> IntervalStream:
        """The same with an end for everything."""
        ends = [(row, Interval(i.start, min(i.end, i.start + 9))) for row, i in self.stream.elements]
        return IntervalStream(self.stream.schema, ends)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        return canonical(self.stream)

    def wrong_split(self) -> str | None:
        found = self._through(IntervalSplit(self.short.schema, self.length), self.short)
        if any(i.end - i.start > self.length for _, i in found):
            return "a piece is too long"
        expected = split(self.length, self.short.elements)
        return None if sorted(map(repr, found)) == sorted(map(repr, expected)) else "other pieces"

    def wrong_coalesce(self) -> str | None:
        found = self._through(IntervalCoalesce(self.stream.schema, self.longest), self.stream)
        if canonical(IntervalStream(self.stream.schema, found)) != self.runs:
            return "other snapshots"
        if any(i.end - i.start > max(self.longest, 0) for _, i in found if i.end != FOREVER and self._glued(i)):
            return "a result is too long"
        return "something is left to glue" if self._can_be_glued(found) else None

    def _glued(self, interval: Interval) -> bool:
        return interval not in [i for _, i in self.stream.elements]

    def _can_be_glued(self, found: list[IntervalElement]) -> bool:
        longest = FOREVER if self.longest == ENDLESS else self.longest
        return any(
            repr(row) == repr(other) and i.end == j.start and j.end - i.start <= longest
            for row, i in found
            for other, j in found
        )

    def _through(self, operator: IntervalOperator, stream: IntervalStream) -> list[IntervalElement]:
        """What an operator gives that takes batch after batch, and nothing else before it is closed."""
        operator.patience = 1 << 20
        given = [operator.push(batch) for batch in in_batches(PhysicalStream.of(stream), self.size)]
        return list(joined([*given, operator.close()]).to_interval().elements)
