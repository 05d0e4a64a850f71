"""Signed elements: which positive one a negative one retracts, and how multiplicities change."""

import numpy as np

from physical.kernels.aggregation_script import CHANGED, ENTER, LEAVE, SIZE, closed, noted, read
from physical.kernels.jit import jit
from physical.kernels.types import ENDLESS, Array, Ints

NOBODY = -1
NEVER_YET = -2
"""Before all instants, even before that of elements that are held already (−1)."""

DISTINCT, SURPLUS, COMMON, RISE, FALL = 0, 1, 2, 3, 4
"""What to show of counts n₁ and n₂: min(n₁, 1); max(n₁ − n₂, 0); min(n₁, n₂); how much n₁ rises, or falls, now."""


WAS, NOTED = 2, 4
"""The state of a key after its two counts: the counts before the latest instant, and that instant."""


@jit
def first_come(keys: Ints, key_count: int, negative: Array) -> Ints:
    """For each negative element the oldest positive one of its key that is not retracted yet; −1 if there is none.

    A positive element gets itself.
    """
    head, tail = np.full(key_count, NOBODY, np.int64), np.full(key_count, NOBODY, np.int64)
    following, found = np.full(len(keys), NOBODY, np.int64), np.empty(len(keys), np.int64)
    for i in range(len(keys)):
        key = keys[i]
        if negative[i]:
            found[i] = head[key]
            if head[key] != NOBODY:
                head[key] = following[head[key]]
            continue
        found[i] = i
        if head[key] == NOBODY:
            head[key] = i
        else:
            following[tail[key]] = i
        tail[key] = i
    return found


@jit
def _shown(operation: int, left: int, right: int) -> int:
    if operation == DISTINCT:
        return min(left, 1)
    if operation == SURPLUS:
        return max(left - right, 0)
    return min(left, right)


@jit
def _change(operation: int, left: int, right: int, was_left: int, was_right: int) -> int:
    """By how much the shown count of a key changes; Istream and Dstream show the change itself."""
    if operation == RISE:
        return max(left - was_left, 0)
    if operation == FALL:
        return max(was_left - left, 0)
    return _shown(operation, left, right) - _shown(operation, was_left, was_right)


@jit
def steps(operation: int, key_count: int, times: Ints, codes: Ints, sign: Array) -> tuple[Ints, Ints, Ints]:
    """Where the shown count of a key changes: the key, when, and by how much; at one instant decreases come first.

    A code is 2 · key, plus 1 on the right side. All changes of a key at one instant are taken together.
    """
    state, touched = np.zeros((key_count, 5), np.int64), np.empty(key_count + 1, np.int64)
    state[:, NOTED] = NEVER_YET
    key_of, instant = np.empty(len(times), np.int64), np.empty(len(times), np.int64)
    change = np.empty(len(times), np.int64)
    n = touches = 0
    for i in range(len(times)):
        key, t = codes[i] >> 1, times[i]
        if state[key, NOTED] != t:
            state[key, NOTED], state[key, WAS], state[key, WAS + 1] = t, state[key, 0], state[key, 1]
            touched[touches] = key
            touches += 1
        state[key, codes[i] & 1] += sign[i]
        if i + 1 < len(times) and times[i + 1] == t:
            continue
        comes = 0
        for k in range(touches):
            key = touched[k]
            by = _change(operation, state[key, 0], state[key, 1], state[key, WAS], state[key, WAS + 1])
            if by < 0:
                key_of[n], instant[n], change[n] = key, t, by
                n += 1
            elif by > 0:
                touched[comes], state[key, WAS] = key, by
                comes += 1
        for k in range(comes):
            key_of[n], instant[n], change[n] = touched[k], t, state[touched[k], WAS]
            n += 1
        touches = 0
    return key_of[:n], instant[:n], change[:n]


@jit
def leave_as_they_came(groups: Ints, group_count: int, values: Ints, negative: Array) -> bool:
    """Whether in every group values leave in the order in which they entered."""
    begin = np.zeros(group_count + 1, np.int64)
    for i in range(len(groups)):
        begin[groups[i] + 1] += int(not negative[i])
    for group in range(group_count):
        begin[group + 1] += begin[group]
    entered, head, tail = np.empty(begin[-1], np.int64), begin[:-1].copy(), begin[:-1].copy()
    for i in range(len(groups)):
        group = groups[i]
        if not negative[i]:
            entered[tail[group]] = values[i]
            tail[group] += 1
        elif head[group] == tail[group] or entered[head[group]] != values[i]:
            return False
        else:
            head[group] += 1
    return True


@jit
def scripted(groups: Ints, group_count: int, times: Ints, codes: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """The script of an aggregation (see `aggregation_script`), and the group, start and end of its rows.

    Codes are 2 · element, plus 1 where it leaves, in the order of time; groups are those of the elements.
    """
    script = np.empty(2 * len(codes), np.int64)
    row_group = np.empty(len(codes), np.int64)
    row_start, row_end = np.empty(len(codes), np.int64), np.empty(len(codes), np.int64)
    state = np.full((group_count, 4), -1, np.int64)
    state[:, SIZE], state[:, CHANGED] = 0, NEVER_YET
    i = row = step = 0
    while i < len(codes):
        now, last = times[i], row
        while i < len(codes) and times[i] == now:
            element, leaves = codes[i] >> 1, codes[i] & 1
            script[step] = element << 2 | (LEAVE if leaves else ENTER)
            last = noted(state, groups[element], 1 - 2 * leaves, now, row_group, last)
            i, step = i + 1, step + 1
        last = closed(state, row_group, row, last, now, row_end)
        step = read(script, step, state, row_group, row, last)
        row_start[row:last], row_end[row:last] = now, ENDLESS
        row = last
    return script[:step], row_group[:row], row_start[:row], row_end[:row]
