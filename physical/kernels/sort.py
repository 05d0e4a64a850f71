"""A stable sort for times: radix, with as few passes as their range needs."""

import numpy as np

from physical.column import Ints
from physical.kernels.jit import jit

_BITS = 11
_MASK = (1 << _BITS) - 1


@jit
def is_sorted(values: Ints) -> bool:
    for i in range(1, len(values)):
        if values[i] < values[i - 1]:
            return False
    return True


@jit
def stable_order(values: Ints) -> Ints:
    """The positions of values from small to large; equal values keep their order."""
    n = len(values)
    order = np.arange(n)
    if is_sorted(values):
        return order
    low, high = values.min(), values.max()
    if np.uint64(high) - np.uint64(low) > np.uint64(2**60):
        return np.argsort(values, kind="mergesort")
    keys, spare_keys, spare = values - low, np.empty(n, np.int64), np.empty(n, np.int64)
    shift = 0
    while (high - low) >> shift > 0:
        begin = np.zeros(_MASK + 2, np.int64)
        for i in range(n):
            begin[((keys[i] >> shift) & _MASK) + 1] += 1
        for digit in range(_MASK + 1):
            begin[digit + 1] += begin[digit]
        for i in range(n):
            digit = (keys[i] >> shift) & _MASK
            spare_keys[begin[digit]], spare[begin[digit]] = keys[i], order[i]
            begin[digit] += 1
        keys, spare_keys, order, spare = spare_keys, keys, spare, order
        shift += _BITS
    return order
