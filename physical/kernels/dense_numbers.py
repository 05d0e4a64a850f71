"""Dense numbers for equal codes."""

import numpy as np

from physical.kernels import numpy_kernels
from physical.kernels.jit import jit, jit_or
from physical.kernels.types import Ints


@jit
def mixed(code: int) -> int:
    """Spread a code over all 64 bits (the finaliser of SplitMix64)."""
    x = np.uint64(code)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(x ^ (x >> np.uint64(31)))  # type: ignore[return-value]  # numba's ints


@jit_or(numpy_kernels.dense)
def dense(codes: Ints) -> tuple[Ints, Ints]:
    """Number the distinct codes 0, 1, 2, … in the order of their first occurrence; and where each occurs first."""
    n = len(codes)
    if n == 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    low, high = codes.min(), codes.max()
    if high - low >= 0 and high - low < 4 * n + 1024:
        return _dense_by_table(codes, low, high - low + 1)
    return _dense_by_hash(codes)


@jit
def _dense_by_table(codes: Ints, low: int, width: int) -> tuple[Ints, Ints]:
    ids, table = np.empty(len(codes), np.int64), np.full(width, -1, np.int64)
    first = np.empty(min(width, len(codes)), np.int64)
    count = 0
    for i in range(len(codes)):
        slot = codes[i] - low
        if table[slot] < 0:
            table[slot] = count
            first[count] = i
            count += 1
        ids[i] = table[slot]
    return ids, first[:count]


@jit
def _dense_by_hash(codes: Ints) -> tuple[Ints, Ints]:
    """A hash table that grows with the number of distinct codes: a small one stays in the processor's caches."""
    ids, first = np.empty(len(codes), np.int64), np.empty(len(codes), np.int64)
    owner = np.full(1024, -1, np.int64)
    count = 0
    for i in range(len(codes)):
        slot = mixed(codes[i]) & (len(owner) - 1)
        while owner[slot] >= 0 and codes[first[owner[slot]]] != codes[i]:
            slot = (slot + 1) & (len(owner) - 1)
        ids[i] = owner[slot]
        if owner[slot] < 0:
            owner[slot] = ids[i] = count
            first[count] = i
            count += 1
            if 2 * count > len(owner):
                owner = _rehashed(codes, first, count, 4 * len(owner))
    return ids, first[:count].copy()


@jit
def _rehashed(codes: Ints, first: Ints, count: int, size: int) -> Ints:
    owner = np.full(size, -1, np.int64)
    for number in range(count):
        slot = mixed(codes[first[number]]) & (size - 1)
        while owner[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        owner[slot] = number
    return owner
