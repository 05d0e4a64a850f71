"""Count windows: when an occurrence enters the window of its group, and when it leaves."""

import numpy as np

from physical.kernels.jit import jit
from physical.kernels.types import Bools, Ints

UNKNOWN = -1
"""A time that is not known yet."""


@jit
def number_occurrences(keys: Ints, key_count: int, number: Ints) -> None:
    """Number the occurrences of each key; those without a number (−1) continue after those that have one."""
    last = np.full(key_count, -1, np.int64)
    for i in range(len(keys)):
        if number[i] >= 0:
            last[keys[i]] = max(last[keys[i]], number[i])
    for i in range(len(keys)):
        if number[i] < 0:
            last[keys[i]] += 1
            number[i] = last[keys[i]]


@jit
def enter_and_leave(
    order: Ints, begin: Ints, number: Ints, time: Ints, rows: int, slide: int, ties: bool, enter: Ints, leave: Ints
) -> None:
    """Fill in the times at which occurrences enter and leave, as far as they are known by now.

    Positions in `order` are grouped by key between the positions of `begin`, and numbered upwards within a key
    without a gap. Times in `enter` and `leave` that are known already stay; −1 means that the time is not known yet.
    """
    for k in range(len(begin) - 1):
        low, high = begin[k], begin[k + 1]
        if low == high:
            continue
        base = number[order[low]]
        later = high
        for at in range(high - 1, low - 1, -1):
            i = order[at]
            if ties:
                if at == high - 1 or time[order[at + 1]] != time[i]:
                    later = at + 1
                enter[i] = time[i]
                goes = base + (later - low) + rows - 1
            else:
                comes = slide * (number[i] // slide + 1) - 1
                if enter[i] < 0 and comes - base < high - low:
                    enter[i] = time[order[low + comes - base]]
                goes = slide * ((number[i] + rows + slide) // slide) - 1
            if leave[i] < 0 and goes - base < high - low:
                leave[i] = time[order[low + goes - base]]


@jit
def needed(order: Ints, begin: Ints, leave: Ints, until: int) -> Bools:
    """Occurrences to keep: those that have not left before `until`, without a gap, and the last one of each key.

    The last one is kept because the next occurrence continues its number.
    """
    keep = np.zeros(len(order), np.bool_)
    for k in range(len(begin) - 1):
        found = False
        for at in range(begin[k], begin[k + 1]):
            i = order[at]
            found = found or leave[i] < 0 or leave[i] > until or at == begin[k + 1] - 1
            keep[i] = found
    return keep
