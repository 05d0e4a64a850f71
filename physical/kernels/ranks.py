"""Aggregates over ordered or distinct values: every value of a group has a place, in the order of values."""

import numpy as np

from physical.kernels.aggregation_script import READ
from physical.kernels.jit import jit
from physical.kernels.types import Ints


@jit
def placed(groups: Ints, begin: Ints, codes: Ints, order: Ints) -> tuple[Ints, Ints, Ints]:
    """The place of each element, the code at each place, and how many places each group has, from its begin on.

    Order holds the elements by group and then by code; elements with the same code share their place.
    """
    place, code_at = np.empty(len(codes), np.int64), np.zeros(len(codes), np.int64)
    used = np.zeros(len(begin) - 1, np.int64)
    for element in order:
        group, code = groups[element], codes[element]
        free = begin[group] + used[group]
        if used[group] == 0 or code_at[free - 1] != code:
            code_at[free] = code
            used[group] += 1
            free += 1
        place[element] = free - 1
    return place, code_at, used


@jit
def distinct_counts(script: Ints, groups: Ints, row_group: Ints, group_count: int, place: Ints) -> Ints:
    """How many values each row has, equal ones counted once."""
    copies, distinct = np.zeros(len(place), np.int64), np.zeros(group_count, np.int64)
    result = np.empty(len(row_group), np.int64)
    for step in script:
        i, what = step >> 2, step & 3
        if what == READ:
            result[i] = distinct[row_group[i]]
        else:
            before = copies[place[i]]
            copies[place[i]] += 1 - 2 * what
            distinct[groups[i]] += int(copies[place[i]] > 0) - int(before > 0)
    return result


@jit
def of_distinct(script: Ints, place: Ints) -> Ints:
    """The script for an aggregate of distinct values: the first copy of a value enters, and leaves with the last."""
    copies, entered = np.zeros(len(place), np.int64), np.zeros(len(place), np.int64)
    kept = np.empty_like(script)
    n = 0
    for step in script:
        i, what = step >> 2, step & 3
        kept[n] = step
        if what == READ:
            n += 1
            continue
        before = copies[place[i]]
        copies[place[i]] += 1 - 2 * what
        if before == 0:
            entered[place[i]] = i
        if (before > 0) != (copies[place[i]] > 0):
            kept[n] = entered[place[i]] << 2 | what
            n += 1
    return kept[:n]


@jit
def tally(tree: Ints, first: int, size: int, index: int, change: int) -> None:
    """Change how many copies an index of a Fenwick tree holds; the tree starts at first."""
    index += 1
    while index <= size:
        tree[first + index - 1] += change
        index += index & -index


@jit
def before(tree: Ints, first: int, index: int) -> int:
    """How many copies the indices before this one hold together."""
    total = 0
    while index > 0:
        total += tree[first + index - 1]
        index -= index & -index
    return total


@jit
def located(tree: Ints, first: int, size: int, position: int) -> int:
    """The index that holds the copy at this position, counted from 0 over all indices of a Fenwick tree."""
    index, stride = 0, 1
    while 2 * stride <= size:
        stride *= 2
    while stride > 0:
        if index + stride <= size and tree[first + index + stride - 1] <= position:
            index += stride
            position -= tree[first + index - 1]
        stride //= 2
    return index


@jit
def picked(
    script: Ints, groups: Ints, row_group: Ints, begin: Ints, place: Ints, code_at: Ints, used: Ints, picks: Ints
) -> Ints:
    """For every pick, the code at that position of each sorted row; 0 if a row has no such position.

    A pick (a, b, c) is the position (a * n + b) // c in a row of n values.
    """
    tree, size = np.zeros(len(place), np.int64), np.zeros(len(begin) - 1, np.int64)
    result = np.zeros((len(picks), len(row_group)), np.int64)
    for step in script:
        i, what = step >> 2, step & 3
        group = row_group[i] if what == READ else groups[i]
        first = begin[group]
        if what != READ:
            size[group] += 1 - 2 * what
            tally(tree, first, used[group], place[i] - first, 1 - 2 * what)
            continue
        found = -1
        for k in range(len(picks)):
            position = (picks[k, 0] * size[group] + picks[k, 1]) // picks[k, 2]
            if 0 <= position < size[group]:
                if position != found:
                    index, found = located(tree, first, used[group], position), position
                result[k, i] = code_at[first + index]
    return result
