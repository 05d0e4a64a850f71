"""Frames of OVER: which places of a group each row sees, and how long each row is seen.

Places number all rows, group by group, within a group in the order of time. A frame is a range of places whose two
ends never go back, so a row is seen by a range of places, too.
"""

import numpy as np

from physical.kernels.jit import jit
from physical.kernels.types import Ints


@jit
def range_frames(times: Ints, begin: Ints, preceding: int) -> tuple[Ints, Ints]:
    """The frame of every place, from and to: the rows of its instant and of so many before; −1 means all before."""
    first, stop = np.empty(len(times), np.int64), np.empty(len(times), np.int64)
    for group in range(len(begin) - 1):
        low, high = begin[group], begin[group]
        for i in range(begin[group], begin[group + 1]):
            while high < begin[group + 1] and times[high] <= times[i]:
                high += 1
            while preceding >= 0 and times[low] < times[i] - preceding:
                low += 1
            first[i], stop[i] = low, high
    return first, stop


@jit
def row_frames(begin: Ints, preceding: int) -> tuple[Ints, Ints]:
    """The same for so many rows before each row, and itself."""
    first, stop = np.empty(begin[-1], np.int64), np.empty(begin[-1], np.int64)
    for group in range(len(begin) - 1):
        for i in range(begin[group], begin[group + 1]):
            since = begin[group]
            if preceding >= 0 and i - since > preceding:
                since = i - preceding
            first[i], stop[i] = since, i + 1
    return first, stop


@jit
def seen(first: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """The places that see each place, from and to."""
    start, end = np.empty(len(first), np.int64), np.empty(len(first), np.int64)
    sees, left = 0, 0
    for j in range(len(first)):
        while sees < len(first) and stop[sees] <= j:
            sees += 1
        while left < len(first) and first[left] <= j:
            left += 1
        start[j], end[j] = sees, left
    return start, end


@jit
def session_bounds(times: Ints, groups: Ints, different: int, apart: int) -> tuple[Ints, Ints]:
    """The first and the last instant of the session of each place, in the order of times.

    A group begins a new session where its times are so far apart.
    """
    session, of_group = np.empty(len(times), np.int64), np.full(different, -1, np.int64)
    first, last = np.empty(len(times), np.int64), np.empty(len(times), np.int64)
    count = 0
    for i in range(len(times)):
        number = of_group[groups[i]]
        if number < 0 or times[i] - last[number] >= apart:
            number = of_group[groups[i]] = count
            first[number] = times[i]
            count += 1
        last[number] = times[i]
        session[i] = number
    return first[session], last[session]
