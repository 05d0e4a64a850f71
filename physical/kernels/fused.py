"""Counts, sums, least and greatest values of ints in one sweep: what most aggregations need.

It covers the common case: no NULL, sums that cannot overflow and, for extremes, elements that leave their group in the
order in which they entered it. `physical.aggregation.segments` covers every case, with a script.
"""

import numpy as np

from physical.kernels.exact import LIMB, int_mean
from physical.kernels.jit import jit
from physical.kernels.types import Array, Ints

SIZE, SUM, CHANGED, ROW = 0, 1, 2, 3
"""The state of a group: its number of elements, their sum, when it last changed, and its open row."""

LEAST, GREATEST, TAIL = 4, 6, 1
"""Where the heads of its queues of low and of high values are; the tail follows each head."""

NEVER = 2**63 - 1

Rows = tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints]
"""The group, start, end, count, sum, least and greatest value of each row; the last two are empty if not wanted."""


@jit
def swept(times: Ints, codes: Ints, groups: Ints, group_count: int, values: Ints, begin: Ints, extremes: bool) -> Rows:
    """One row per group and instant at which it changes, unless it is empty then; ordered by start.

    A code is 2 · element, plus 1 where it leaves. Group g has room for its values from 2 · begin[g] on, for low ones at
    even and for high ones at odd places: what is used together lies together. A group without an open row points to a
    dummy row behind all others, which saves a branch. Indices are unsigned: of others numba has to see whether they
    count from the end.
    """
    nobody = len(times) + 1
    row_group, start, end = np.empty(nobody, np.int64), np.empty(nobody, np.int64), np.empty(nobody + 1, np.int64)
    size, total = np.empty(nobody, np.int64), np.empty(nobody, np.int64)
    least = np.empty(nobody if extremes else 0, np.int64)
    greatest = np.empty_like(least)
    state = np.zeros((group_count, 8), np.int64)
    state[:, CHANGED], state[:, ROW] = -1, nobody
    queues = np.empty(2 * begin[-1], np.int64)
    n = useless = 0
    for i in range(len(times)):
        t, element, leaves = times[i], np.uint64(codes[i] >> 1), codes[i] & 1
        group, value, sign = groups[element], values[element], 1 - 2 * leaves
        own = state[np.uint64(group)]
        row, members, sum_ = own[ROW], own[SIZE] + sign, own[SUM] + sign * value
        again, filled = (own[CHANGED] == t) & (row != nobody), members > 0
        place = row if again else n
        at = np.uint64(place)
        own[SIZE], own[SUM], own[CHANGED], own[ROW] = members, sum_, t, place if filled else nobody
        end[np.uint64(row)] = t
        row_group[at], start[at], end[at] = group, t, NEVER
        size[at], total[at] = members, sum_
        if extremes:
            lowest = highest = sum_
            if members > 1:
                lowest = _followed(queues, own, LEAST, 2 * begin[group], value, leaves, 1)
                highest = _followed(queues, own, GREATEST, 2 * begin[group] + 1, value, leaves, -1)
            least[at], greatest[at] = lowest, highest
        n += int(filled and not again)
        useless += int(again and not filled)
    return _useful(row_group, start, end, size, total, least, greatest, n, useless)


@jit
def at_instants(times: Ints, groups: Ints, group_count: int, values: Ints, extremes: bool) -> Rows:
    """The same for elements of one instant each, ordered by start: those of a group and instant are one row."""
    size = len(times)
    row_group, start = np.empty(size, np.int64), np.empty(size, np.int64)
    members, total = np.empty(size, np.int64), np.empty(size, np.int64)
    least = np.empty(size if extremes else 0, np.int64)
    greatest = np.empty_like(least)
    latest = np.full(group_count, -1, np.int64)
    n = 0
    for i in range(size):
        group, value = groups[i], values[i]
        row = latest[group]
        if row >= 0 and start[row] == times[i]:
            members[row] += 1
            total[row] += value
            if extremes:
                least[row], greatest[row] = min(least[row], value), max(greatest[row], value)
            continue
        latest[group] = n
        row_group[n], start[n], members[n], total[n] = group, times[i], 1, value
        if extremes:
            least[n] = greatest[n] = value
        n += 1
    rows = row_group[:n].copy(), start[:n].copy(), start[:n] + 1, members[:n].copy(), total[:n].copy()
    return (*rows, least[:n].copy(), greatest[:n].copy())


@jit
def swept_alone(times: Ints, codes: Ints, values: Ints) -> Rows:
    """The same without extremes for a single group: its state stays in registers."""
    room = len(times) + 1
    start, end = np.empty(room, np.int64), np.empty(room, np.int64)
    size, total = np.empty(room, np.int64), np.empty(room, np.int64)
    n = members = sum_ = 0
    latest = -1
    for i in range(len(times)):
        t, sign = times[i], 1 - 2 * (codes[i] & 1)
        end[n] = t
        n += int((t != latest) & (members > 0))
        members, sum_, latest = members + sign, sum_ + sign * values[codes[i] >> 1], t
        start[n], size[n], total[n] = t, members, sum_
    if members > 0:
        end[n] = NEVER
        n += 1
    nothing = np.empty(0, np.int64)
    return np.zeros(n, np.int64), start[:n], end[:n], size[:n], total[:n], nothing, nothing


@jit
def _followed(queues: Ints, own: Ints, which: int, first: int, value: int, leaves: int, sign: int) -> int:
    """Let a value enter or leave a queue at every second place that ascends or, with sign −1, descends; its head.

    A value is useless once a later one is less, so it is dropped. If the value that leaves equals the head, it is the
    head; otherwise it was dropped before. While a group has one member, its sum is the extreme, so the queue starts
    with the second member, and is not used when only one is left.
    """
    if own[SIZE] == 2 and not leaves:
        queues[first] = own[SUM] - value
        own[which], own[which + TAIL] = 0, 1
    head, tail = own[which], own[which + TAIL]
    if leaves:
        head += int(queues[first + 2 * head] == value)
        own[which] = head
    else:
        while tail > head and sign * queues[first + 2 * (tail - 1)] > sign * value:
            tail -= 1
        queues[first + 2 * tail] = value
        own[which + TAIL] = tail + 1
    return int(queues[first + 2 * head])


@jit
def _useful(
    group: Ints, start: Ints, end: Ints, size: Ints, total: Ints, least: Ints, greatest: Ints, n: int, useless: int
) -> Rows:
    """The first n rows without the empty ones."""
    if useless > 0:
        kept = 0
        for i in range(n):
            group[kept], start[kept], end[kept], size[kept], total[kept] = group[i], start[i], end[i], size[i], total[i]
            if len(least) > 0:
                least[kept], greatest[kept] = least[i], greatest[i]
            kept += int(size[i] > 0)
        n = kept
    return group[:n], start[:n], end[:n], size[:n], total[:n], least[:n], greatest[:n]


@jit
def means(total: Ints, size: Ints) -> Array:
    """The mean of each row, rounded once."""
    result, digits = np.empty(len(size), np.float64), np.empty(3, np.int64)
    for i in range(len(size)):
        result[i] = int_mean(total[i] >> 32, total[i] & LIMB, size[i], digits)
    return result
