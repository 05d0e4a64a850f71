"""BIT_AND, BIT_OR and BIT_XOR: how many of the values of a group have each bit."""

import numpy as np

from physical.kernels.aggregation_script import READ
from physical.kernels.jit import jit
from physical.kernels.types import Ints

AND, OR, XOR = 0, 1, 2
WIDTH = 64


@jit
def combined(counts: Ints, size: int, symbol: int) -> int:
    """The bits that all values have, or some, or an odd number of them."""
    result = np.int64(0)
    for bit in range(WIDTH):
        n = counts[bit]
        if (symbol == AND and n == size) or (symbol == OR and n > 0) or (symbol == XOR and n % 2 == 1):
            result |= np.int64(1) << bit
    return result  # type: ignore[return-value]  # kernels have no other ints


@jit
def bitwise(script: Ints, groups: Ints, row_group: Ints, group_count: int, values: Ints, symbol: int) -> Ints:
    """The values of each row, combined bit by bit; 0 in a row without values."""
    counts, size = np.zeros((group_count, WIDTH), np.int64), np.zeros(group_count, np.int64)
    result = np.zeros(len(row_group), np.int64)
    for step in script:
        i, what = step >> 2, step & 3
        if what == READ:
            group = row_group[i]
            if size[group] > 0:
                result[i] = combined(counts[group], size[group], symbol)
            continue
        group, sign = groups[i], 1 - 2 * what
        size[group] += sign
        for bit in range(WIDTH):
            counts[group, bit] += sign * ((values[i] >> bit) & 1)
    return result
