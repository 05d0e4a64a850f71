"""Windows and the stream/relation operators on batches."""

from collections.abc import Sequence

import numpy as np

from equivalence.exhaustive.dense.batch_operators import monus
from equivalence.exhaustive.dense.counts import Counts, Rows
from semantics import Row
from semantics.evaluate import key_of
from semantics.plan import CountWindow, LandmarkWindow, PartitionedWindow, TimeWindow
from semantics.value import row_order

Spans = Sequence[tuple[int, int]]
"""For every instant the first instant that is visible, and the first that is not."""


def time_window(horizon: int, node: TimeWindow, rows: Rows) -> Rows:
    """ω_{w,s} (5): the sum over the last w instants up to the last boundary."""
    boundaries = [node.slide * (t // node.slide) for t in range(horizon)]
    return _summed(rows, [(int(max(b - node.size + 1, 0)), b + 1) for b in boundaries])


def landmark_window(horizon: int, node: LandmarkWindow, rows: Rows) -> Rows:
    """ω_[a,∞): the sum since the last landmark; nothing before the first."""
    return _summed(rows, [(min(_landmark(node, t), t + 1), t + 1) for t in range(horizon)])


def count_window(node: CountWindow | PartitionedWindow, rows: Rows) -> Rows:
    """ω^rows: of all occurrences, numbered by instant and then by the order on rows, the last ones."""
    if not rows:
        return rows
    ordered = sorted(rows, key=row_order)
    counts = np.stack([rows[row] for row in ordered], axis=1)
    windows = (_with_ties if node.ties else _numbered)(counts, node)
    return {row: np.ascontiguousarray(windows[:, i]) for i, row in enumerate(ordered)}


def partitioned_window(node: PartitionedWindow, rows: Rows) -> Rows:
    """ω^rows_P: a count window for each group; groups have no row in common."""
    result: dict[Row, Counts] = {}
    for members in groups(node.keys, rows).values():
        result |= count_window(node, members)
    return result


def istream(rows: Rows) -> Rows:
    """Istream: τ_t(S) − τ_{t−1}(S)."""
    return {row: monus(counts, _before(counts)) for row, counts in rows.items()}


def dstream(rows: Rows) -> Rows:
    """Dstream: τ_{t−1}(S) − τ_t(S)."""
    return {row: monus(_before(counts), counts) for row, counts in rows.items()}


def groups(keys: tuple[int, ...], rows: Rows) -> dict[Row, dict[Row, Counts]]:
    """The rows by their key."""
    key, result = key_of(keys), dict[Row, dict[Row, Counts]]()
    for row, counts in rows.items():
        result.setdefault(key(row), {})[row] = counts
    return result


def _summed(rows: Rows, spans: Spans) -> Rows:
    result = {row: np.empty_like(counts) for row, counts in rows.items()}
    for row, counts in rows.items():
        for t, (first, stop) in enumerate(spans):
            np.sum(counts[first:stop], axis=0, dtype=counts.dtype, out=result[row][t])
    return result


def _landmark(node: LandmarkWindow, now: int) -> int:
    return now - (now - node.start) % node.reset if node.reset and now >= node.start else node.start


def _numbered(counts: Counts, node: CountWindow | PartitionedWindow) -> Counts:
    """counts[t, e, c] are the occurrences number starts … ends − 1; how many of them lie in last − rows … last − 1?"""
    slide, size = _fitting(node.slide, counts), _fitting(node.rows, counts)
    ends = _ends(counts)
    starts, last = ends - counts, ends[:, -1] - ends[:, -1] % slide
    windows = np.empty_like(counts)
    for t, stop in enumerate(last):
        inside = np.minimum(ends[: t + 1], stop) - np.maximum(starts[: t + 1], np.maximum(stop - size, 0))
        np.sum(np.maximum(inside, 0), axis=0, dtype=counts.dtype, out=windows[t])
    return windows


def _with_ties(counts: Counts, node: CountWindow | PartitionedWindow) -> Counts:
    """A whole snapshot is visible while fewer than `rows` occurrences are later."""
    size, so_far = _fitting(node.rows, counts), _ends(counts)[:, -1]
    windows = np.empty_like(counts)
    for t, now in enumerate(so_far):
        visible = (now - so_far[: t + 1] < size)[:, np.newaxis]
        np.sum(counts[: t + 1] * visible, axis=0, dtype=counts.dtype, out=windows[t])
    return windows


def _ends(counts: Counts) -> Counts:
    """The number of occurrences up to and including each row of each instant."""
    instants, rows, cases = counts.shape
    running: Counts = np.cumsum(counts.reshape(instants * rows, cases), axis=0, dtype=counts.dtype)
    return running.reshape(counts.shape)


def _fitting(number: int, counts: Counts) -> int:
    """A number of occurrences that no case reaches may as well be the largest that the array can hold."""
    return min(number, int(np.iinfo(counts.dtype).max))


def _before(counts: Counts) -> Counts:
    earlier = np.zeros_like(counts)
    earlier[1:] = counts[:-1]
    return earlier
