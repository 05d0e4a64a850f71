"""The script of a temporal aggregation, and the aggregates that need only counts and sums.

A script lists what happens in the order of time: an element enters its group, an element leaves it, a row is read. Rows
are numbered as they are read. Every aggregate follows the script once, with a state for each group; so sorting is done
once for all aggregates.
"""

import numpy as np

from physical.kernels.exact import (
    FRACTION,
    LIMB,
    MAX_LIMBS,
    SAFE_BASE,
    SPECIAL,
    deposit,
    exponent_field,
    int_mean,
    last_bit,
    rounded,
)
from physical.kernels.jit import jit
from physical.kernels.types import ENDLESS, Array, Bools, Ints

ENTER, LEAVE, READ = 0, 1, 2
"""The kind of a step, in its lowest two bits; above them is the number of the element or of the row."""

SIZE, CHANGED, ROW = 0, 1, 2
"""The state of a group: its number of elements, when it last changed, and its row that has not ended, or -1."""

NEGATIVE, NAN, POSITIVE = 0, 1, 2
"""The doubles that are not finite."""

FIRST, BASE, WIDTH = 0, 1, 2
"""Where a group's exact sum is: its first limb, its base, and the number of limbs."""


@jit
def noted(state: Ints, group: int, change: int, now: int, changed: Ints, n: int) -> int:
    """Count an element in or out, and append its group to the groups changed now, unless it is among them."""
    state[group, SIZE] += change
    if state[group, CHANGED] != now:
        state[group, CHANGED] = now
        changed[n] = group
        n += 1
    return n


@jit
def sort_between(numbers: Ints, first: int, last: int) -> None:
    """Sort some of the numbers; most stretches are so short that insertion is fastest."""
    if last - first > 16:
        numbers[first:last].sort()
        return
    for k in range(first + 1, last):
        number, hole = numbers[k], k
        while hole > first and numbers[hole - 1] > number:
            numbers[hole] = numbers[hole - 1]
            hole -= 1
        numbers[hole] = number


@jit
def closed(state: Ints, changed: Ints, first: int, last: int, now: int, row_end: Ints) -> int:
    """End the rows of the changed groups; keep the groups that still have elements, in order."""
    n = first
    for k in range(first, last):
        group = changed[k]
        if state[group, ROW] >= 0:
            row_end[state[group, ROW]] = now
            state[group, ROW] = -1
        if state[group, SIZE] > 0:
            changed[n] = group
            n += 1
    sort_between(changed, first, n)
    return n


@jit
def read(script: Ints, step: int, state: Ints, row_group: Ints, first: int, last: int) -> int:
    """Read a row for each changed group; it becomes the open row of the group."""
    for row in range(first, last):
        script[step] = row << 2 | READ
        state[row_group[row], ROW] = row
        step += 1
    return step


