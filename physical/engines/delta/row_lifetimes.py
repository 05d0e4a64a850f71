"""The lives of rows: a life begins with a positive element and ends with the negative one that retracts it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from physical.columns.stream import PhysicalStream, in_order
from physical.engines.delta.delta_stream import DeltaStream, joined
from physical.engines.delta.retraction import ended
from physical.kernels.types import ENDLESS, Bools, Ints
from semantics import StreamError

HELD_INSTANT = -1
"""The instant of the rows that an operator holds already: before all instants of new elements."""


@dataclass(frozen=True, eq=False)
class Lives:
    """The rows held already, all positive and at HELD_INSTANT; then the new elements, in order."""

    stream: DeltaStream
    old: int

    @classmethod
    def of(cls, held: DeltaStream, new: DeltaStream) -> "Lives":
        return cls(joined([held, new]), len(held))

    @cached_property
    def births(self) -> Ints:
        """The positions of the positive elements; a life's number is its position among them."""
        return np.flatnonzero(~self.stream.negative)

    @cached_property
    def deaths(self) -> Ints:
        """The positions of the negative elements."""
        return np.flatnonzero(self.stream.negative)

    @cached_property
    def ended(self) -> Ints:
        """The life that each negative element ends; kernels rely on it that there is one."""
        found = ended(self.stream.columns, self.births, self.deaths)
        if len(found) and int(found.min()) < 0:
            raise StreamError("delta: a row is retracted that is not there")
        return found

    @cached_property
    def number(self) -> Ints:
        """The life that each element begins or ends."""
        number = np.empty(len(self.stream), np.int64)
        number[self.births], number[self.deaths] = np.arange(len(self.births)), self.ended
        return number

    @cached_property
    def codes(self) -> Ints:
        """2 · life, plus 1 where it ends."""
        return self.number << 1 | self.stream.negative

    @cached_property
    def born(self) -> DeltaStream:
        """The first element of every life."""
        return self.stream if len(self.births) == len(self.stream) else self.stream.take(self.births)

    @cached_property
    def death(self) -> Ints:
        """When each life ends; ENDLESS if that is not known yet."""
        ends = np.full(len(self.births), ENDLESS, np.int64)
        ends[self.ended] = self.stream.time[self.deaths]
        return ends

    @cached_property
    def brief(self) -> Bools | None:
        """Which lives begin and end at one instant; None if there are none."""
        brief: Bools = self.born.time == self.death
        return brief if brief.any() else None

    @property
    def alive(self) -> Bools:
        """Which lives have not ended."""
        return np.equal(self.death, ENDLESS)

    @cached_property
    def survivors(self) -> DeltaStream:
        """The rows that are still there at the end, as they are held for the next time."""
        born = self.born if len(self.born) == len(self.stream) else self.born.take(self.alive)
        return born.at(np.full(len(born), HELD_INSTANT, np.int64))

    @cached_property
    def remaining(self) -> int:
        """How many lives have not ended; a sum of signs, which is cheaper than finding out which lives they are."""
        return int(self.stream.sign.sum(dtype=np.int64))

    def during(self, since: int, until: int) -> PhysicalStream:
        """The lives as intervals, cut to since … until."""
        start, end = np.maximum(self.born.time, since), np.minimum(self.death, until)
        lasting = PhysicalStream(self.stream.schema, self.born.columns, start, end)
        return in_order(lasting.take(start < end))
