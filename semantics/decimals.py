"""Decimal numbers of a fixed precision and scale: exact, rounded half up where digits must go, never too long."""

from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import Final

LARGEST_PRECISION: Final = 38
"""Digits. Spark, Flink and most others have as many."""
LEAST_QUOTIENT_SCALE: Final = 6
"""A quotient has at least so many digits behind the point, and keeps them when a precision must be cut."""
INT_DIGITS: Final = 19
"""An INT that meets a DECIMAL counts as one of so many digits."""

_CONTEXT: Final = Context(prec=400, rounding=ROUND_HALF_UP, Emin=-9999, Emax=9999)
"""Wide enough for every exact sum and product of two values, so that only `rounded` ever rounds."""

Sizes = tuple[int, int]
"""A precision and a scale."""


def from_text(text: str) -> Decimal:
    """The number that a text stands for; ValueError if it is none."""
    try:
        found = Decimal(text.strip()) if len(text) <= 300 and "_" not in text else Decimal("nan")
    except InvalidOperation:
        found = Decimal("nan")
    if not found.is_finite():
        raise ValueError(f"expected a number such as 12.50, got {text[:60]!r}")
    return found


def sizes_of(number: Decimal) -> Sizes:
    """The least precision and scale that hold a number as it is written.

    >>> sizes_of(Decimal("12.50")), sizes_of(Decimal("0.001")), sizes_of(Decimal("1E+3"))
    ((4, 2), (3, 3), (4, 0))
    """
    _, digits, exponent = number.as_tuple()
    scale = max(0, -int(exponent))
    return max(len(digits) + max(0, int(exponent)), scale, 1), scale


def rounded(number: Decimal | Fraction, precision: int, scale: int) -> Decimal | None:
    """The number with so many digits behind the point, rounded half up, away from zero; None if it is too long.

    >>> rounded(Decimal("2.345"), 5, 2), rounded(Decimal("-2.345"), 5, 2), rounded(Decimal("999.5"), 3, 0)
    (Decimal('2.35'), Decimal('-2.35'), None)
    """
    if isinstance(number, Decimal) and number and number.adjusted() > 2 * LARGEST_PRECISION:
        return None
    units = unscaled(number, scale)
    return None if abs(units) >= 10**precision else scaled(units, scale)


def unscaled(number: Decimal | Fraction, scale: int) -> int:
    """How often 10^-scale is in a number, rounded half up, away from zero.

    >>> unscaled(Decimal("12.505"), 2), unscaled(Fraction(-1, 3), 2)
    (1251, -33)
    """
    if isinstance(number, Fraction):
        return divided(number.numerator * 10**scale, number.denominator)
    if number.adjusted() < -2 * LARGEST_PRECISION:
        return 0
    return int(number.scaleb(scale, _CONTEXT).to_integral_value(ROUND_HALF_UP, _CONTEXT))


def divided(left: int, right: int) -> int:
    """The quotient of two integers, rounded half up, away from zero.

    >>> divided(5, 2), divided(-5, 2), divided(4, 3)
    (3, -3, 1)
    """
    quotient, rest = divmod(abs(left), abs(right))
    magnitude = quotient + (2 * rest >= abs(right))
    return magnitude if (left < 0) == (right < 0) else -magnitude


def scaled(units: int, scale: int) -> Decimal:
    """The number that is so many times 10^-scale.

    >>> scaled(1250, 2), scaled(0, 2)
    (Decimal('12.50'), Decimal('0.00'))
    """
    return Decimal(units).scaleb(-scale, _CONTEXT)


def exact_arithmetic(symbol: str, left: Decimal, right: Decimal) -> Decimal | Fraction | None:
    """+ - * / or MOD without rounding; NULL where the divisor is zero."""
    match symbol:
        case "+":
            return _CONTEXT.add(left, right)
        case "-":
            return _CONTEXT.subtract(left, right)
        case "*":
            return _CONTEXT.multiply(left, right)
        case "/":
            return None if not right else Fraction(left) / Fraction(right)
        case _:
            return None if not right else _CONTEXT.remainder(left, right)  # the sign is the dividend's


def result_sizes(symbol: str, left: Sizes, right: Sizes) -> Sizes:
    """The precision and scale of a result, by the usual rules of SQL.

    >>> result_sizes("+", (10, 2), (5, 4)), result_sizes("*", (10, 2), (5, 4)), result_sizes("/", (10, 2), (5, 4))
    ((13, 4), (15, 6), (20, 8))
    """
    (p1, s1), (p2, s2) = left, right
    match symbol:
        case "+" | "-":
            scale = max(s1, s2)
            return adjusted(max(p1 - s1, p2 - s2) + scale + 1, scale)
        case "*":
            return adjusted(p1 + p2, s1 + s2)
        case "/":
            scale = max(LEAST_QUOTIENT_SCALE, s1 + p2 + 1)
            return adjusted(p1 - s1 + s2 + scale, scale)
        case _:
            scale = max(s1, s2)
            return adjusted(min(p1 - s1, p2 - s2) + scale, scale)


def common_sizes(left: Sizes, right: Sizes) -> Sizes:
    """What holds both."""
    (p1, s1), (p2, s2) = left, right
    scale = max(s1, s2)
    return adjusted(max(p1 - s1, p2 - s2) + scale, scale)


def adjusted(precision: int, scale: int) -> Sizes:
    """At most 38 digits. What is too long loses digits behind the point first, but keeps six of them.

    >>> adjusted(40, 10), adjusted(60, 10), adjusted(60, 2)
    ((38, 8), (38, 6), (38, 2))
    """
    if precision <= LARGEST_PRECISION:
        return max(precision, 1), scale
    whole = precision - scale
    return LARGEST_PRECISION, max(LARGEST_PRECISION - whole, min(scale, LEAST_QUOTIENT_SCALE))
