"""Pairs of elements whose intervals overlap, by hash or by scan; and which parts of an element have a partner."""

import numpy as np

from physical.column import Bools, Ints
from physical.kernels.jit import jit
from physical.kernels.keys import mixed


@jit
def hash_index(hashes: Ints, usable: Bools) -> tuple[Ints, Ints]:
    """Chains of positions with the same hash: the head of each bucket, and the next position of each position."""
    size = 16
    while size < 2 * len(hashes):
        size *= 2
    head, following = np.full(size, -1, np.int64), np.empty(len(hashes), np.int64)
    for i in range(len(hashes) - 1, -1, -1):
        if usable[i]:
            bucket = mixed(hashes[i]) & (size - 1)
            following[i] = head[bucket]
            head[bucket] = i
    return head, following


@jit
def _grown(array: Ints) -> Ints:
    larger = np.empty(2 * len(array) + 1024, np.int64)
    larger[: len(array)] = array
    return larger


@jit
def hash_pairs(
    head: Ints,
    following: Ints,
    hashes: Ints,
    start: Ints,
    end: Ints,
    probe_hashes: Ints,
    probe_usable: Bools,
    probe_start: Ints,
    probe_end: Ints,
) -> tuple[Ints, Ints]:
    """Positions (probe, stored) of elements with equal hashes and overlapping intervals.

    Chains are in the order of starts, so the first stored element that starts too late ends the search. Probes come
    in the order of starts too, so what has ended at the head of a chain is dropped from it for good.
    """
    probes, stored = np.empty(len(probe_start) + 16, np.int64), np.empty(len(probe_start) + 16, np.int64)
    n = 0
    for i in range(len(probe_start)):
        if not probe_usable[i]:
            continue
        bucket = mixed(probe_hashes[i]) & (len(head) - 1)
        j = head[bucket]
        while j >= 0 and end[j] <= probe_start[i]:
            j = following[j]
        head[bucket] = j
        while j >= 0 and start[j] < probe_end[i]:
            if hashes[j] == probe_hashes[i] and probe_start[i] < end[j]:
                if n == len(probes):
                    probes, stored = _grown(probes), _grown(stored)
                probes[n], stored[n] = i, j
                n += 1
            j = following[j]
    return probes[:n], stored[:n]


@jit
def scan_pairs(
    start: Ints, end: Ints, probe_start: Ints, probe_end: Ints, first: int, room: int
) -> tuple[Ints, Ints, int]:
    """Positions (probe, stored) of all elements with overlapping intervals, from the probe `first` on.

    Stops before the probe that would need more than `room` pairs, and says which that is.
    """
    probes, stored = np.empty(room + len(start), np.int64), np.empty(room + len(start), np.int64)
    n = 0
    i = first
    while i < len(probe_start) and n <= room - 1:
        for j in range(len(start)):
            if start[j] >= probe_end[i]:
                break
            if probe_start[i] < end[j]:
                probes[n], stored[n] = i, j
                n += 1
        i += 1
    return probes[:n], stored[:n], i


@jit
def covered(
    begin: Ints, start: Ints, end: Ints, alone: bool, own_start: Ints, own_end: Ints
) -> tuple[Ints, Ints, Ints]:
    """The parts of each element that its partners cover, or with `alone` the parts that none covers.

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
