"""One sweep over time: how often each key is there on two sides, and what follows from that.

Elements are ordered by start within each side; the left side's come before left_count, the right side's after it.
All that starts or ends at an instant is taken in first, then the keys it touched are looked at once. So whatever is
made of it comes out in the order of time, and the memory that is touched at random is one slot per key.
"""

import numpy as np

from physical.column import Ints
from physical.kernels.jit import jit
from physical.kernels.sort import stable_order

LEFT_COUNT, ONCE, SURPLUS, COMMON = 0, 1, 2, 3
"""What to make of the counts n₁ and n₂ of both sides: n₁; min(n₁, 1); max(n₁ − n₂, 0); min(n₁, n₂)."""

NEVER = 2**63 - 1


@jit
def bucketed(keys: Ints, key_count: int) -> tuple[Ints, Ints]:
    """Positions ordered by key, within a key as they were; and where each key's positions begin."""
    begin = np.zeros(key_count + 1, np.int64)
    for i in range(len(keys)):
        begin[keys[i] + 1] += 1
    for k in range(key_count):
        begin[k + 1] += begin[k]
    order = np.empty(len(keys), np.int64)
    free = begin[:-1].copy()
    for i in range(len(keys)):
        order[free[keys[i]]] = i
        free[keys[i]] += 1
    return order, begin


@jit
def _combined(operation: int, left: int, right: int) -> int:
    if operation == LEFT_COUNT:
        return left
    if operation == ONCE:
        return min(left, 1)
    if operation == SURPLUS:
        return max(left - right, 0)
    return min(left, right)


@jit
def _next_instant(start: Ints, end: Ints, by_end: Ints, next_start: Ints, next_end: Ints, stop: Ints) -> int:
    """The next instant at which anything starts or ends on either side."""
    t = np.int64(NEVER)
    for side in range(2):
        if next_start[side] < stop[side]:
            t = min(t, start[next_start[side]])
        if next_end[side] < stop[side]:
            t = min(t, end[by_end[next_end[side]]])
    return t  # type: ignore[return-value]  # numba's ints


@jit
def _note(key: int, t: int, noted: Ints, touched: Ints, n: int) -> int:
    """Remember that a key was touched at t, once."""
    if noted[key] == t:
        return n
    noted[key] = t
    touched[n] = key
    return n + 1


@jit
def _take_in(
    t: int,
    keys: Ints,
    start: Ints,
    end: Ints,
    by_end: Ints,
    next_start: Ints,
    next_end: Ints,
    stop: Ints,
    count: Ints,
    noted: Ints,
    touched: Ints,
) -> int:
    """Count everything that starts or ends at t; how many keys that touched."""
    n = 0
    for side in range(2):
        i = next_start[side]
        while i < stop[side] and start[i] == t:
            count[2 * keys[i] + side] += 1
            n = _note(keys[i], t, noted, touched, n)
            i += 1
        next_start[side] = i
        p = next_end[side]
        while p < stop[side] and end[by_end[p]] == t:
            key = keys[by_end[p]]
            count[2 * key + side] -= 1
            n = _note(key, t, noted, touched, n)
            p += 1
        next_end[side] = p
    return n


@jit
def _sort_few(values: Ints, n: int) -> None:
    """Sort the first n values, which are mostly one or two."""
    if n > 32:
        values[:n].sort()
        return
    for i in range(1, n):
        value = values[i]
        j = i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value


@jit
def _order_of_ends(end: Ints, left_count: int) -> Ints:
    """The positions of each side by their ends."""
    by_end = np.empty(len(end), np.int64)
    by_end[:left_count] = stable_order(end[:left_count])
    by_end[left_count:] = stable_order(end[left_count:]) + left_count
    return by_end


@jit
def runs(
    operation: int, keys: Ints, key_count: int, start: Ints, end: Ints, left_count: int
) -> tuple[Ints, Ints, Ints, Ints]:
    """Maximal runs in which the combined count of a key stays the same and is not 0, by start and then by key.

    Gives for each run its key, its start, its end, and the count.
    """
    by_end = _order_of_ends(end, left_count)
    stop = np.array([left_count, len(keys)])
    next_start, next_end = np.array([0, left_count]), np.array([0, left_count])
    count, noted = np.zeros(2 * key_count, np.int64), np.full(key_count, -1, np.int64)
    touched, open_ = np.empty(key_count, np.int64), np.full(key_count, -1, np.int64)
    room = 2 * len(keys)
    run_key, run_start = np.empty(room, np.int64), np.empty(room, np.int64)
    run_end, run_count = np.full(room, NEVER, np.int64), np.empty(room, np.int64)
    n = 0
    while next_end[0] < stop[0] or next_end[1] < stop[1]:
        t = _next_instant(start, end, by_end, next_start, next_end, stop)
        if t == NEVER:
            break
        changed = _take_in(t, keys, start, end, by_end, next_start, next_end, stop, count, noted, touched)
        _sort_few(touched, changed)
        for c in range(changed):
            key = touched[c]
            value = _combined(operation, count[2 * key], count[2 * key + 1])
            last = open_[key]
            if (last >= 0 and run_count[last] == value) or (last < 0 and value == 0):
                continue
            if last >= 0:
                run_end[last] = t
            open_[key] = -1
            if value > 0:
                run_key[n], run_start[n], run_count[n], open_[key] = key, t, value, n
                n += 1
    return run_key[:n], run_start[:n], run_end[:n], run_count[:n]


@jit
def changes(rising: bool, keys: Ints, key_count: int, start: Ints, end: Ints, since: int) -> tuple[Ints, Ints, Ints]:
    """Where the count of a key rises (or falls) at or after since: the key, when, and by how much."""
    by_end = stable_order(end)
    stop = np.array([len(keys), len(keys)])
    next_start, next_end = np.array([0, len(keys)]), np.array([0, len(keys)])
    count, noted = np.zeros(2 * key_count, np.int64), np.full(key_count, -1, np.int64)
    touched, before = np.empty(key_count, np.int64), np.zeros(key_count, np.int64)
    key_of, instant, change = np.empty_like(keys), np.empty_like(keys), np.empty_like(keys)
    n = 0
    while next_end[0] < stop[0]:
        t = _next_instant(start, end, by_end, next_start, next_end, stop)
        if t == NEVER:
            break
        touches = _take_in(t, keys, start, end, by_end, next_start, next_end, stop, count, noted, touched)
        for c in range(touches):
            key = touched[c]
            risen = count[2 * key] - before[key]
            before[key] = count[2 * key]
            by = risen if rising else -risen
            if by > 0 and t >= since:
                key_of[n], instant[n], change[n] = key, t, by
                n += 1
    return key_of[:n], instant[:n], change[:n]


@jit
def first_difference(keys: Ints, key_count: int, start: Ints, end: Ints, left_count: int) -> int:
    """The first instant at which the left and the right side hold some key differently often; −1 if there is none."""
    by_end = _order_of_ends(end, left_count)
    stop = np.array([left_count, len(keys)])
    next_start, next_end = np.array([0, left_count]), np.array([0, left_count])
    count, noted = np.zeros(2 * key_count, np.int64), np.full(key_count, -1, np.int64)
    touched = np.empty(key_count, np.int64)
    while next_end[0] < stop[0] or next_end[1] < stop[1]:
        t = _next_instant(start, end, by_end, next_start, next_end, stop)
        if t == NEVER:
            break
        touches = _take_in(t, keys, start, end, by_end, next_start, next_end, stop, count, noted, touched)
        for c in range(touches):
            if count[2 * touched[c]] != count[2 * touched[c] + 1]:
                return t
    return -1
