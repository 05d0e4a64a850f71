"""The least code of each row. Codes have the order of the values, so the greatest is the least of inverted codes."""

import numpy as np

from physical.kernels.aggregation_script import ENTER, LEAVE, READ
from physical.kernels.jit import jit
from physical.kernels.types import Ints

CODE, ELEMENT = 0, 1
"""What a heap holds."""


@jit
def leave_in_order(groups: Ints, group_count: int, end: Ints) -> bool:
    """Whether in every group elements leave in the order in which they entered, as they do behind a window."""
    latest = np.zeros(group_count, np.int64)
    for i in range(len(end)):
        if end[i] < latest[groups[i]]:
            return False
        latest[groups[i]] = end[i]
    return True


@jit
def least_in_queues(script: Ints, groups: Ints, row_group: Ints, begin: Ints, codes: Ints) -> Ints:
    """The least code in each row, 0 where there is none, if elements leave in the order in which they entered.

    A code is useless once a later one is less, so it is dropped. So each group's queue ascends, and its head is the
    least. If the code of an element that leaves equals the head, it is the head; otherwise it was dropped before.
    """
    queue, bounds = np.empty(begin[-1], np.int64), np.empty((len(begin) - 1, 2), np.int64)
    bounds[:, 0], bounds[:, 1] = begin[:-1], begin[:-1]
    result = np.zeros(len(row_group), np.int64)
    for step in script:
        i, what = step >> 2, step & 3
        group = row_group[i] if what == READ else groups[i]
        head, tail = bounds[group]
        if what == ENTER:
            while tail > head and queue[tail - 1] > codes[i]:
                tail -= 1
            queue[tail] = codes[i]
            bounds[group, 1] = tail + 1
        elif head < tail:
            if what == READ:
                result[i] = queue[head]
            elif queue[head] == codes[i]:
                bounds[group, 0] = head + 1
    return result


@jit
def least_in_heaps(script: Ints, groups: Ints, row_group: Ints, begin: Ints, codes: Ints) -> Ints:
    """The least code in each row, 0 where there is none; an element that has left stays until it reaches the top."""
    heap, size = np.empty((begin[-1], 2), np.int64), np.zeros(len(begin) - 1, np.int64)
    present, gone = np.zeros(len(begin) - 1, np.int64), np.zeros(len(groups), np.bool_)
    result = np.zeros(len(row_group), np.int64)
    for step in script:
        i, what = step >> 2, step & 3
        group = row_group[i] if what == READ else groups[i]
        first = begin[group]
        if what == ENTER:
            rise(heap[first:], size[group], codes[i], i)
            size[group] += 1
            present[group] += 1
        elif what == LEAVE:
            gone[i] = True
            present[group] -= 1
            size[group] *= int(present[group] > 0)
        elif present[group] > 0:
            while gone[heap[first, ELEMENT]]:
                size[group] -= 1
                sink(heap[first:], size[group])
            result[i] = heap[first, CODE]
    return result


@jit
def rise(heap: Ints, hole: int, code: int, element: int) -> None:
    """Let an element rise from the hole behind a heap to its place."""
    while hole > 0 and heap[(hole - 1) >> 1, CODE] > code:
        heap[hole] = heap[(hole - 1) >> 1]
        hole = (hole - 1) >> 1
    heap[hole, CODE], heap[hole, ELEMENT] = code, element


@jit
def sink(heap: Ints, size: int) -> None:
    """Put the element behind a heap of this size on its top, and let it sink to its place."""
    hole, code = 0, heap[size, CODE]
    while 2 * hole + 1 < size:
        child = 2 * hole + 1
        child += int(child + 1 < size and heap[child + 1, CODE] < heap[child, CODE])
        if heap[child, CODE] >= code:
            break
        heap[hole] = heap[child]
        hole = child
    heap[hole] = heap[size]
