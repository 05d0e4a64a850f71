"""The join of signed elements: a row that comes or goes meets the rows of the other side that are there.

Rows are in chains by key, one chain for each side. A row that goes is marked as gone, and dropped from its chain when
the chain is next walked along.
"""

import numpy as np

from physical.kernels.jit import jit
from physical.kernels.pairs import grown
from physical.kernels.ripple import NOBODY, SPREAD
from physical.kernels.types import Array, Bools, Ints


@jit
def bucket_bits(codes: Ints) -> int:
    """The bits of a bucket number: there are about four times as many buckets as rows are there at a time."""
    there = most = 0
    for code in codes:
        there += 1 - 2 * (code & 1)
        most = max(most, there)
    bits = 4
    while 1 << bits < 4 * most:
        bits += 1
    return bits


@jit
def met(
    codes: Ints,
    old: int,
    keys: Ints,
    usable: Bools,
    left_count: int,
    done: Ints,
    heads: Ints,
    following: Ints,
    gone: Array,
    room: int,
) -> tuple[Ints, Ints, Ints]:
    """The left and the right life of pairs with equal keys, and at which step they meet or part, while there is room.

    A code is 4 · life, plus 2 on the right side, where lives are numbered from 0 again, plus 1 where the life ends. The
    first `old` steps belong to lives that have met before. `done` counts the steps taken so far.
    """
    bits = 0
    while 2 << bits < len(heads):
        bits += 1
    mine, theirs, when = np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int64)
    n, i = 0, done[0]
    while i < len(codes) and n <= room:
        side, ends = codes[i] >> 1 & 1, codes[i] & 1
        e = (codes[i] >> 2) + side * left_count
        i += 1
        if len(usable) > 0 and not usable[e]:
            continue
        bucket = np.int64(np.uint64(keys[e]) * np.uint64(SPREAD) >> np.uint64(64 - bits)) << 1 if bits > 0 else 0
        gone[e] = ends == 1
        if i > old:
            last, j = NOBODY, heads[bucket + 1 - side]
            while j != NOBODY:
                after = following[j]
                if not gone[j]:
                    if keys[j] == keys[e]:
                        if n == len(mine):
                            mine, theirs, when = grown(mine), grown(theirs), grown(when)
                        mine[n], theirs[n], when[n] = e, j, i - 1
                        n += 1
                    last = j
                elif last == NOBODY:
                    heads[bucket + 1 - side] = after
                else:
                    following[last] = after
                j = after
        if ends == 0:
            following[e] = heads[bucket + side]
            heads[bucket + side] = e
    done[0] = i
    return _sided(mine[:n], theirs[:n], when[:n], codes, left_count)


@jit
def _sided(mine: Ints, theirs: Ints, when: Ints, codes: Ints, left_count: int) -> tuple[Ints, Ints, Ints]:
    """The pairs, left life first."""
    for k in range(len(mine)):
        if codes[when[k]] & 2:
            mine[k], theirs[k] = theirs[k], mine[k]
        theirs[k] -= left_count
    return mine, theirs, when


@jit
def partnered(
    times: Ints, codes: Ints, changes: Ints, partners: Ints, there: Array, alone: bool
) -> tuple[Ints, Ints, Ints]:
    """When lives begin or cease to be shown: which life, when, and the sign.

    A life is shown while it is there and has a partner or, with `alone`, has none. A code is 2 · life, plus 1 if the
    number of its partners changes and not its presence. `partners` and `there` are updated.
    """
    n = touches = 0
    life, instant, sign = np.empty(len(times), np.int64), np.empty(len(times), np.int64), np.empty(len(times), np.int64)
    touched, shown, noted = np.empty(len(there) + 1, np.int64), np.zeros(len(there), np.bool_), np.full(len(there), -2)
    for i in range(len(times)):
        e, t = codes[i] >> 1, times[i]
        if noted[e] != t:
            shown[e] = there[e] and (partners[e] > 0) != alone
            touched[touches], noted[e] = e, t
            touches += 1
        if codes[i] & 1:
            partners[e] += changes[i]
        else:
            there[e] = changes[i] > 0
        if i + 1 < len(times) and times[i + 1] == t:
            continue
        for k in range(touches):
            e = touched[k]
            now = there[e] and (partners[e] > 0) != alone
            if now != shown[e]:
                life[n], instant[n], sign[n] = e, t, 1 if now else -1
                n += 1
        touches = 0
    return life[:n], instant[:n], sign[:n]
