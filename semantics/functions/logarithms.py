"""Logarithms, powers and angles: functions whose last bit depends on who computes it.

Powers, logarithms and exponentials are correctly rounded here: they are computed with 60 digits. No math library promises
that, so engines may differ in the last bit. Angles are those of the C library that Python was built with.
"""

import math
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from typing import Final

from semantics.functions.definition import Function, Overload
from semantics.value import Type

FLOAT = Type.FLOAT
_EXACT: Final = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[InvalidOperation])
_FAR: Final = 1000.0
"""The exponential of what is further from 0 than this is 0 or infinite."""


def exponential(number: float) -> float:
    if not abs(number) < _FAR:
        return math.inf if number > 0 else number if math.isnan(number) else 0.0
    return float(_EXACT.exp(Decimal(number)))


def logarithm(number: float) -> float | None:
    return _logarithm(number, _EXACT.ln)


def decimal_logarithm(number: float) -> float | None:
    return _logarithm(number, _EXACT.log10)


def binary_logarithm(number: float) -> float | None:
    return _logarithm(number, lambda n: _EXACT.divide(_EXACT.ln(n), _EXACT.ln(Decimal(2))))


def _logarithm(number: float, of: Callable[[Decimal], Decimal]) -> float | None:
    if number <= 0:
        return None
    return float(of(Decimal(number))) if math.isfinite(number) else number


def logarithm_to_base(base: float, number: float) -> float | None:
    if base <= 0 or number <= 0 or base == 1:
        return None
    if not (math.isfinite(base) and math.isfinite(number)):
        return math.log(number) / math.log(base)
    return float(_EXACT.divide(_EXACT.ln(Decimal(number)), _EXACT.ln(Decimal(base))))


def power(base: float, exponent: float) -> float | None:
    """NULL for a negative power of 0, and for a power of a negative number that is not whole."""
    whole = math.isfinite(exponent) and exponent == math.floor(exponent)
    if (base == 0 and exponent < 0) or (base < 0 and not whole and math.isfinite(base) and math.isfinite(exponent)):
        return None
    if base == 0 or not (math.isfinite(base) and math.isfinite(exponent)):
        return math.pow(base, exponent)
    return float(_EXACT.power(Decimal(base), Decimal(exponent)))  # beyond all exponents, infinite or 0


def cube_root(number: float) -> float:
    if number == 0 or not math.isfinite(number):
        return number
    root = _EXACT.power(Decimal(abs(number)), _EXACT.divide(Decimal(1), Decimal(3)))
    return math.copysign(float(root), number)


def cotangent(number: float) -> float | None:
    return None if number == 0 or math.isinf(number) else 1 / math.tan(number)


def _within(least: float, most: float, of: Callable[[float], float]) -> Callable[[float], float | None]:
    """NULL outside of what the function is defined for."""
    return lambda number: number if math.isnan(number) else of(number) if least <= number <= most else None


def _finite(of: Callable[[float], float]) -> Callable[[float], float | None]:
    return lambda number: None if math.isinf(number) else of(number)


def _hyperbolic(of: Callable[[float], float], beyond: Callable[[float], float]) -> Callable[[float], float]:
    return lambda number: of(number) if abs(number) < 710 or math.isnan(number) else beyond(number)


def _angle(
    name: str, meaning: Callable[[float], float | None], about: str, examples: tuple[tuple[str, str], ...]
) -> Function:
    return Function((name,), (Overload((FLOAT,), FLOAT, meaning, nullable=True),), about, examples)


_ONE: Final = (FLOAT,)
LOGARITHMS: Final = (
    Function(("power", "pow"), (Overload((FLOAT, FLOAT), FLOAT, power, nullable=True),), "A power, correctly rounded; NULL for a negative power of 0 and a broken power of a negative number.", (("POWER(2, 10)", "1024.0"), ("POWER(0, -1)", "null"))),
    Function(("exp",), (Overload(_ONE, FLOAT, exponential),), "The exponential, correctly rounded.", (("EXP(1)", "2.718281828459045"),)),
    Function(("ln",), (Overload(_ONE, FLOAT, logarithm, nullable=True),), "The natural logarithm, correctly rounded; NULL of 0 and negative numbers, as all logarithms.", (("LN(10)", "2.302585092994046"), ("LN(0)", "null"))),
    Function(("log",), (Overload((FLOAT, FLOAT), FLOAT, logarithm_to_base, nullable=True), Overload(_ONE, FLOAT, logarithm, nullable=True)), "The logarithm to the base that stands first, or the natural one.", (("LOG(2, 8)", "3.0"), ("LOG(10)", "2.302585092994046"))),
    Function(("log10",), (Overload(_ONE, FLOAT, decimal_logarithm, nullable=True),), "The logarithm to the base 10.", (("LOG10(1000)", "3.0"),)),
    Function(("log2",), (Overload(_ONE, FLOAT, binary_logarithm, nullable=True),), "The logarithm to the base 2.", (("LOG2(8)", "3.0"),)),
    Function(("cbrt",), (Overload(_ONE, FLOAT, cube_root),), "The cube root, correctly rounded.", (("CBRT(-27)", "-3.0"),)),
    _angle("sin", _finite(math.sin), "The sine; of an infinite number NULL, as of all angles.", (("SIN(0)", "0.0"),)),
    _angle("cos", _finite(math.cos), "The cosine.", (("COS(0)", "1.0"),)),
    _angle("tan", _finite(math.tan), "The tangent.", (("TAN(0)", "0.0"),)),
    _angle("cot", cotangent, "The cotangent; NULL of 0.", (("COT(0)", "null"),)),
    _angle("asin", _within(-1, 1, math.asin), "The angle with this sine; NULL beyond 1.", (("ASIN(0)", "0.0"), ("ASIN(2)", "null"))),
    _angle("acos", _within(-1, 1, math.acos), "The angle with this cosine.", (("ACOS(1)", "0.0"),)),
    _angle("atan", math.atan, "The angle with this tangent.", (("ATAN(0)", "0.0"),)),
    Function(("atan2",), (Overload((FLOAT, FLOAT), FLOAT, math.atan2),), "The angle of the point with this y and this x.", (("ATAN2(0, 1)", "0.0"),)),
    _angle("sinh", _hyperbolic(math.sinh, lambda n: math.copysign(math.inf, n)), "The hyperbolic sine.", (("SINH(0)", "0.0"),)),
    _angle("cosh", _hyperbolic(math.cosh, lambda _: math.inf), "The hyperbolic cosine.", (("COSH(0)", "1.0"),)),
    _angle("tanh", math.tanh, "The hyperbolic tangent.", (("TANH(0)", "0.0"),)),
    _angle("degrees", math.degrees, "An angle in degrees.", (("DEGREES(PI())", "180.0"),)),
    _angle("radians", math.radians, "An angle of degrees.", (("RADIANS(180)", "3.141592653589793"),)),
    Function(("pi",), (Overload((), FLOAT, lambda: math.pi),), "π.", (("PI()", "3.141592653589793"),)),
    Function(("e",), (Overload((), FLOAT, lambda: math.e),), "Euler's number.", (("E()", "2.718281828459045"),)),
)  # fmt: skip
