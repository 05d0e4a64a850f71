"""Aggregation and grouping on batches: the reference aggregates one of all snapshots that look alike to it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equivalence.exhaustive.dense.batch_windows import groups
from equivalence.exhaustive.dense.counts import CaseBatch, Counts, Rows, Shape
from equivalence.exhaustive.dense.failures import Failures
from equivalence.exhaustive.dense.statistics import held, statistics
from semantics import Multiset, Row, SnapeqError
from semantics.aggregate import Aggregate, aggregate
from semantics.value import identical_row

Codes = NDArray[np.int64]
_CODES_IN_A_TABLE: Final = 1 << 16
"""Up to this many different codes are numbered by a table; more by sorting, which is slower but needs less space."""


class BatchAggregation:
    """Aggregates over batches of one shape and width."""

    def __init__(self, batch: CaseBatch, failures: Failures) -> None:
        self.shape, self.width, self.failures = batch.shape, batch.width, failures

    def aggregation(self, functions: Sequence[Aggregate], on_empty: bool, rows: Rows) -> Rows:
        """α (4): one row f_agg(snapshot) if the snapshot is not empty, and with on_empty also if it is."""
        return self._group((), tuple(functions), on_empty, rows)

    def grouping(self, keys: tuple[int, ...], functions: Sequence[Aggregate], rows: Rows) -> Rows:
        """γ: per group one row: the group's key, then f_agg(group)."""
        result: dict[Row, Counts] = {}
        for key, members in groups(keys, rows).items():
            result |= self._group(key, tuple(functions), False, members)
        return result

    def _group(self, key: Row, functions: tuple[Aggregate, ...], on_empty: bool, rows: Rows) -> Rows:
        told_apart = [held(rows.values(), self.shape), *(n for f in functions for n in statistics(f, rows, self.shape))]
        codes, found = _snapshots(told_apart, self.shape)
        which = np.full(len(found), -1, np.int64)
        results: dict[Row, int] = {}
        for code, place in enumerate(found):
            snapshot = Multiset({row: int(counts.flat[place]) for row, counts in rows.items()})
            if not snapshot and not on_empty:
                continue
            made = _aggregated(functions, snapshot)
            if isinstance(made, SnapeqError):
                self.failures.blame(made, codes == code)
            else:
                which[code] = results.setdefault(key + made, len(results))
        return self._spread(list(results), which[codes])

    def _spread(self, results: list[Row], which: Codes) -> Rows:
        """Each result once, wherever it is the one; −1 stands for none."""
        counts: Counts = np.zeros((len(results), *self.shape), self.width)
        (places,) = np.nonzero(which.ravel() >= 0)
        counts.reshape(len(results), which.size)[which.ravel()[places], places] = 1
        return dict(zip(results, counts, strict=True))


@lru_cache(maxsize=1 << 16)
def _aggregated(functions: tuple[Aggregate, ...], snapshot: Multiset) -> Row | SnapeqError:
    try:
        return identical_row(tuple(aggregate(function, snapshot) for function in functions))
    except SnapeqError as error:
        return error


def _snapshots(columns: Sequence[Counts], shape: Shape) -> tuple[Codes, Codes]:
    """Number the different snapshots 0, 1, …: the number at every instant and case, and a place for every number."""
    codes: Codes = np.zeros(shape, np.int64)
    found: Codes = np.zeros(min(codes.size, 1), np.int64)
    for counts in columns:
        base = int(counts.max(initial=0)) + 1
        codes, found = _renumbered(codes * base + counts, len(found) * base)
    return codes, found


def _renumbered(codes: Codes, bound: int) -> tuple[Codes, Codes]:
    """Codes below a bound, numbered without gaps, and a place where each occurs."""
    if bound > _CODES_IN_A_TABLE:
        _, found, numbers = np.unique(codes, return_index=True, return_inverse=True)
        return numbers.reshape(codes.shape), found
    place: Codes = np.full(bound, -1, np.int64)
    place[codes.ravel()] = np.arange(codes.size)
    (used,) = np.nonzero(place >= 0)
    number: Codes = np.zeros(bound, np.int64)
    number[used] = np.arange(len(used))
    return number[codes], place[used]
