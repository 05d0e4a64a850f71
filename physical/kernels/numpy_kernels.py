"""Stand-ins for some kernels in numpy alone: slower, but for few elements faster than loading numba.

Each function has the name and the meaning of its kernel. Only runs that start together may come in another order.
"""

import numpy as np

from physical.kernels.types import ENDLESS, Bools, Ints

Lists = tuple[Ints, Ints]
Runs = tuple[Ints, Ints, Ints, Ints]


def dense(codes: Ints) -> Lists:
    """Number the distinct codes in the order of their first occurrence; and where each occurs first."""
    _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[numbers], first[order]


def is_sorted(values: Ints) -> bool:
    return bool((values[1:] >= values[:-1]).all())


def stable_order(values: Ints) -> Ints:
    """The positions of values from small to large; equal values keep their order."""
    return np.argsort(values, kind="stable")


def departures(keys: Ints, end: Ints, never: int) -> Lists:
    """When elements end and which keys they have, in the order of ends; those that never end are left out."""
    order = stable_order(end)[: np.count_nonzero(end != never)]
    return end[order], keys[order]


def merged(times: Ints, codes: Ints, times2: Ints, codes2: Ints) -> Lists:
    """Two lists ordered by time merged; a new last bit of each code names its list; at ties the second comes first."""
    when, what = np.concatenate([times2, times]), np.concatenate([codes2 << 1 | 1, codes << 1])
    order = stable_order(when)
    return when[order], what[order]


def runs(operation: int, key_count: int, times: Ints, codes: Ints, sides: int) -> Runs:  # noqa: ARG001  # as the kernel
    """Maximal runs in which the combined count of a key stays the same and is not 0, by start."""
    order = stable_order(codes >> sides)
    codes, times = codes[order], times[order]
    keys, signs = codes >> sides, 1 - 2 * (codes >> (sides - 1) & 1)
    right = (codes & (sides - 1)).astype(np.bool_)
    settled = _differs_after(keys) | _differs_after(times)
    left_count, right_count = (_within(keys, np.where(side, signs, 0))[settled] for side in (~right, right))
    return _maximal(keys[settled], times[settled], _combined(operation, left_count, right_count))


def _differs_after(values: Ints) -> Bools:
    return np.append(values[1:] != values[:-1], True)[: len(values)]


def _within(keys: Ints, steps: Ints) -> Ints:
    """The running sum of the steps of each key; the steps of a key lie side by side."""
    total = np.cumsum(steps)
    first = np.flatnonzero(np.roll(_differs_after(keys), 1))
    before = total[first] - steps[first]
    return total - np.repeat(before, np.diff(np.append(first, len(keys))))


def _combined(operation: int, left: Ints, right: Ints) -> Ints:
    choices: list[Ints] = [left, np.maximum(left - right, 0), np.minimum(left, right)]
    return choices[operation]


def _maximal(keys: Ints, times: Ints, counts: Ints) -> Runs:
    """Runs from the counts that hold from each time on, by key and then by time."""
    begins = np.roll(_differs_after(keys), 1)
    changed = counts != np.where(begins, 0, np.roll(counts, 1))
    keys, times, counts = keys[changed], times[changed], counts[changed]
    ends = np.where(_differs_after(keys), ENDLESS, np.roll(times, -1))
    there = np.flatnonzero(counts)
    there = there[stable_order(times[there])]
    return keys[there], times[there], ends[there], counts[there]
