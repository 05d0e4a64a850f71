"""Sweeps that keep the first of each group: which copies, rows or values have a place that is kept, and how long.

Units are numbered by group and, within a group, in the declared order. A unit is a row, or all rows with equal sort
keys. A Fenwick tree per group counts copies, so a change costs the logarithm of the units of its group.
"""

import numpy as np

from physical.kernels.jit import jit
from physical.kernels.multiplicity import NEVER, Runs
from physical.kernels.ranks import before, located, tally
from physical.kernels.types import Bools, Ints


@jit
def kept_copies(times: Ints, codes: Ints, group_of: Ints, begin: Ints, offset: int, stop: int) -> Runs:
    """Runs in which the number of kept copies of a unit stays the same and is not 0, by start.

    The copies of a group have the places 0, 1, 2, …; those from the offset up to the stop are kept. When a copy comes
    or goes, all places behind it move by one. So at most one copy moves into what is kept, and one out of it.
    """
    units, most = len(group_of), 2 * len(times)
    tree, copies, total = np.zeros(units, np.int64), np.zeros(units, np.int64), np.zeros(len(begin) - 1, np.int64)
    run_of, kept = np.full(units, -1, np.int64), np.zeros(units, np.int64)
    unit_of, start = np.empty(most, np.int64), np.empty(most, np.int64)
    end, count = np.empty(most, np.int64), np.empty(most, np.int64)
    n = 0
    for i in range(len(times)):
        t, unit, ends = times[i], codes[i] >> 1, codes[i] & 1
        group = group_of[unit]
        first, size = begin[group], begin[group + 1] - begin[group]
        if not ends:
            tally(tree, first, size, unit - first, 1)
            copies[unit] += 1
            total[group] += 1
        place = before(tree, first, unit - first) + copies[unit] - 1
        if place < stop:
            own = max(place, offset)
            if own < total[group]:
                moved = first + located(tree, first, size, own)
                n = _changed(moved, t, 1 - 2 * ends, run_of, kept, unit_of, start, end, count, n)
            if stop < total[group]:
                moved = first + located(tree, first, size, stop)
                n = _changed(moved, t, 2 * ends - 1, run_of, kept, unit_of, start, end, count, n)
        if ends:
            tally(tree, first, size, unit - first, -1)
            copies[unit] -= 1
            total[group] -= 1
    useful = count[:n] > 0
    return unit_of[:n][useful], start[:n][useful], end[:n][useful], count[:n][useful]


@jit
def _changed(
    unit: int,
    t: int,
    change: int,
    run_of: Ints,
    kept: Ints,
    unit_of: Ints,
    start: Ints,
    end: Ints,
    count: Ints,
    n: int,
) -> int:
    """Note that a unit has more or fewer kept copies from t on; returns how many runs there are then."""
    kept[unit] += change
    run = run_of[unit]
    if run >= 0 and start[run] == t:
        count[run] = kept[unit]
        return n
    if run >= 0:
        end[run] = t
    unit_of[n], start[n], end[n], count[n], run_of[unit] = unit, t, NEVER, kept[unit], n
    return n + 1


@jit
def kept_peers(
    times: Ints, codes: Ints, group_of: Ints, begin: Ints, offset: int, stop: int
) -> tuple[Ints, Ints, Ints]:
    """Runs in which a unit is there and the number of copies before it is kept, by start: unit, start and end.

    When a copy comes or goes, the units behind it move by one. They have different numbers of copies before them, so
    one of them at most moves into what is kept, and one out of it.
    """
    units, most = len(group_of), 3 * len(times)
    tree, copies, total = np.zeros(units, np.int64), np.zeros(units, np.int64), np.zeros(len(begin) - 1, np.int64)
    run_of, kept = np.full(units, -1, np.int64), np.zeros(units, np.int64)
    unit_of, start = np.empty(most, np.int64), np.empty(most, np.int64)
    end, count = np.empty(most, np.int64), np.empty(most, np.int64)
    n = 0
    for i in range(len(times)):
        t, unit, ends = times[i], codes[i] >> 1, codes[i] & 1
        group = group_of[unit]
        first, size = begin[group], begin[group + 1] - begin[group]
        tally(tree, first, size, unit - first, 1 - 2 * ends)
        copies[unit] += 1 - 2 * ends
        total[group] += 1 - 2 * ends
        if copies[unit] == 1 - ends and offset <= before(tree, first, unit - first) < stop:
            n = _changed(unit, t, 1 - 2 * ends, run_of, kept, unit_of, start, end, count, n)
        for border, sign in ((offset, 1), (stop, -1)):
            place = border - ends
            if 0 <= place < total[group]:
                moved = first + located(tree, first, size, place)
                if moved > unit and before(tree, first, moved - first) == place:
                    n = _changed(moved, t, sign * (1 - 2 * ends), run_of, kept, unit_of, start, end, count, n)
    useful = count[:n] > 0
    return unit_of[:n][useful], start[:n][useful], end[:n][useful]


@jit
def common_times(
    keys: Ints, start: Ints, end: Ints, key_begin: Ints, run_start: Ints, run_end: Ints
) -> tuple[Ints, Ints, Ints]:
    """Every element while its key has a run: the element, and when. Runs of a key are apart and in order."""
    found = 0
    for i in range(len(keys)):
        r = _first_ending_after(run_end, key_begin[keys[i]], key_begin[keys[i] + 1], start[i])
        while r < key_begin[keys[i] + 1] and run_start[r] < end[i]:
            found += 1
            r += 1
    element, since, until = np.empty(found, np.int64), np.empty(found, np.int64), np.empty(found, np.int64)
    n = 0
    for i in range(len(keys)):
        r = _first_ending_after(run_end, key_begin[keys[i]], key_begin[keys[i] + 1], start[i])
        while r < key_begin[keys[i] + 1] and run_start[r] < end[i]:
            element[n], since[n], until[n] = i, max(start[i], run_start[r]), min(end[i], run_end[r])
            n += 1
            r += 1
    return element, since, until


@jit
def _first_ending_after(run_end: Ints, low: int, high: int, t: int) -> int:
    """The first of these runs that ends after t."""
    while low < high:
        middle = (low + high) // 2
        if run_end[middle] > t:
            high = middle
        else:
            low = middle + 1
    return low


@jit
def among_first(starts: Ints, codes: Ints, stop: int) -> Bools:
    """Which elements have one of the `stop` smallest codes of their instant, or one that ties with these; by start."""
    kept = np.zeros(len(starts), np.bool_)
    smallest = np.empty(stop, np.int64)
    begin = 0
    while begin < len(starts):
        end, found = begin, 0
        while end < len(starts) and starts[end] == starts[begin]:
            code = codes[end]
            if found < stop or code < smallest[found - 1]:
                place = found if found < stop else stop - 1
                while place > 0 and smallest[place - 1] > code:
                    smallest[place] = smallest[place - 1]
                    place -= 1
                smallest[place] = code
                found = min(found + 1, stop)
            end += 1
        for i in range(begin, end):
            kept[i] = codes[i] <= smallest[found - 1]
        begin = end
    return kept
