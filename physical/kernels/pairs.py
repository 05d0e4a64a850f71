"""Pairs of elements whose intervals overlap, by hash, by range or by scan; and which parts have a partner."""

import numpy as np

from physical.kernels.dense_numbers import mixed
from physical.kernels.jit import jit
from physical.kernels.types import Bools, Ints


@jit
def hash_index(hashes: Ints, usable: Bools) -> tuple[Ints, Ints, int]:
    """Chains of positions with the same hash: the head of each bucket, the next of each position, the first bucket.

    Hashes that lie close together are used as bucket numbers, counted from the first one. Otherwise the first bucket is
    −1, and the number of buckets is a power of two. There is at least one hash. An empty `usable` means all positions.
    """
    first, size = hashes.min(), hashes.max() - hashes.min() + 1
    if first < 0 or not 0 < size < 4 * len(hashes) + 1024:
        first, size = -1, 16
        while size < 2 * len(hashes):
            size *= 2
    head, following = np.full(size, -1, np.int64), np.empty(len(hashes), np.int64)
    for i in range(len(hashes) - 1, -1, -1):
        if len(usable) == 0 or usable[i]:
            bucket = _bucket(hashes[i], first, size)
            following[i] = head[bucket]
            head[bucket] = i
    return head, following, first


@jit
def _bucket(hash_: int, first: int, size: int) -> int:
    """The bucket of a hash; −1 if there is none."""
    if first < 0:
        return mixed(hash_) & (size - 1)
    return hash_ - first if first <= hash_ < first + size else -1


@jit
def grown(array: Ints) -> Ints:
    """A copy with twice the room."""
    larger = np.empty(2 * len(array) + 1024, np.int64)
    larger[: len(array)] = array
    return larger


@jit
def hash_pairs(
    index: tuple[Ints, Ints, int],
    hashes: Ints,
    start: Ints,
    end: Ints,
    probe_hashes: Ints,
    probe_usable: Bools,
    probe_start: Ints,
    probe_end: Ints,
) -> tuple[Ints, Ints]:
    """Positions (probe, stored) of elements with equal hashes and overlapping intervals.

    Chains are in the order of starts, so the first stored element that starts too late ends the search. Probes are in
    the order of starts, too, so an element that has ended is dropped from its chain for good.
    """
    head, following, first = index
    probes, stored = np.empty(len(probe_start) + 16, np.int64), np.empty(len(probe_start) + 16, np.int64)
    n = 0
    for i in range(len(probe_start)):
        bucket = _bucket(probe_hashes[i], first, len(head))
        if bucket < 0 or (len(probe_usable) > 0 and not probe_usable[i]):
            continue
        before, j = -1, head[bucket]
        while j >= 0 and start[j] < probe_end[i]:
            after = following[j]
            if end[j] > probe_start[i]:
                if hashes[j] == probe_hashes[i]:
                    if n == len(probes):
                        probes, stored = grown(probes), grown(stored)
                    probes[n], stored[n] = i, j
                    n += 1
                before = j
            elif before < 0:
                head[bucket] = after
            else:
                following[before] = after
            j = after
    return probes[:n], stored[:n]


@jit
def scan_pairs(
    start: Ints, end: Ints, probe_start: Ints, probe_end: Ints, done: Ints, live: Ints, room: int
) -> tuple[Ints, Ints]:
    """Positions (probe, stored) of all elements with overlapping intervals, until there are more than `room`.

    `done` holds how many probes were treated, how many stored elements start no later than the last of them, and how
    many of these are still live. A stored element that starts later, but before the probe ends, overlaps it.
    """
    probes, stored = np.empty(room + len(start), np.int64), np.empty(room + len(start), np.int64)
    i, begun, alive = done
    n = 0
    while i < len(probe_start) and n <= room:
        while begun < len(start) and start[begun] <= probe_start[i]:
            live[alive] = begun
            alive, begun = alive + 1, begun + 1
        kept = 0
        for k in range(alive):
            live[kept] = live[k]
            kept += int(end[live[k]] > probe_start[i])
        alive = kept
        for k in range(alive):
            probes[n + k], stored[n + k] = i, live[k]
        n += alive
        j = begun
        while j < len(start) and start[j] < probe_end[i]:
            probes[n], stored[n] = i, j
            n, j = n + 1, j + 1
        i += 1
    done[0], done[1], done[2] = i, begun, alive
    return probes[:n], stored[:n]


@jit
def range_pairs(
    order: Ints, first: Ints, last: Ints, start: Ints, end: Ints, probe_start: Ints, probe_end: Ints
) -> tuple[Ints, Ints]:
    """Positions (probe, stored) of overlapping elements; probe i looks at the order from first[i] to last[i]."""
    probes, stored = np.empty(len(first) + 16, np.int64), np.empty(len(first) + 16, np.int64)
    n = 0
    for i in range(len(first)):
        for k in range(first[i], last[i]):
            j = order[k]
            if start[j] < probe_end[i] and probe_start[i] < end[j]:
                if n == len(probes):
                    probes, stored = grown(probes), grown(stored)
                probes[n], stored[n] = i, j
                n += 1
    return probes[:n], stored[:n]


@jit
def covered(
    begin: Ints, start: Ints, end: Ints, alone: bool, own_start: Ints, own_end: Ints
) -> tuple[Ints, Ints, Ints]:
    """The parts of each element that its partners cover or, with `alone`, the parts that none covers.

    The partners of element i are the intervals from begin[i] to begin[i + 1], ordered by start.
    """
    room = len(start) + len(own_start)
    element, part_start, part_end = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    n = 0
    for i in range(len(own_start)):
        low, high = begin[i], begin[i + 1]
        reached = own_start[i]
        k = low
        while k < high:
            since, until = max(start[k], own_start[i]), end[k]
            k += 1
            while k < high and start[k] <= until:
                until = max(until, end[k])
                k += 1
            until = min(until, own_end[i])
            if alone and since > reached:
                element[n], part_start[n], part_end[n] = i, reached, since
                n += 1
            if not alone:
                element[n], part_start[n], part_end[n] = i, since, until
                n += 1
            reached = until
        if alone and reached < own_end[i]:
            element[n], part_start[n], part_end[n] = i, reached, own_end[i]
            n += 1
    return element[:n], part_start[:n], part_end[:n]
