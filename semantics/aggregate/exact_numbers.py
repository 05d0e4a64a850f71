"""Numbers without rounding, and the statistics of them: what is computed exactly is rounded once, at the end."""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import cast

from semantics.decimals import unscaled
from semantics.scalar_operations import Number
from semantics.typed_arithmetic import fitting
from semantics.types import Type
from semantics.value import NAN, Value, check_int

Exact = Fraction | float
"""A rational number, or one of the floats that are none: NaN and the infinities."""


def exact(value: Value) -> Exact:
    """A number without rounding; NaN and the infinities stay what they are."""
    number = cast(Number, value)
    return Fraction(number) if math.isfinite(number) else float(number)


def total(numbers: Iterable[Exact]) -> Exact:
    """The exact sum; floats that are no rationals decide it among themselves."""
    rationals, specials = Fraction(0), 0.0
    for number in numbers:
        if isinstance(number, Fraction):
            rationals += number
        else:
            specials += number
    return specials if specials != 0.0 else rationals


def deviations(xs: Sequence[Exact], ys: Sequence[Exact]) -> Exact:
    """The sum of the products of distances from the means; NaN if a mean is not finite."""
    x_mean, y_mean = total(xs) / len(xs), total(ys) / len(ys)
    if not isinstance(x_mean, Fraction) or not isinstance(y_mean, Fraction):
        return NAN
    return total([(cast(Fraction, x) - x_mean) * (cast(Fraction, y) - y_mean) for x, y in zip(xs, ys, strict=True)])


def variance(numbers: Sequence[Exact]) -> Exact:
    """The mean of the squared distances from the mean; NaN if there is no finite mean."""
    return deviations(numbers, numbers) / len(numbers)


def sample_variance(numbers: Sequence[Exact]) -> Exact | None:
    """The same sum of squares by one less than their number; none of a single number."""
    return deviations(numbers, numbers) / (len(numbers) - 1) if len(numbers) > 1 else None


def correlation(together: Exact, of_x: Exact, of_y: Exact) -> float | None:
    """What two columns have in common, from −1 to 1, from three sums of `deviations`; none if a column is constant."""
    if not (isinstance(together, Fraction) and isinstance(of_x, Fraction) and isinstance(of_y, Fraction)):
        return NAN
    if of_x == 0 or of_y == 0:
        return None
    size = root(together**2 / (of_x * of_y))
    return size if together > 0 else 0.0 - size  # there is one zero


def between(low: Value, high: Value, part: Fraction) -> Exact:
    """The number that lies this part of the way from one number to another."""
    if part == 0 or low == high:
        return exact(low)
    return total([exact(low) * (1 - part), exact(high) * part])


def rounded(number: Exact, type_: Type = Type.FLOAT) -> Number | Decimal:
    """The number as a value: an int or a decimal that must fit, or the nearest float."""
    if isinstance(number, float):
        return number
    if type_ is Type.INT:
        return check_int(int(number), "SUM")
    if type_.sizes is not None:
        return fitting(number, type_, "SUM")
    if type_.is_interval:
        return cast(int, type_.python(check_int(unscaled(number, 0), "SUM")))
    return nearest(number)


def nearest(number: Fraction) -> float:
    """The nearest float, or an infinity."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def root(number: Exact) -> float:
    """The square root of a number that is rounded first."""
    return math.sqrt(number if isinstance(number, float) else nearest(number))
