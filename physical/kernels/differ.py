"""Do two streams differ, and where first?

A stream gains an element where it starts and loses it where it ends. Two streams are equivalent iff at every instant,
key by key, the gains of the left one and the losses of the right one are as many as the losses of the left one and the
gains of the right one. As long as there is no difference, both of these lists have the same times.
"""

import numpy as np

from physical.kernels.jit import jit
from physical.kernels.types import Ints

Bounds = tuple[Ints, Ints]
"""Times in order, and the keys at them."""


@jit
def _tilted(surplus: Ints, key: int, change: int) -> int:
    """Change the surplus of a key on one side; gives the change of the number of uneven keys."""
    before = surplus[key]
    surplus[key] = before + change
    return int(before == 0) - int(before + change == 0)


@jit
def agreed(surplus: Ints, gain: Bounds, gain2: Bounds, loss: Bounds, loss2: Bounds) -> tuple[Ints, int, int]:
    """How far all four lists can be followed without a difference; the number of uneven keys then; the last instant.

    It stops at the first difference, or where one list ends. The loop has no branch that a processor could mispredict.
    """
    (up, up_key), (up2, up2_key), (down, down_key), (down2, down2_key) = gain, gain2, loss, loss2
    a = b = c = d = uneven = 0
    latest = -1
    while a < len(up) and b < len(up2) and c < len(down) and d < len(down2):
        second, second2 = int(up2[b] < up[a]), int(down2[d] < down[c])
        t, t2 = (up2[b] if second else up[a]), (down2[d] if second2 else down[c])
        if (t != t2) | ((uneven > 0) & (t != latest)):
            break
        key, key2 = up_key[a], up2_key[b]
        lost, lost2 = down_key[c], down2_key[d]
        uneven += _tilted(surplus, key2 if second else key, 1)
        uneven += _tilted(surplus, lost2 if second2 else lost, -1)
        a, b, c, d, latest = a + 1 - second, b + second, c + 1 - second2, d + second2, t
    return np.array([a, b, c, d]), uneven, latest


@jit
def first_difference(surplus: Ints, uneven: int, latest: int, gained: Bounds, lost: Bounds) -> int:
    """The first instant at which some key has different numbers of gains and losses; −1 if there is none.

    Codes are 2 · key, plus a bit that does not matter. `uneven` keys are uneven so far, all since the last instant.
    """
    (more, gaining), (less, losing) = gained, lost
    for i in range(min(len(more), len(less))):
        if uneven > 0 and (more[i] != latest or less[i] != latest):
            return latest
        if more[i] != less[i]:
            return int(min(more[i], less[i]))
        uneven += _tilted(surplus, gaining[i] >> 1, 1) + _tilted(surplus, losing[i] >> 1, -1)
        latest = more[i]
    if uneven > 0:
        return latest
    if len(more) == len(less):
        return -1
    return int(more[len(less)] if len(more) > len(less) else less[len(more)])