@jit
def scripted(groups: Ints, group_count: int, start: Ints, end: Ints, departures: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """The script, and the group, start and end of its rows; departures are the elements that leave, ordered by end.

    Elements are ordered by start. A row is read whenever a group has changed and still has elements.
    """
    room = len(start) + len(departures)
    script = np.empty(2 * room, np.int64)
    row_group, row_start, row_end = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    state = np.full((group_count, 4), -1, np.int64)
    state[:, SIZE] = 0
    arrived = departed = row = step = 0
    while arrived < len(start) or departed < len(departures):
        now = start[arrived] if arrived < len(start) else ENDLESS
        if departed < len(departures):
            now = min(now, end[departures[departed]])
        last = row
        while departed < len(departures) and end[departures[departed]] == now:
            element = departures[departed]
            script[step] = element << 2 | LEAVE
            last = noted(state, groups[element], -1, now, row_group, last)
            departed, step = departed + 1, step + 1
        while arrived < len(start) and start[arrived] == now:
            script[step] = arrived << 2 | ENTER
            last = noted(state, groups[arrived], 1, now, row_group, last)
            arrived, step = arrived + 1, step + 1
        last = closed(state, row_group, row, last, now, row_end)
        step = read(script, step, state, row_group, row, last)
        row_start[row:last], row_end[row:last] = now, ENDLESS
        row = last
    return script[:step], row_group[:row], row_start[:row], row_end[:row]


@jit
def without_nulls(script: Ints, valid: Bools) -> Ints:
    """The script for an aggregate that ignores NULL: only valid elements enter and leave."""
    kept = np.empty_like(script)
    n = 0
    for step in script:
        kept[n] = step
        if step & 3 == READ or valid[step >> 2]:
            n += 1
    return kept[:n]


@jit
def counts(script: Ints, groups: Ints, row_group: Ints, group_count: int) -> Ints:
    """How many elements each row has."""
    size = np.zeros(group_count, np.int64)
    result = np.empty(len(row_group), np.int64)
    for step in script:
        i, what = step >> 2, step & 3
        if what == READ:
            result[i] = size[row_group[i]]
        else:
            size[groups[i]] += 1 - 2 * what
    return result


@jit
def int_sums(script: Ints, groups: Ints, row_group: Ints, group_count: int, values: Ints) -> tuple[Ints, Ints]:
    """The sum over each row as high * 2**32 + low, 0 <= low < 2**32."""
    sums = np.zeros((group_count, 2), np.int64)
    high, low = np.empty(len(row_group), np.int64), np.empty(len(row_group), np.int64)
    for step in script:
        i, what = step >> 2, step & 3
        if what == READ:
            sum_ = sums[row_group[i]]
            high[i], low[i] = sum_[1] + (sum_[0] >> 32), sum_[0] & LIMB
        else:
            sum_, sign = sums[groups[i]], 1 - 2 * what
            sum_[0] += sign * (values[i] & LIMB)
            sum_[1] += sign * (values[i] >> 32)
    return high, low


@jit
def first_overflow(high: Ints) -> int:
    """The first row whose sum, with this high part, does not fit into 64 bits; -1 if all do."""
    for i in range(len(high)):
        if high[i] < -(2**31) or high[i] >= 2**31:
            return i
    return -1


@jit
def int_means(high: Ints, low: Ints, counts: Ints) -> Array:
    """The mean of each row from its sum and its count; 0.0 where there is no value."""
    result = np.zeros(len(counts), np.float64)
    digits = np.empty(3, np.int64)
    for i in range(len(counts)):
        if counts[i] > 0:
            result[i] = int_mean(high[i], low[i], counts[i], digits)
    return result


@jit
def is_special(bits: int) -> bool:
    return exponent_field(bits) == SPECIAL


@jit
def layout(groups: Ints, group_count: int, bits: Ints) -> Ints:
    """Where the exact sum of each group is; it has only as many limbs as the doubles of the group need."""
    low, high = np.full(group_count, 2**11, np.int64), np.zeros(group_count, np.int64)
    for i in range(len(bits)):
        if bits[i] << 1 != 0 and not is_special(bits[i]):
            group, last = groups[i], last_bit(bits[i])
            low[group], high[group] = min(low[group], last), max(high[group], last)
    numbers = np.empty((group_count, 3), np.int64)
    first = 0
    for group in range(group_count):
        base = low[group] if low[group] >= SAFE_BASE else 0
        width = (max(high[group] - base, 0) >> 5) + 3
        numbers[group, FIRST], numbers[group, BASE], numbers[group, WIDTH] = first, base, width
        first += width
    return numbers


@jit
def counted_special(tally: Ints, bits: int, sign: int) -> None:
    """Count NaN or an infinity in or out."""
    if bits & FRACTION:
        tally[NAN] += sign
    elif bits > 0:
        tally[POSITIVE] += sign
    else:
        tally[NEGATIVE] += sign


@jit
def special_sum(tally: Ints) -> float:
    """The sum of the infinities and NaN, if there are any; else 0.0."""
    if tally[NAN] > 0 or (tally[NEGATIVE] > 0 and tally[POSITIVE] > 0):
        return np.nan
    if tally[NEGATIVE] > 0:
        return -np.inf
    return np.inf if tally[POSITIVE] > 0 else 0.0


@jit
def float_sums(script: Ints, groups: Ints, row_group: Ints, group_count: int, bits: Ints, divisors: Ints) -> Array:
    """The sum over each row, rounded once; divided before by the row's divisor, if there are divisors."""
    numbers = layout(groups, group_count, bits)
    limbs, digits = np.zeros(numbers[:, WIDTH].sum(), np.int64), np.empty(MAX_LIMBS + 1, np.int64)
    tallies = np.zeros((group_count, 3), np.int64)
    any_special = False
    result = np.empty(len(row_group), np.float64)
    for step in script:
        i, what = step >> 2, step & 3
        group = row_group[i] if what == READ else groups[i]
        first, base, width = numbers[group]
        if what == READ:
            special = special_sum(tallies[group]) if any_special else 0.0
            divisor = divisors[i] if len(divisors) > 0 else 1
            result[i] = special if special != 0.0 else rounded(limbs, first, width, base, divisor, digits)
        elif is_special(bits[i]):
            any_special = True
            counted_special(tallies[group], bits[i], 1 - 2 * what)
        elif bits[i] << 1 != 0:
            deposit(limbs, first, base, bits[i], 1 - 2 * what)
    return result
