"""The ordered area: for conditions in which a key lies within bounds that the probe gives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from physical.columns.column import ColumnVector, order_codes, unified
from physical.columns.stream import PhysicalStream
from physical.join_index.list_area import ListArea
from physical.join_index.sweep_area import Pairs
from physical.kernels import pairs
from physical.kernels.types import Ints
from semantics import Schema

PROBES_PER_SORT = 1024
"""Probes that share one sorted list of the elements that are valid while any of them is."""


@dataclass(frozen=True)
class KeyBound:
    """The key compares with a column of the probe by this symbol."""

    symbol: str
    probe_column: int


class OrderedArea(ListArea):
    """Elements looked up by ranges of one key: for every block of probes, live elements are sorted by their key."""

    def __init__(self, schema: Schema, key: int, bounds: Sequence[KeyBound]) -> None:
        super().__init__(schema)
        self.key = key
        self.bounds = tuple(bounds)

    def query(self, probes: PhysicalStream) -> Iterator[Pairs]:
        latest = np.maximum.accumulate(self.elements.end)
        for first in range(0, len(probes), PROBES_PER_SORT):
            block = probes.take(np.s_[first : first + PROBES_PER_SORT])
            since, until = int(block.start[0]), int(block.end.max())
            low = int(np.searchsorted(latest, since, side="right"))
            high = int(np.searchsorted(self.elements.start, until, side="left"))
            alive = low + np.flatnonzero(self.elements.end[low:high] > since)
            probe, met = self._found(block, self.elements.take(alive))
            yield probe + first, alive[met]

    def _found(self, probes: PhysicalStream, stored: PhysicalStream) -> Pairs:
        usable = np.flatnonzero(stored.columns[self.key].mask())
        codes = order_codes(stored.columns[self.key])[0][usable]
        order = np.argsort(codes, kind="stable")
        first, last = np.zeros(len(probes), np.int64), np.full(len(probes), len(order))
        for bound in self.bounds:
            low, high = self._range(bound, stored.columns[self.key], probes.columns[bound.probe_column], usable[order])
            first, last = np.maximum(first, low), np.minimum(last, high)
        return pairs.range_pairs(usable[order], first, last, stored.start, stored.end, probes.start, probes.end)

    def _range(self, bound: KeyBound, keys: ColumnVector, limits: ColumnVector, order: Ints) -> tuple[Ints, Ints]:
        """The range of places, for every probe, whose keys are within one bound; it is empty for NULL."""
        keys, limits = unified([keys, limits])
        codes, limit = order_codes(keys)[0][order], order_codes(limits)[0]
        place = np.searchsorted(codes, limit, side="left" if bound.symbol in ("<", ">=") else "right")
        below = bound.symbol in ("<", "<=")
        end = np.full(len(limit), len(order))
        low, high = (np.zeros_like(end), place) if below else (place, end)
        return np.where(limits.mask(), low, end), high
