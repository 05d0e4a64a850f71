"""Functions of numbers that are exact or correctly rounded everywhere.

Where a function has no value, as the root of a negative number has none, it is NULL, as `/` is for a divisor of 0.
"""

import math
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from typing import Any, Final

from semantics.expression import Arithmetic, Cast, Expression
from semantics.functions.definition import ANY, DECIMAL, Function, Given, Overload, Shorthand
from semantics.value import Type, Value, order

INT, FLOAT, BOOL = Type.INT, Type.FLOAT, Type.BOOL
_WIDE: Final = Context(prec=800)
"""Digits enough for any double with any number of decimals that matters."""
_MOST_DECIMALS: Final = 400
"""No double has a digit so far behind its point, nor so far before it."""


def round_half_even(number: float) -> float:
    return math.copysign(float(round(number)), number) if math.isfinite(number) else number


def absolute(number: float) -> float:
    return abs(number)


def sign(number: float) -> float:
    """Of the type of the number; NaN has none."""
    if number != number:
        return number
    return type(number)((number > 0) - (number < 0))


def rounded(number: float, decimals: int = 0) -> float:
    """Half away from zero, of the shortest decimal number that stands for this float, as people see it."""
    return _cut(number, decimals, ROUND_HALF_UP)


def truncated(number: float, decimals: int = 0) -> float:
    return _cut(number, decimals, ROUND_DOWN)


def _cut(number: float, decimals: int, rounding: str) -> float:
    if isinstance(number, float) and not math.isfinite(number):
        return number
    if isinstance(number, Decimal):
        return _cut_decimal(number, decimals, rounding)
    if decimals >= (0 if isinstance(number, int) else _MOST_DECIMALS):
        return number
    if decimals <= -_MOST_DECIMALS:
        return type(number)(0)
    unit = Decimal((0, (1,), -decimals))
    return type(number)(Decimal(repr(number)).quantize(unit, rounding, _WIDE))


def _cut_decimal(number: Any, decimals: int, rounding: str) -> Any:
    """With as many digits behind the point as before."""
    unit = Decimal((0, (1,), -min(max(decimals, -_MOST_DECIMALS), _MOST_DECIMALS)))
    return number.quantize(unit, rounding, _WIDE).quantize(number, rounding, _WIDE)


def floor_decimal(number: Any) -> Any:
    return _cut_decimal(number, 0, ROUND_FLOOR)


def ceil_decimal(number: Any) -> Any:
    return _cut_decimal(number, 0, ROUND_CEILING)


def sign_of_decimal(number: Decimal) -> int:
    return (number > 0) - (number < 0)


def floor(number: float) -> float:
    return float(math.floor(number)) if math.isfinite(number) else number


def ceil(number: float) -> float:
    return float(math.ceil(number)) if math.isfinite(number) else number


def same(number: int) -> int:
    return number


def square_root(number: float) -> float | None:
    return None if number < 0 else math.sqrt(number)


def integer_quotient(left: int, right: int) -> int | None:
    """Cut towards zero."""
    if right == 0:
        return None
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def floor_mod(left: int, right: int) -> int | None:
    """The remainder that takes the sign of the divisor."""
    return None if right == 0 else left % right


def greatest(*values: Value) -> Value:
    return max(values, key=order)


def least(*values: Value) -> Value:
    return min(values, key=order)


def greatest_known(*values: Value) -> Value:
    return max((value for value in values if value is not None), key=order, default=None)


def least_known(*values: Value) -> Value:
    return min((value for value in values if value is not None), key=order, default=None)


def greatest_common_divisor(left: int, right: int) -> int:
    return math.gcd(left, right)


def _of_number(integers: Any, floats: Any, decimals: Any, *, total: bool = True) -> tuple[Overload, ...]:
    exact = Overload((DECIMAL,), DECIMAL, decimals, total=False)
    return Overload((INT,), INT, integers, total=total), exact, Overload((FLOAT,), FLOAT, floats)


def _with_decimals(meaning: Any) -> tuple[Overload, ...]:
    exact = (Overload((type_, INT), type_, meaning, optional=1, total=False) for type_ in (INT, DECIMAL))
    return *exact, Overload((FLOAT, INT), FLOAT, meaning, optional=1)


def _nearest(of_floats: str) -> Callable[[Sequence[Given]], Expression | None]:
    """CAST to INT of a number that is rounded first, if it has a fraction."""

    def rewrite(arguments: Sequence[Given]) -> Expression | None:
        from semantics.functions.table import call_of

        if len(arguments) != 1 or arguments[0] is None:
            return None
        names = {True: "round", False: of_floats}
        fraction = arguments[0].type is FLOAT or arguments[0].type.is_decimal
        whole = call_of(names[arguments[0].type.is_decimal], arguments) if fraction else arguments[0]
        return None if whole is None else Cast(whole, INT)

    return rewrite


