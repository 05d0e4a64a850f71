"""Cutting intervals into pieces, and gluing pieces together."""

import numpy as np

from physical.kernels.jit import jit
from physical.kernels.multiplicity import bucketed
from physical.kernels.types import Ints


@jit
def split(start: Ints, end: Ints, length: int) -> tuple[Ints, Ints, Ints]:
    """The pieces of every interval: the number of the interval, start and end."""
    total = 0
    for i in range(len(start)):
        total += (end[i] - start[i] + length - 1) // length
    element, piece_start, piece_end = np.empty(total, np.int64), np.empty(total, np.int64), np.empty(total, np.int64)
    n = 0
    for i in range(len(start)):
        t = start[i]
        while t < end[i]:
            until = end[i] if end[i] - t < length else t + length
            element[n], piece_start[n], piece_end[n] = i, t, until
            n += 1
            t = until
    return element, piece_start, piece_end


@jit
def sampled(start: Ints, end: Ints, step: int, first: int) -> tuple[Ints, Ints]:
    """The instants first, first + step, … of every interval: the number of the interval, and the instant."""
    total = 0
    for i in range(len(start)):
        total += (end[i] - 1 - first) // step - (start[i] - 1 - first) // step
    element, at = np.empty(total, np.int64), np.empty(total, np.int64)
    n = 0
    for i in range(len(start)):
        for number in range((start[i] - 1 - first) // step + 1, (end[i] - 1 - first) // step + 1):
            element[n], at[n] = i, first + number * step
            n += 1
    return element, at


@jit
def coalesced(keys: Ints, key_count: int, start: Ints, end: Ints, longest: int) -> tuple[Ints, Ints, Ints]:
    """Intervals of equal keys, each glued to one that ends where it starts, unless the result would be too long."""
    order, begin = bucketed(keys, key_count)
    merged_start, merged_end = start.copy(), end.copy()
    open_ = np.empty(len(keys), np.int64)
    gone = np.zeros(len(keys), np.bool_)
    for k in range(key_count):
        waiting = 0
        for at in range(begin[k], begin[k + 1]):
            i = order[at]
            partner = -1
            for w in range(waiting):
                j = open_[w]
                if merged_end[j] == start[i] and end[i] - merged_start[j] <= longest:
                    partner = w
                    break
            if partner >= 0:
                merged_end[open_[partner]] = end[i]
                gone[i] = True
                continue
            kept = 0
            for w in range(waiting):
                if merged_end[open_[w]] >= start[i]:
                    open_[kept] = open_[w]
                    kept += 1
            open_[kept] = i
            waiting = kept + 1
    left = np.flatnonzero(~gone)
    return left, merged_start[left], merged_end[left]
