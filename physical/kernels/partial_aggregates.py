"""Partial aggregates of the groups of a batch: what is kept of a basic window, and how parts are merged."""

import numpy as np

from physical.kernels.aggregation_script import BASE, FIRST, WIDTH, counted_special, is_special, layout, special_sum
from physical.kernels.exact import LIMB, MAX_LIMBS, deposit, rounded
from physical.kernels.jit import jit
from physical.kernels.multiplicity import bucketed
from physical.kernels.types import Array, Bools, Ints

MAX_PARTS = 64
"""There are always fewer doubles that do not overlap: each covers 53 bits of all exponents."""


@jit
def added(groups: Ints, group_count: int, numbers: Ints) -> Ints:
    """The sum of the numbers of each group; it must fit into 64 bits."""
    total = np.zeros(group_count, np.int64)
    for i in range(len(groups)):
        total[groups[i]] += numbers[i]
    return total


@jit
def sums(groups: Ints, group_count: int, values: Ints, usable: Bools) -> tuple[Ints, Ints]:
    """The sum over each group as high * 2**32 + low, 0 <= low < 2**32; an empty `usable` means all rows."""
    both = np.zeros((group_count, 2), np.int64)
    for i in range(len(groups)):
        if len(usable) == 0 or usable[i]:
            both[groups[i], 0] += values[i] >> 32
            both[groups[i], 1] += values[i] & LIMB
    return both[:, 0] + (both[:, 1] >> 32), both[:, 1] & LIMB


@jit
def least_at(groups: Ints, group_count: int, codes: Ints, usable: Bools) -> Ints:
    """The position of the first least code of each group, or −1; an empty `usable` means all rows."""
    at = np.full(group_count, -1, np.int64)
    for i in range(len(groups)):
        if (len(usable) == 0 or usable[i]) and (at[groups[i]] < 0 or codes[i] < codes[at[groups[i]]]):
            at[groups[i]] = i
    return at


@jit
def exact_sums(groups: Ints, group_count: int, bits: Ints, divisors: Ints) -> Array:
    """The sum of the doubles of each group, divided by its divisor, and rounded once."""
    numbers = layout(groups, group_count, bits)
    limbs, digits = np.zeros(numbers[:, WIDTH].sum(), np.int64), np.empty(MAX_LIMBS + 1, np.int64)
    tallies = np.zeros((group_count, 3), np.int64)
    for i in range(len(groups)):
        if is_special(bits[i]):
            counted_special(tallies[groups[i]], bits[i], 1)
        elif bits[i] << 1 != 0:
            deposit(limbs, numbers[groups[i], FIRST], numbers[groups[i], BASE], bits[i], 1)
    result = np.empty(group_count, np.float64)
    for group in range(group_count):
        first, base, width = numbers[group]
        special = special_sum(tallies[group])
        divisor = max(divisors[group], 1)
        result[group] = special if special != 0.0 else rounded(limbs, first, width, base, divisor, digits)
    return result


@jit
def _grown(parts: Array, count: int, x: float) -> int:
    """Add a double exactly to a sum of doubles that do not overlap; gives their new number."""
    kept = 0
    for k in range(count):
        y = parts[k]
        if abs(x) < abs(y):
            x, y = y, x
        high = x + y
        low = y - (high - x)
        if low != 0.0:
            parts[kept] = low
            kept += 1
        x = high
    parts[kept] = x
    return kept + 1


@jit
def exact_parts(groups: Ints, group_count: int, values: Array) -> tuple[Ints, Array]:
    """A few doubles for each group whose exact sum is that of its values: the group and the value of each.

    If a sum overflows on the way there are no such doubles, and the values stay as they are; so do NaN and infinities.
    """
    order, begin = bucketed(groups, group_count)
    group_of, result = np.empty(len(values), np.int64), np.empty(len(values), np.float64)
    parts = np.empty(MAX_PARTS, np.float64)
    n = 0
    for group in range(group_count):
        count, first = 0, n
        for k in range(begin[group], begin[group + 1]):
            x = values[order[k]]
            if np.isfinite(x):
                count = _grown(parts, count, x) if x != 0.0 else count
                if not np.isfinite(parts[max(count - 1, 0)]) and count > 0:
                    count = -1
                    break
            else:
                group_of[n], result[n] = group, x
                n += 1
        if count < 0:
            n = first
            for k in range(begin[group], begin[group + 1]):
                group_of[n], result[n] = group, values[order[k]]
                n += 1
        for k in range(count):
            group_of[n], result[n] = group, parts[k]
            n += 1
    return group_of[:n], result[:n]
