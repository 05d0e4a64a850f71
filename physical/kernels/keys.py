"""Dense numbers for equal codes."""

import numpy as np

from physical.column import Ints
from physical.kernels.jit import jit


@jit
def mixed(code: int) -> int:
    """Spread a code over all 64 bits (the finaliser of SplitMix64)."""
    x = np.uint64(code)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(x ^ (x >> np.uint64(31)))  # type: ignore[return-value]  # numba's ints


@jit
def dense(codes: Ints) -> tuple[Ints, int]:
    """Number the distinct codes 0, 1, 2, … in the order of their first occurrence."""
    n = len(codes)
    ids = np.empty(n, np.int64)
    if n == 0:
        return ids, 0
    low, high = codes.min(), codes.max()
    if high - low >= 0 and high - low < 4 * n + 1024:
        return _dense_by_table(codes, low, high - low + 1, ids)
    return _dense_by_hash(codes, ids)


@jit
def _dense_by_table(codes: Ints, low: int, width: int, ids: Ints) -> tuple[Ints, int]:
    table = np.full(width, -1, np.int64)
    count = 0
    for i in range(len(codes)):
        slot = codes[i] - low
        if table[slot] < 0:
            table[slot] = count
            count += 1
        ids[i] = table[slot]
    return ids, count


@jit
def _dense_by_hash(codes: Ints, ids: Ints) -> tuple[Ints, int]:
    size = 16
    while size < 2 * len(codes):
        size *= 2
    owner = np.full(size, -1, np.int64)
    key = np.empty(size, np.int64)
    count = 0
    for i in range(len(codes)):
        slot = mixed(codes[i]) & (size - 1)
        while owner[slot] >= 0 and key[slot] != codes[i]:
            slot = (slot + 1) & (size - 1)
        if owner[slot] < 0:
            owner[slot] = count
            key[slot] = codes[i]
            count += 1
        ids[i] = owner[slot]
    return ids, count
