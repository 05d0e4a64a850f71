"""Many streams at once: for every row its multiplicities, one number per instant and case.

    rows[e][t, c] is n(e, t) in case c; a row that is not mentioned never occurs.

Cases come last, so that every operation runs over contiguous memory. Arrays are never changed once they are in such a
mapping: operators hand on those of their inputs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from semantics import LogicalStream, Multiset, Row, Schema, SnapeqError

Counts = NDArray[np.signedinteger[Any]]
Mask = NDArray[np.bool_]
Rows = Mapping[Row, Counts]
Shape = tuple[int, int]
"""How many instants, how many cases."""

Width = type[np.signedinteger[Any]]
"""How wide the numbers are: as narrow as is safe, because that is fast."""

_WIDTHS: Final = (np.int8, np.int16, np.int32, np.int64)


@dataclass(frozen=True)
class CaseBatch:
    """The sources of all cases, by name; width must suffice for every sum that a plan makes of them."""

    sources: Mapping[str, Rows]
    shape: Shape
    width: Width

    def where(self, chosen: Mask) -> "CaseBatch":
        """Only the cases that are chosen."""
        sources = {
            name: {row: np.ascontiguousarray(counts[:, chosen]) for row, counts in rows.items()}
            for name, rows in self.sources.items()
        }
        return CaseBatch(sources, (self.shape[0], int(np.count_nonzero(chosen))), self.width)


def narrowest(largest: int) -> Width:
    """The smallest integers that hold all of 0 … largest, their negatives, and one more."""
    for width in _WIDTHS:
        if largest < np.iinfo(width).max:
            return width
    raise SnapeqError(f"dense: multiplicities must fit into 64 bits, but up to {largest:.1e} may occur")


def total(rows: Rows, batch: CaseBatch) -> Counts:
    """The number of occurrences at every instant of every case."""
    result: Counts = np.zeros(batch.shape, batch.width)
    for counts in rows.values():
        result += counts
    return result


def stack(streams: Sequence[LogicalStream], width: Width) -> Rows:
    """These streams, of one horizon, as the cases of a batch."""
    horizon = max((stream.horizon for stream in streams), default=0)
    rows: dict[Row, Counts] = {}
    for case, stream in enumerate(streams):
        for row, t, n in stream:
            rows.setdefault(row, np.zeros((horizon, len(streams)), width))[t, case] = n
    return rows


def unstack(rows: Rows, case: int, schema: Schema, horizon: int) -> LogicalStream:
    """One case of a batch as a logical stream."""
    present = {row: counts[:, case].tolist() for row, counts in rows.items()}
    snapshots = (Multiset({row: counts[t] for row, counts in present.items()}) for t in range(horizon))
    return LogicalStream(schema, tuple(snapshots))
