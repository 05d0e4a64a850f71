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

    A code is 2 · element, plus 1 where it leaves. Group g has room for its values from begin[g] on. A group without an
    open row points to a dummy row behind all others, which saves a branch.
    """
    nobody = len(times) + 1
    row_group, start, end = np.empty(nobody, np.int64), np.empty(nobody, np.int64), np.empty(nobody + 1, np.int64)
    size, total = np.empty(nobody, np.int64), np.empty(nobody, np.int64)
    least = np.empty(nobody if extremes else 0, np.int64)
    greatest = np.empty_like(least)
    state = np.zeros((group_count, 8), np.int64)
    state[:, CHANGED], state[:, ROW] = -1, nobody
    low, high = np.empty(begin[-1], np.int64), np.empty(begin[-1], np.int64)
    n = useless = 0
    for i in range(len(times)):
        t, element, leaves = times[i], codes[i] >> 1, codes[i] & 1
        group, value, sign = groups[element], values[element], 1 - 2 * leaves
        row, members = state[group, ROW], state[group, SIZE] + sign
        again, filled = (state[group, CHANGED] == t) & (row != nobody), members > 0
        place = row if again else n
        state[group, SIZE], state[group, CHANGED], state[group, ROW] = members, t, place if filled else nobody
        state[group, SUM] += sign * value
        end[row] = t
        row_group[place], start[place], end[place] = group, t, NEVER
        size[place], total[place] = members, state[group, SUM]
        if extremes:
            least[place] = greatest[place] = state[group, SUM]
            if members > 1:
                least[place] = _followed(low, state, group, LEAST, begin[group], value, leaves, 1)
                greatest[place] = _followed(high, state, group, GREATEST, begin[group], value, leaves, -1)
        n += int(filled and not again)
        useless += int(again and not filled)
    return _useful(row_group, start, end, size, total, least, greatest, n, useless)


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
def _followed(queue: Ints, state: Ints, group: int, which: int, first: int, value: int, leaves: int, sign: int) -> int:
    """Let a value enter or leave a queue that ascends or, with sign −1, descends; gives its head.

    A value is useless once a later one is less, so it is dropped. If the value that leaves equals the head, it is the
    head; otherwise it was dropped before. While a group has one member, its sum is the extreme, so the queue starts
    with the second member, and is not used when only one is left.
    """
    if state[group, SIZE] == 2 and not leaves:
        queue[first] = state[group, SUM] - value
        state[group, which], state[group, which + TAIL] = 0, 1
    head, tail = state[group, which], state[group, which + TAIL]
    if leaves:
        head += int(queue[first + head] == value)
        state[group, which] = head
    else:
        while tail > head and sign * queue[first + tail - 1] > sign * value:
            tail -= 1
        queue[first + tail] = value
        state[group, which + TAIL] = tail + 1
    return int(queue[first + head])


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
