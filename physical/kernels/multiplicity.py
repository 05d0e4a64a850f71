"""One sweep over time: how often each key is there on two sides, and what follows from that.

A sweep goes along bounds, which `physical.columns.interval_bounds` puts in order. A bound is a time and a code, which
holds the key, whether an element ends there, and its side. So results come out in the order of time, and only one slot
per key is accessed at random. A processor can hardly predict what happens at a bound, so where it matters there is
arithmetic in place of a branch.
"""

import numpy as np

from physical.kernels import numpy_kernels
from physical.kernels.jit import jit, jit_or
from physical.kernels.types import Ints

LEFT_COUNT, SURPLUS, COMMON = 0, 1, 2
"""How the counts n₁ and n₂ of both sides are combined: n₁; max(n₁ − n₂, 0); min(n₁, n₂)."""

COUNTS, NOTED, RUN, BEFORE = 0, 1, 2, 3
"""The state of a key: n₁ + 2³² n₂, when it was last touched, its open run, and its run before that instant."""

NEVER = 2**63 - 1
_MAX_INSERTION = 64
"""How far insertion may move a run; if it would move further, another sort is faster."""

Runs = tuple[Ints, Ints, Ints, Ints]
"""The key, the start, the end, and the count of each run."""


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
def _combined(operation: int, counts: int) -> int:
    left, right = counts & (2**32 - 1), counts >> 32
    if operation == LEFT_COUNT:
        return left
    if operation == SURPLUS:
        return max(left - right, 0)
    return min(left, right)


@jit_or(numpy_kernels.runs)
def runs(operation: int, key_count: int, times: Ints, codes: Ints, sides: int) -> Runs:
    """Maximal runs in which the combined count of a key stays the same and is not 0, by start.

    A code has the key, whether an element ends and, with two sides, a last bit that is 1 on the right side. A key
    without an open run points to a dummy run behind all others, with count 0, which saves a branch. A key that is
    touched twice at an instant may leave a run with count 0.
    """
    nobody = len(times) + 1
    key_of, start, end = np.empty(nobody, np.int64), np.empty(nobody, np.int64), np.empty(nobody + 1, np.int64)
    count = np.empty(nobody + 1, np.int64)
    count[nobody] = 0
    state = np.zeros((key_count, 4), np.int64)
    state[:, NOTED], state[:, RUN] = -1, nobody
    n = useless = 0
    for i in range(len(times)):
        t, key, ends, right = times[i], codes[i] >> sides, codes[i] >> (sides - 1) & 1, codes[i] & (sides - 1)
        counts = state[key, COUNTS] + (1 - 2 * ends) * (1 + right * (2**32 - 1))
        state[key, COUNTS] = counts
        value, run = _combined(operation, counts), state[key, RUN]
        if state[key, NOTED] == t:
            useless += int(run != state[key, BEFORE] and run != nobody)
            count[run] *= int(run == state[key, BEFORE])
            run = state[key, BEFORE]
            end[run] = NEVER
        state[key, NOTED], state[key, BEFORE] = t, run
        changed = value != count[run]
        opened = int(changed and value > 0)
        end[run if changed else nobody] = t
        key_of[n], start[n], end[n], count[n] = key, t, NEVER, value
        state[key, RUN] = n if opened else (nobody if changed else run)
        n += opened
    return _useful(key_of, start, end, count, n, useless)


@jit
def _useful(key_of: Ints, start: Ints, end: Ints, count: Ints, n: int, useless: int) -> Runs:
    """The first n runs without those of count 0."""
    if useless > 0:
        kept = 0
        for i in range(n):
            key_of[kept], start[kept], end[kept], count[kept] = key_of[i], start[i], end[i], count[i]
            kept += int(count[i] > 0)
        n = kept
    return key_of[:n], start[:n], end[:n], count[:n]


@jit
def order_keys(key_of: Ints, start: Ints, end: Ints, count: Ints) -> bool:
    """Put runs that start together in the order of their keys; give up with False if too many start together."""
    for i in range(1, len(start)):
        if (start[i - 1] == start[i]) & (key_of[i - 1] > key_of[i]):
            key, until, n, hole = key_of[i], end[i], count[i], i
            while hole > 0 and start[hole - 1] == start[i] and key_of[hole - 1] > key:
                key_of[hole], end[hole], count[hole] = key_of[hole - 1], end[hole - 1], count[hole - 1]
                hole -= 1
            key_of[hole], end[hole], count[hole] = key, until, n
            if i - hole > _MAX_INSERTION:
                return False
    return True


@jit
def copy_in_order(runs: Runs, place: Runs) -> bool:
    """The same at another place, in one pass; calling the other for the order would cost a third more."""
    key_of, start, end, count = runs
    key_at, start_at, end_at, count_at = place
    last = greatest = -1
    for i in range(len(start)):
        key, since, hole = key_of[i], start[i], i
        key_at[i], start_at[i], end_at[i], count_at[i] = key, since, end[i], count[i]
        if (since == last) & (greatest > key):
            while hole > 0 and start_at[hole - 1] == since and key_at[hole - 1] > key:
                key_at[hole], end_at[hole], count_at[hole] = key_at[hole - 1], end_at[hole - 1], count_at[hole - 1]
                hole -= 1
            key_at[hole], end_at[hole], count_at[hole] = key, end[i], count[i]
            if i - hole > _MAX_INSERTION:
                return False
        else:
            greatest = key
        last = since
    return True


@jit
def covered_runs(keys: Ints, key_count: int, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Maximal runs in which a key is there at all, by start: the key, the start and the end of each.

    Elements are ordered by start, so a run goes on as long as the next element starts before the latest end.
    """
    last = np.full(key_count, -1, np.int64)
    run_key, run_start, run_end = np.empty_like(keys), np.empty_like(keys), np.empty_like(keys)
    n = 0
    for i in range(len(keys)):
        run = last[keys[i]]
        if run >= 0 and start[i] <= run_end[run]:
            run_end[run] = max(run_end[run], end[i])
        else:
            run_key[n], run_start[n], run_end[n], last[keys[i]] = keys[i], start[i], end[i], n
            n += 1
    return run_key[:n], run_start[:n], run_end[:n]


@jit
def changes(rising: bool, key_count: int, times: Ints, codes: Ints, since: int) -> tuple[Ints, Ints, Ints]:
    """Where the count of a key rises (or falls) at or after since: the key, when, and by how much."""
    net, noted = np.zeros(key_count, np.int64), np.full(key_count, -1, np.int64)
    touched = np.empty(key_count, np.int64)
    key_of, instant, change = np.empty_like(codes), np.empty_like(codes), np.empty_like(codes)
    n = touches = 0
    for i in range(len(times)):
        key, t = codes[i] >> 1, times[i]
        net[key] += 1 - 2 * int((codes[i] & 1 == 1) == rising)
        touched[touches] = key
        touches += int(noted[key] != t)
        noted[key] = t
        if i + 1 < len(times) and times[i + 1] == t:
            continue
        for k in range(touches):
            key = touched[k]
            if net[key] > 0 and t >= since:
                key_of[n], instant[n], change[n] = key, t, net[key]
                n += 1
            net[key] = 0
        touches = 0
    return key_of[:n], instant[:n], change[:n]
