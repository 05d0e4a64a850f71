"""The equijoin as one sweep over both inputs: every element meets earlier live elements of the other side with its key.

The number of buckets depends on how many elements are live at a time, so that the table stays in the processor's
caches. A bucket stores the latest end of its chain for each side. If no element of the other side is live, nothing else
is looked at; a chain without live elements starts again. No branch is often mispredicted by the processor.
"""

import numpy as np

from physical.kernels.jit import jit
from physical.kernels.pairs import grown
from physical.kernels.types import Bools, Ints

LATEST, HEAD = 0, 1
"""The state of a chain: its latest end and its newest element; the chain of the right side is two places behind."""

NOBODY = -1
SPREAD = 0x9E3779B97F4A7C15
"""2⁶⁴ divided by the golden ratio: the highest bits of its multiples are evenly distributed."""


@jit
def _bucket_bits(start: Ints, end: Ints) -> int:
    """The bits of a bucket number: about four buckets per element that is live on average, within limits."""
    first, last, lived = start.min(), start.max() + 1, 0.0
    for i in range(len(start)):
        lived += min(end[i], last) - start[i]
    wanted = min(4 * lived / (last - first), 2.0 * len(start))
    bits = 8
    while 1 << bits < wanted:
        bits += 1
    return bits


@jit
def sweep_pairs(
    order: Ints, codes: Ints, usable: Bools, start: Ints, end: Ints, left_count: int, old: int, old_right: int
) -> tuple[Ints, Ints, Ints, Ints]:
    """The left and the right position of every overlapping pair, and from when to when it overlaps; ordered by start.

    Arrays have the right elements after the left ones. `order`, by start, has 2 · position on its side, plus 1 on the
    right. Codes are equal iff keys are. An empty `usable` means all elements. Pairs of two old elements are left out.
    """
    bits = _bucket_bits(start, end)
    table, following = np.full(4 << bits, NOBODY, np.int64), np.empty(len(start), np.int64)
    room = len(start) // 8 + 64
    earlier, later = np.empty(room, np.int64), np.empty(room, np.int64)
    n = 0
    for step in order:
        side = step & 1
        e = (step >> 1) + side * left_count
        if len(usable) > 0 and not usable[e]:
            continue
        t, bucket = start[e], np.int64(np.uint64(codes[e]) * np.uint64(SPREAD) >> np.uint64(64 - bits)) << 2
        own, other = bucket + 2 * side, bucket + 2 - 2 * side
        if table[other + LATEST] > t:
            last, j = NOBODY, table[other + HEAD]
            while j != NOBODY:
                after = following[j]
                if end[j] > t:
                    if codes[j] == codes[e]:
                        if n == len(later):
                            earlier, later = grown(earlier), grown(later)
                        earlier[n], later[n] = j, e
                        n += 1
                    if last == NOBODY:
                        table[other + HEAD] = j
                    else:
                        following[last] = j
                    last = j
                j = after
            following[last] = NOBODY
        latest = table[own + LATEST]
        following[e] = table[own + HEAD] if latest > t else NOBODY
        table[own + LATEST], table[own + HEAD] = max(latest, end[e]), e
    return _sided(earlier[:n], later[:n], start, end, left_count, old, left_count + old_right)


@jit
def _sided(
    earlier: Ints, later: Ints, start: Ints, end: Ints, left_count: int, old: int, old_right: int
) -> tuple[Ints, Ints, Ints, Ints]:
    """The pairs by side, with their intervals, without those of two old elements."""
    left, right = np.empty_like(earlier), np.empty_like(earlier)
    since, until = np.empty_like(earlier), np.empty_like(earlier)
    n = 0
    for k in range(len(earlier)):
        i, j = min(earlier[k], later[k]), max(earlier[k], later[k])
        left[n], right[n], since[n], until[n] = i, j - left_count, start[later[k]], min(end[i], end[j])
        n += int(i >= old or j >= old_right)
    return left[:n], right[:n], since[:n], until[:n]
