"""The canonical form of a physical stream, and with it the equivalence of two (16)."""

from dataclasses import dataclass

import numpy as np

from physical.bounds import bounds, ends, starts
from physical.column import Column, Ints, concatenated, taken
from physical.kernels import sweep
from physical.kernels.sort import merged
from physical.keys import row_numbers, row_order
from physical.stream import PhysicalStream
from semantics import Instant, StreamError
from semantics.stream import Run


@dataclass(frozen=True, eq=False)
class Canonical:
    """Per row its maximal runs of constant multiplicity, by start and then by row; and that multiplicity."""

    runs: PhysicalStream
    count: Ints

    def to_runs(self) -> tuple[Run, ...]:
        """As `semantics.canonical` gives them: for small results and tests."""
        elements = self.runs.to_interval().elements
        return tuple((row, interval, n) for (row, interval), n in zip(elements, self.count.tolist(), strict=True))


def canonical(stream: PhysicalStream) -> Canonical:
    """The canonical form of a stream."""
    keys, rows = ranked_rows(stream)
    runs = sweep.runs(sweep.LEFT_COUNT, len(rows[0]), *bounds(keys, stream), 1)
    if not sweep.order_keys(*runs):
        order = np.lexsort(runs[:2])
        runs = (runs[0][order], runs[1][order], runs[2][order], runs[3][order])
    key, start, end, count = runs
    return Canonical(PhysicalStream(stream.schema, taken(rows, key), start, end), count)


def ranked_rows(stream: PhysicalStream) -> tuple[Ints, tuple[Column, ...]]:
    """For every element the number of its row, and the distinct rows in their order."""
    numbers, first = row_numbers(stream.columns)
    order = row_order(taken(stream.columns, first), np.zeros(len(first), np.int64))
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(first))
    return rank[numbers], taken(stream.columns, first[order])


def first_difference(left: PhysicalStream, right: PhysicalStream) -> Instant | None:
    """The first instant at which two streams differ, or None if they are equivalent."""
    if left.schema.types != right.schema.types:
        raise StreamError(f"equivalent: streams must have the same types, got {left.schema} and {right.schema}")
    keys, first = row_numbers([concatenated(pair) for pair in zip(left.columns, right.columns, strict=True)])
    mine, theirs = keys[: len(left)], keys[len(left) :]
    gained = merged(*starts(mine, left), *ends(theirs, right))
    lost = merged(*starts(theirs, right), *ends(mine, left))
    found = sweep.first_difference(len(first), *gained, *lost)
    return None if found < 0 else int(found)
