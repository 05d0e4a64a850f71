"""Sweep areas (Section 7.3): the elements of one input that may still meet elements of the other.

Probing finds the stored elements that overlap a probe and could satisfy the join; purging drops those that no future
element can overlap. A list area scans, a hash area looks up equal keys; a join may combine one of each.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from physical.column import Ints, identity_codes, unified
from physical.kernels import pairs
from physical.keys import row_hashes
from physical.stream import PhysicalStream, joined
from semantics import Schema

Pairs = tuple[Ints, Ints]
"""Positions of probes, and of the stored elements that they meet."""

ROOM = 1 << 20
"""How many pairs a scan may give at once, so that memory stays small."""


class SweepArea(Protocol):
    """What a join needs of a sweep area."""

    elements: PhysicalStream

    def insert(self, batch: PhysicalStream) -> None:
        """Store the elements of a batch; they start no earlier than the stored ones."""

    def query(self, probes: PhysicalStream) -> Iterator[Pairs]:
        """All pairs of a probe and a stored element that overlap and may satisfy the join."""

    def purge(self, t: int) -> None:
        """Drop the elements that end at t or before."""


class ListArea:
    """Elements in the order of arrival; every probe scans them."""

    def __init__(self, schema: Schema) -> None:
        self.elements = PhysicalStream.empty(schema)

    def insert(self, batch: PhysicalStream) -> None:
        self.elements = joined([self.elements, batch])

    def query(self, probes: PhysicalStream) -> Iterator[Pairs]:
        stored, first = self.elements, 0
        while first < len(probes):
            probe, met, first = pairs.scan_pairs(stored.start, stored.end, probes.start, probes.end, first, ROOM)
            yield probe, met

    def purge(self, t: int) -> None:
        if len(self.elements) and self.elements.end.min() <= t:
            self.elements = self.elements.take(self.elements.end > t)


class HashArea(ListArea):
    """Elements in chains of equal keys, each chain in the order of starts; the index is made anew when needed."""

    def __init__(self, schema: Schema, keys: tuple[int, ...], probe_keys: tuple[int, ...]) -> None:
        super().__init__(schema)
        self.keys = keys
        self.probe_keys = probe_keys
        self._index: tuple[Ints, Ints, Ints] | None = None

    def insert(self, batch: PhysicalStream) -> None:
        super().insert(batch)
        self._index = None

    def purge(self, t: int) -> None:
        before = self.elements
        super().purge(t)
        if self.elements is not before:
            self._index = None

    def query(self, probes: PhysicalStream) -> Iterator[Pairs]:
        if len(self.elements) == 0 or len(probes) == 0:
            return
        head, following, hashes = self._indexed()
        wanted, usable, exact = row_hashes([probes.columns[key] for key in self.probe_keys])
        stored = self.elements
        probe, met = pairs.hash_pairs(
            head, following, hashes, stored.start, stored.end, wanted, usable, probes.start, probes.end
        )
        yield (probe, met) if exact else self._verified(probes, probe, met)

    def _indexed(self) -> tuple[Ints, Ints, Ints]:
        if self._index is None:
            hashes, usable, _ = row_hashes([self.elements.columns[key] for key in self.keys])
            self._index = (*pairs.hash_index(hashes, usable), hashes)
        return self._index

    def _verified(self, probes: PhysicalStream, probe: Ints, met: Ints) -> Pairs:
        """The pairs whose keys are really equal; equal hashes only suggest it."""
        same = np.ones(len(probe), np.bool_)
        for key, probe_key in zip(self.keys, self.probe_keys, strict=True):
            mine, theirs = unified([self.elements.columns[key], probes.columns[probe_key]])
            same &= identity_codes(mine)[0][met] == identity_codes(theirs)[0][probe]
        return probe[same], met[same]
