"""Sweep areas (Section 7.3): the elements of one input that may still meet elements of the other.

Probing finds the stored elements that overlap a probe and could satisfy the join. Purging drops those that no future
element can overlap. A list area scans, a hash area (`hash_area`) looks up equal keys, an ordered area (`ordered_area`)
looks up a range of keys. The two sides of a join may have areas of different kinds.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from physical.columns.stream import PhysicalStream, joined
from physical.kernels import pairs
from physical.kernels.types import Ints
from semantics import Schema

Pairs = tuple[Ints, Ints]
"""Positions of probes, and of the stored elements that they meet."""

MAX_PAIRS_AT_ONCE = 1 << 20
"""The pairs that a scan gives at once: a product of two large areas must not fill the memory."""


class SweepArea(Protocol):
    """What a join needs of a sweep area."""

    elements: PhysicalStream

    def insert(self, batch: PhysicalStream) -> None:
        """Store the elements of a batch; they start no earlier than the stored ones."""

    def query(self, probes: PhysicalStream) -> Iterator[Pairs]:
        """All pairs of a probe and a stored element that overlap and may satisfy the join."""

    def purge(self, t: int) -> None:
        """Drop the elements that end at t or before."""


class Home(Protocol):
    """Where the elements of an area are: in memory, or in a store (physical.engines.stored.operator_state)."""

    elements: PhysicalStream

    def insert(self, batch: PhysicalStream) -> None:
        """Store the elements of a batch; they start no earlier than the stored ones."""

    def purge(self, t: int) -> bool:
        """Drop the elements that end at t or before; True if there were any."""


class InMemory:
    """Elements as one batch."""

    def __init__(self, schema: Schema) -> None:
        self.elements = PhysicalStream.empty(schema)

    def insert(self, batch: PhysicalStream) -> None:
        self.elements = joined([self.elements, batch])

    def purge(self, t: int) -> bool:
        due = len(self.elements) > 0 and bool(self.elements.end.min() <= t)
        if due:
            self.elements = self.elements.take(self.elements.end > t)
        return due


class ListArea:
    """Elements in the order of arrival; every probe scans those that are valid while it is."""

    def __init__(self, schema: Schema) -> None:
        self.home: Home = InMemory(schema)

    @property
    def elements(self) -> PhysicalStream:
        return self.home.elements

    @elements.setter
    def elements(self, elements: PhysicalStream) -> None:
        self.home.elements = elements

    def insert(self, batch: PhysicalStream) -> None:
        self.home.insert(batch)
        self.forget_index()

    def query(self, probes: PhysicalStream) -> Iterator[Pairs]:
        stored, done, live = self.elements, np.zeros(3, np.int64), np.empty(len(self.elements), np.int64)
        while done[0] < len(probes):
            yield pairs.scan_pairs(stored.start, stored.end, probes.start, probes.end, done, live, MAX_PAIRS_AT_ONCE)

    def purge(self, t: int) -> None:
        if self.home.purge(t):
            self.forget_index()

    def forget_index(self) -> None:
        """The stored elements have changed: an area with an index must rebuild it."""
