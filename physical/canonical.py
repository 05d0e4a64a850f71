"""The canonical form of a physical stream, and with it the equivalence of two (16)."""

from dataclasses import dataclass

import numpy as np

from physical.column import Ints
from physical.kernels import sweep
from physical.keys import representatives, row_numbers, row_order
from physical.stream import PhysicalStream, joined
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
    key, start, end, count = sweep.runs(sweep.LEFT_COUNT, keys, len(rows), stream.start, stream.end, len(stream))
    return Canonical(rows.take(key).valid_during(start, end), count)


def ranked_rows(stream: PhysicalStream) -> tuple[Ints, PhysicalStream]:
    """The distinct rows in their order, and for every element the number of its row."""
    numbers, count = row_numbers(stream.columns)
    rows = stream.take(representatives(numbers, count))
    order = row_order(rows.columns, np.zeros(count, np.int64))
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    return rank[numbers], rows.take(order)


def first_difference(left: PhysicalStream, right: PhysicalStream) -> Instant | None:
    """The first instant at which two streams differ, or None if they are equivalent."""
    if left.schema.types != right.schema.types:
        raise StreamError(f"equivalent: streams must have the same types, got {left.schema} and {right.schema}")
    both = joined([left, right])
    keys, key_count = row_numbers(both.columns)
    found = sweep.first_difference(keys, key_count, both.start, both.end, len(left))
    return None if found < 0 else int(found)