def _quotient(arguments: Sequence[Given]) -> Expression | None:
    from semantics.functions.table import call_of

    if len(arguments) != 2 or None in arguments:
        return call_of("div", arguments)
    left, right = (argument for argument in arguments if argument is not None)
    whole = left.type is INT and right.type is INT
    return call_of("div", arguments) if whole else Arithmetic("/", left, right)


NUMBERS: Final = (
    Function(("abs",), _of_number(absolute, absolute, absolute, total=False), "The number without its sign; the smallest INT overflows.", (("ABS(-7)", "7"), ("ABS(-1.5)", "1.5"))),
    Function(("sign",), (Overload((INT,), INT, sign), Overload((DECIMAL,), INT, sign_of_decimal), Overload((FLOAT,), FLOAT, sign)), "−1, 0 or 1.", (("SIGN(-2.5)", "-1.0"), ("SIGN(0)", "0"))),
    Function(("round",), _with_decimals(rounded), "Rounded to so many decimals, halves away from zero. Of a FLOAT, the shortest decimal number that stands for it is rounded.", (("ROUND(2.675, 2)", "2.68"), ("ROUND(-2.5)", "-3.0"), ("ROUND(1250, -2)", "1300"))),
    Function(("trunc", "truncate"), _with_decimals(truncated), "Cut after so many decimals.", (("TRUNC(-2.79, 1)", "-2.7"), ("TRUNC(1299, -2)", "1200"))),
    Function(("floor",), _of_number(same, floor, floor_decimal), "The largest whole number that is not greater.", (("FLOOR(-1.5)", "-2.0"),)),
    Function(("ceil", "ceiling"), _of_number(same, ceil, ceil_decimal), "The smallest whole number that is not less.", (("CEIL(-1.5)", "-1.0"),)),
    Function(("sqrt",), (Overload((FLOAT,), FLOAT, square_root, nullable=True),), "The square root, correctly rounded; NULL of a negative number.", (("SQRT(2)", "1.4142135623730951"), ("SQRT(-1)", "null"))),
    Function(("div",), (Overload((INT, INT), INT, integer_quotient, total=False, nullable=True),), "The quotient of integers, cut towards zero; NULL for a divisor of 0.", (("DIV(-7, 2)", "-3"), ("DIV(1, 0)", "null"))),
    Shorthand(("quotient",), _quotient, "(number, number) → number", "`DIV` of integers, `/` of others: what `/` means to most engines.", (("QUOTIENT(-7, 2)", "-3"), ("QUOTIENT(7, 2.0)", "3.5"))),
    Shorthand(("nearest",), _nearest("round"), "(any type) → INT", "`CAST(x AS INT)` of a number that is rounded first, as PostgreSQL and DuckDB do it.", (("NEAREST(2.5)", "3"), ("NEAREST('7')", "7"))),
    Shorthand(("nearest_even",), _nearest("rint"), "(any type) → INT", "The same, but halves of a FLOAT go to the even number.", (("NEAREST_EVEN(2.5)", "2"),)),
    Function(("rint",), (Overload((FLOAT,), FLOAT, round_half_even),), "The nearest whole number; of two the even one.", (("RINT(2.5)", "2.0"), ("RINT(-1.5)", "-2.0"))),
    Function(("floor_mod", "pmod"), (Overload((INT, INT), INT, floor_mod, nullable=True),), "The remainder with the sign of the divisor; `MOD` has that of the dividend.", (("FLOOR_MOD(-7, 3)", "2"), ("MOD(-7, 3)", "-1"))),
    Function(("gcd",), (Overload((INT, INT), INT, greatest_common_divisor, total=False),), "The greatest common divisor.", (("GCD(12, -18)", "6"),)),
    Function(("greatest",), (Overload((ANY,), ANY, greatest, repeats=True),), "The last in the order of values; NULL if one of them is.", (("GREATEST(2, 10, 3)", "10"), ("GREATEST('a', 'b')", "'b'"), ("GREATEST(1, NULL)", "null"))),
    Function(("least",), (Overload((ANY,), ANY, least, repeats=True),), "The first in the order of values; NULL if one of them is.", (("LEAST(2, 10, 3)", "2"),)),
    Function(("greatest_ignore_nulls",), (Overload((ANY,), ANY, greatest_known, repeats=True, strict=False, nullable=True),), "The last of those that are not NULL.", (("GREATEST_IGNORE_NULLS(1, NULL)", "1"),)),
    Function(("least_ignore_nulls",), (Overload((ANY,), ANY, least_known, repeats=True, strict=False, nullable=True),), "The first of those that are not NULL.", (("LEAST_IGNORE_NULLS(2, NULL, 1)", "1"),)),
    Function(("is_nan", "isnan"), (Overload((FLOAT,), BOOL, math.isnan),), "Is it no number?", (("IS_NAN(CAST('NaN' AS FLOAT))", "true"),)),
)  # fmt: skip
