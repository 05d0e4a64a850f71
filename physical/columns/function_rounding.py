"""ROUND of floats over whole columns.

A product with a power of ten is off by less than a thousandth below 2^40. So where it is not that near to a half, its
nearest integer is the right one, and the quotient of two integers below 2^53 is rounded correctly. All other rows are
left to the reference.
"""

from typing import Final

import numpy as np

from physical.kernels.types import Array, Ints
from semantics.functions.numbers import rounded

MOST_DECIMALS: Final = 12
"""Powers of ten up to here are exact, with room to spare."""
LARGEST: Final = 2.0**40
NEAR_A_HALF: Final = 1e-3


@np.errstate(all="ignore")
def rounded_floats(values: Array, decimals: Ints | None = None) -> Array | None:
    """The rounded values, if all rows ask for the same few decimals."""
    number = 0 if decimals is None else int(decimals[0])
    if not 0 <= number <= MOST_DECIMALS or (decimals is not None and (decimals != number).any()):
        return None
    scaled = np.abs(values) * 10.0**number
    whole = np.floor(scaled)
    found: Array = np.copysign(np.floor(scaled + 0.5) / 10.0**number, values)
    unsure = ~(scaled < LARGEST) | (np.abs(scaled - whole - 0.5) < NEAR_A_HALF)
    found[unsure] = [rounded(value, number) for value in values[unsure].tolist()]
    return found
