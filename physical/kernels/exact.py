"""Exact sums of doubles and of 64-bit ints, and their one rounding to a double.

A number is a row of limbs of 32 bits, each in an int64 that may exceed 32 bits or be negative: carries are resolved
only when the number is read. So removing a value takes away exactly what it added to the limbs. A limb stays below
2**33 times the number of values held, so fewer than 2**30 values never overflow it.

The base of a number says what its lowest bit is worth, 2**(base - 1074); base 0 suits every double.
"""

import math
from typing import Final

import numpy as np

from physical.kernels.jit import jit
from physical.kernels.types import Array, Ints

Leading = tuple[int, int, int, bool, int]
"""The three leading digits of a number, the first not 0; whether other digits follow; and the place of the first."""

LIMB: Final = 2**32 - 1
FRACTION: Final = 2**52 - 1
SPECIAL: Final = 0x7FF
"""The exponent field of NaN and the infinities."""

MAX_LIMBS: Final = 66
INT_BASE: Final = 1074
SAFE_BASE: Final = 128
"""From this base on, no quotient is so small that it would be a subnormal double, with fewer than 53 bits."""

POWERS: Final[Array] = np.array([math.ldexp(1.0, min(e - 1095, 1023)) for e in range(2176)])
"""The unit of `nearest`, by 32 times the place of the first digit plus the base; 2**1023 gives infinities."""


@jit
def exponent_field(bits: int) -> int:
    """The exponent as a double with these bits encodes it."""
    return (bits >> 52) & SPECIAL


@jit
def last_bit(bits: int) -> int:
    """The base whose unit is the last bit of a finite double."""
    return max(exponent_field(bits) - 1, 0)


@jit
def deposit(limbs: Ints, first: int, base: int, bits: int, sign: int) -> None:
    """Add a finite double to the number whose limbs start at first, or with sign -1 remove it."""
    mantissa = bits & FRACTION
    if exponent_field(bits) > 0:
        mantissa |= FRACTION + 1
    if bits < 0:
        sign = -sign
    offset = last_bit(bits) - base
    shift, at = offset & 31, first + (offset >> 5)
    low, high = (mantissa & LIMB) << shift, (mantissa >> 32) << shift
    limbs[at] += sign * (low & LIMB)
    limbs[at + 1] += sign * ((low >> 32) + (high & LIMB))
    limbs[at + 2] += sign * (high >> 32)


@jit
def carried(limbs: Ints, first: int, width: int, sign: int, digits: Ints) -> bool:
    """Write the digits of the number or, with sign -1, of its negative; False if that is below zero."""
    carry = 0
    for k in range(width):
        carry += sign * limbs[first + k]
        digits[k] = carry & LIMB
        carry >>= 32
    digits[width] = carry
    return carry >= 0


@jit
def top_place(digits: Ints, top: int) -> int:
    """The place of the highest digit that is not 0, from top downwards; -1 if all are 0."""
    while top >= 0 and digits[top] == 0:
        top -= 1
    return top


@jit
def digit(digits: Ints, place: int) -> int:
    """The digit at this place; below place 0 there are only zeros."""
    return digits[place] if place >= 0 else 0


@jit
def any_below(digits: Ints, place: int) -> bool:
    """Whether a digit below this place is not 0."""
    return top_place(digits, place - 1) >= 0


@jit
def leading(digits: Ints, top: int) -> Leading:
    """The leading digits of a number whose highest digit is at top."""
    return digits[top], digit(digits, top - 1), digit(digits, top - 2), any_below(digits, top - 2), top


@jit
def leading_quotient(digits: Ints, top: int, divisor: int) -> Leading:
    """The leading digits of the number divided by 1 … 2**30, by long division."""
    first = digits[top] // divisor
    rest = digits[top] - first * divisor
    if first == 0:
        top -= 1
        rest = (rest << 32) | digit(digits, top)
        first = rest // divisor
        rest -= first * divisor
    rest = (rest << 32) | digit(digits, top - 1)
    second = rest // divisor
    rest = ((rest - second * divisor) << 32) | digit(digits, top - 2)
    third = rest // divisor
    return first, second, third, rest != third * divisor or any_below(digits, top - 2), top


@jit
def nearest(first: int, second: int, third: int) -> float:
    """The double nearest to three digits, in units of 2**-21 of the first, which may be negative.

    Both parts are exact doubles, so their sum is the one rounding.
    """
    head, tail = (first << 21) | (second >> 11), ((second & 0x7FF) << 32) | third
    return float(head) + float(tail) * 2.0**-43


@jit
def nearest_unit(whole: int, behind: int, more: bool) -> float:
    """The multiple of 2**-1074 nearest to a whole one, a digit behind it, and perhaps more; ties go to even."""
    half = 2**31
    up = behind > half or (behind == half and (more or whole & 1 == 1))
    return float(whole + int(up)) * 2.0**-1074


@jit
def nearest_tiny(number: Leading) -> float:
    """The double nearest to a number with base 0 that is below 2**53 units."""
    first, second, third, more, place = number
    if place == 1:
        return nearest_unit((first << 32) | second, third, more)
    if place == 0:
        return nearest_unit(first, second, third != 0 or more)
    return nearest_unit(0, first, second != 0 or third != 0 or more)


@jit
def nearest_float(number: Leading, base: int) -> float:
    """The double nearest to a positive number."""
    first, second, third, more, place = number
    if base == 0 and (place < 1 or (place == 1 and first < 2**21)):
        return nearest_tiny(number)
    # Three digits are more than 64 bits, rounded to 53: setting the last bit is enough to stand for all that follow.
    return nearest(first, second, third | int(more)) * POWERS[32 * place + base]  # type: ignore[no-any-return]  # numba


@jit
def rounded(limbs: Ints, first: int, width: int, base: int, divisor: int, digits: Ints) -> float:
    """The double nearest to a number divided by 1 … 2**30; `digits` has room for one more digit than limbs."""
    if divisor == 1 and width == 3 and abs(limbs[first + 2]) < 2**31:
        return rounded_short(limbs, first, base)
    positive = carried(limbs, first, width, 1, digits)
    if not positive:
        carried(limbs, first, width, -1, digits)
    top = top_place(digits, width)
    if top < 0:
        return 0.0
    number = leading(digits, top) if divisor == 1 else leading_quotient(digits, top, divisor)
    magnitude = nearest_float(number, base)
    return magnitude if positive or magnitude == 0.0 else -magnitude


@jit
def rounded_short(limbs: Ints, first: int, base: int) -> float:
    """The double nearest to a number of three limbs, the usual case; the third limb is below 2**31."""
    second = limbs[first + 1] + (limbs[first] >> 32)
    third = limbs[first + 2] + (second >> 32)
    return nearest(third, second & LIMB, limbs[first] & LIMB) * POWERS[64 + base]  # type: ignore[no-any-return]  # numba


@jit
def int_mean(high: int, low: int, count: int, digits: Ints) -> float:
    """The double nearest to (high * 2**32 + low) / count, with 0 <= low < 2**32; `digits` has room for three."""
    if -(2**20) <= high < 2**20:
        return float((high << 32) + low) / float(count)
    negative = high < 0
    if negative:
        high, low = ~high + int(low == 0), -low & LIMB
    digits[0], digits[1], digits[2] = low, high & LIMB, high >> 32
    magnitude = nearest_float(leading_quotient(digits, top_place(digits, 2), count), INT_BASE)
    return -magnitude if negative else magnitude
