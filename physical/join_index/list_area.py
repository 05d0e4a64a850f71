"""The list area, on which the others build: elements lie in memory or in a store, and every probe scans them.

Probing finds the stored elements that overlap a probe and could satisfy the join. Purging drops those that no future
element can overlap. A list area scans, a hash area (`hash_area`) looks up equal keys, an ordered area (`ordered_area`)
looks up a range of keys. The two sides of a join may have areas of different kinds.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from physical.columns.column import rows
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.join_index.sweep_area import Element, Order, Pairs
from physical.kernels import pairs
from physical.kernels.sort import stable_order
from physical.kernels.types import Ints
from semantics import Schema

MAX_PAIRS_AT_ONCE = 1 << 20
"""The pairs that a scan gives at once: a product of two large areas must not fill the memory."""


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

    def __init__(self, schema: Schema, order: Order = "end") -> None:
        self.order = order
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

    def extract(self, t: int) -> PhysicalStream:
        expired = self._sorted(self.elements.take(self.elements.end <= t))
        self.purge(t)
        return expired

    def replace(self, positions: Ints, batch: PhysicalStream) -> None:
        stored = self.elements
        places = np.arange(len(stored))
        places[positions] = len(stored) + np.arange(len(batch))
        self._change(in_order(joined([stored, batch]).take(places)))

    def remove(self, positions: Ints) -> None:
        stays = np.ones(len(self), np.bool_)
        stays[positions] = False
        self._change(self.elements.take(stays))

    def ordered(self) -> PhysicalStream:
        return self._sorted(self.elements)

    def __iter__(self) -> Iterator[Element]:
        found = self.ordered()
        return zip(rows(found.columns), found.start.tolist(), found.end.tolist(), strict=True)

    def __len__(self) -> int:
        return len(self.elements)

    def _sorted(self, elements: PhysicalStream) -> PhysicalStream:
        """Elements lie by start; an area that is ordered by ends sorts them."""
        return elements if self.order == "start" else elements.take(stable_order(elements.end))

    def _change(self, elements: PhysicalStream) -> None:
        self.elements = elements
        self.forget_index()

    def forget_index(self) -> None:
        """The stored elements have changed: an area with an index must rebuild it."""
