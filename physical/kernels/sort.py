"""Stable sorts for times: radix, with as few passes as their range needs."""

import numpy as np

from physical.kernels import numpy_kernels
from physical.kernels.jit import jit, jit_or
from physical.kernels.types import Ints

_BITS = 11
_MASK = (1 << _BITS) - 1


@jit_or(numpy_kernels.is_sorted)
def is_sorted(values: Ints) -> bool:
    for i in range(1, len(values)):
        if values[i] < values[i - 1]:
            return False
    return True


@jit_or(numpy_kernels.stable_order)
def stable_order(values: Ints) -> Ints:
    """The positions of values from small to large; equal values keep their order."""
    n = len(values)
    order = np.arange(n)
    if is_sorted(values):
        return order
    low, high = values.min(), values.max()
    if np.uint64(high) - np.uint64(low) > np.uint64(2**60):
        return np.argsort(values, kind="mergesort")
    if high - low < 4 * n:
        return _order_by_counting(values, low, high - low + 1)
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


@jit
def _order_by_counting(values: Ints, low: int, span: int) -> Ints:
    """One pass over as many counters as there are values: where values are nearly in order, it hardly jumps."""
    begin = np.zeros(span + 1, np.int64)
    for i in range(len(values)):
        begin[values[i] - low + 1] += 1
    for value in range(span):
        begin[value + 1] += begin[value]
    order = np.empty(len(values), np.int64)
    for i in range(len(values)):
        order[begin[values[i] - low]] = i
        begin[values[i] - low] += 1
    return order


@jit_or(numpy_kernels.departures)
def departures(keys: Ints, end: Ints, never: int) -> tuple[Ints, Ints]:
    """When elements end and which keys they have, in the order of ends; those that never end are left out."""
    n, low, high = 0, never, 0
    for i in range(len(end)):
        if end[i] != never:
            n, low, high = n + 1, min(low, end[i]), max(high, end[i])
    if high - low > 8 * n:
        order = stable_order(end)[:n]
        return end[order], keys[order]
    return _by_instant(keys, end, low, high - low + 1, n)


@jit
def _by_instant(keys: Ints, end: Ints, low: int, span: int, n: int) -> tuple[Ints, Ints]:
    """Departures by counting the ends at each instant: if ends are nearly in order, it hardly jumps in memory."""
    begin = np.zeros(max(span, 0) + 1, np.int64)
    for i in range(len(end)):
        if end[i] - low < span:
            begin[end[i] - low + 1] += 1
    for t in range(span):
        begin[t + 1] += begin[t]
    times, leaving = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(len(end)):
        instant = end[i] - low
        if instant < span:
            times[begin[instant]], leaving[begin[instant]] = end[i], keys[i]
            begin[instant] += 1
    return times, leaving


@jit_or(numpy_kernels.merged)
def merged(times: Ints, codes: Ints, times2: Ints, codes2: Ints) -> tuple[Ints, Ints]:
    """Two lists ordered by time as one; where times are equal the second comes first.

    Every code gets a new last bit: 1 if it is from the second list. The loop has no branch that a processor could
    mispredict.
    """
    n = len(times) + len(times2)
    when, what = np.empty(n, np.int64), np.empty(n, np.int64)
    a = b = 0
    while a < len(times) and b < len(times2):
        t, t2, code, code2 = times[a], times2[b], codes[a], codes2[b]
        second = int(t2 <= t)
        when[a + b] = t2 if second else t
        what[a + b] = (code2 if second else code) << 1 | second
        a, b = a + 1 - second, b + second
    for i in range(a, len(times)):
        when[i + b], what[i + b] = times[i], codes[i] << 1
    for i in range(b, len(times2)):
        when[a + i], what[a + i] = times2[i], codes2[i] << 1 | 1
    return when, what
