"""The hash area: for conditions in which a key equals an expression over the probe."""

from collections.abc import Iterator, Sequence

import numpy as np

from physical.columns import expressions
from physical.columns.column import ColumnVector, identity_codes, unified
from physical.columns.row_numbers import row_hashes
from physical.columns.stream import PhysicalStream
from physical.join_index.list_area import ListArea
from physical.join_index.sweep_area import Pairs
from physical.kernels import pairs
from physical.kernels.types import Ints
from semantics import Expression, Schema, SnapeqError


class HashArea(ListArea):
    """Elements in chains of equal keys, each chain in the order of starts; the index is rebuilt when it is needed.

    `wanted` has an expression over the columns of a probe for each key; its column numbers begin at the offset.
    """

    def __init__(self, schema: Schema, keys: Sequence[int], wanted: Sequence[Expression], offset: int = 0) -> None:
        super().__init__(schema)
        self.offset = offset
        self.keys = tuple(keys)
        self.wanted = tuple(wanted)
        self._index: tuple[tuple[Ints, Ints, int], Ints] | None = None

    def query(self, probes: PhysicalStream) -> Iterator[Pairs]:
        if len(self.elements) == 0 or len(probes) == 0:
            return
        try:
            wanted = self._wanted(probes)
        except SnapeqError:  # perhaps for a probe without a partner; then only pairs that exist may raise
            yield from super().query(probes)
            return
        index, hashes = self._indexed()
        probe_hashes, usable, exact = row_hashes(wanted)
        stored = self.elements
        found = pairs.hash_pairs(
            index, hashes, stored.start, stored.end, probe_hashes, usable, probes.start, probes.end
        )
        yield found if exact else self._verified(wanted, found)

    def _wanted(self, probes: PhysicalStream) -> list[ColumnVector]:
        """The value that each key must equal; no expression refers to a column before the offset."""
        given = [*probes.columns[:1] * self.offset, *probes.columns]
        return [expressions.evaluate(expression, given, len(probes)) for expression in self.wanted]

    def forget_index(self) -> None:
        self._index = None

    def _indexed(self) -> tuple[tuple[Ints, Ints, int], Ints]:
        if self._index is None:
            hashes, usable, _ = row_hashes([self.elements.columns[key] for key in self.keys])
            self._index = (pairs.hash_index(hashes, usable), hashes)
        return self._index

    def _verified(self, wanted: Sequence[ColumnVector], found: Pairs) -> Pairs:
        """The pairs whose keys are really equal: equal hashes do not prove it."""
        probe, met = found
        same = np.ones(len(probe), np.bool_)
        for key, column in zip(self.keys, wanted, strict=True):
            mine, theirs = unified([self.elements.columns[key], column])
            same &= identity_codes(mine)[0][met] == identity_codes(theirs)[0][probe]
        return probe[same], met[same]
