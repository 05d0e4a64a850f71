"""CAST: which types can be made of which, and the value that comes out; what has none is an error, never a guess."""

import math
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, cast

from semantics import decimals
from semantics.errors import CastError
from semantics.temporal import DAY_MICROS, Counted
from semantics.types import BASIC_TYPES, Type
from semantics.value import INT_MAX, INT_MIN, NULL, Value, brief, identical

TRUE_WORDS: Final = frozenset("true t yes y on 1".split())
FALSE_WORDS: Final = frozenset("false f no n off 0".split())
WHOLE_NUMBER: Final = re.compile(r"[+-]?\d{1,30}")
SPECIAL_FLOATS: Final = {"nan": math.nan, "infinity": math.inf, "+infinity": math.inf, "-infinity": -math.inf}
FLOAT_TEXT: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def castable(source: Type, target: Type) -> bool:
    """Is there a CAST from one type to another?

    >>> castable(Type.STR, Type.DATE), castable(Type.DATE, Type.BOOL)
    (True, False)
    """
    if source is target:
        return True
    if source.is_nested or target.is_nested:
        return _nested_castable(source, target)
    if Type.STR in (source, target):
        return True
    if source.is_number and target.is_number:
        return True
    if {source, target} == {Type.INT, Type.BOOL}:
        return True
    if Type.INT in (source, target):
        return source.is_counted or target.is_counted
    return (source, target) in _BETWEEN_TIMES


def _nested_castable(source: Type, target: Type) -> bool:
    if source.element is not None and target.element is not None:
        return castable(source.element, target.element)
    if source.fields is None or target.fields is None or len(source.fields) != len(target.fields):
        return False
    return all(castable(mine[1], theirs[1]) for mine, theirs in zip(source.fields, target.fields, strict=True))


def cast_value(value: Value, source: Type, target: Type, *, safe: bool = False) -> Value:
    """The value as one of another type. What cannot be is an error, or NULL if the cast is safe (TRY_CAST).

    >>> cast_value("2024-02-30", Type.STR, Type.DATE, safe=True), cast_value(-1.9, Type.FLOAT, Type.INT)
    (None, -1)
    """
    if value is NULL or source is target:
        return value
    try:
        return _cast(value, source, target)
    except (ValueError, OverflowError, CastError) as error:
        if safe:
            return NULL
        raise CastError(f"CAST: no {target.name} can be made of {brief(value)}: {error}") from None


def _cast(value: Any, source: Type, target: Type) -> Value:
    if target.is_nested:
        return _cast_nested(value, source, target)
    if target.sizes is not None:
        return _to_decimal(value, target)
    if target.is_counted:
        between = _BETWEEN_TIMES.get((source, target))
        return cast(Value, target.python(value if between is None else between(value)))
    return _TO_BASIC[target](value)


def _cast_nested(value: tuple[Any, ...], source: Type, target: Type) -> Value:
    if source.element is not None and target.element is not None:
        return tuple([cast_value(part, source.element, target.element) for part in value])
    pairs = zip(value, source.fields or (), target.fields or (), strict=True)
    return tuple([cast_value(part, mine[1], theirs[1]) for part, mine, theirs in pairs])


def _to_decimal(value: Any, target: Type) -> Decimal:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("it is not finite")
    exact = decimals.from_text(value) if isinstance(value, str) else Fraction(value)
    found = decimals.rounded(exact, *(target.sizes or (0, 0)))
    if found is None:
        raise ValueError("it has too many digits")
    return found


def _to_int(value: Any) -> int:
    """Digits behind the point are cut off."""
    if isinstance(value, str):
        text = value.strip()
        if not WHOLE_NUMBER.fullmatch(text):
            raise ValueError("expected a whole number")
        value = int(text)
    number = int(value)
    if not INT_MIN <= number <= INT_MAX:
        raise ValueError("it does not fit into 64 bits")
    return number


def _to_float(value: Any) -> Value:
    if not isinstance(value, str):
        return identical(float(value))
    text = value.strip().lower()
    if text in SPECIAL_FLOATS:
        return identical(SPECIAL_FLOATS[text])
    if not FLOAT_TEXT.fullmatch(text):
        raise ValueError("expected a number")
    return identical(float(text))


def _to_bool(value: Any) -> bool:
    if not isinstance(value, str):
        return bool(value)
    word = value.strip().lower()
    if word not in TRUE_WORDS | FALSE_WORDS:
        raise ValueError("expected true or false")
    return word in TRUE_WORDS


def value_text(value: Any) -> str:
    """A value as CAST to STR writes it.

    >>> [value_text(v) for v in (True, 1.5, Decimal("2.50"), float("-inf"), 1e30)]
    ['true', '1.5', '2.50', '-Infinity', '1e+30']
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Decimal):
        return f"{value:f}"
    return value.text if isinstance(value, Counted) else str(value)


_TO_BASIC: Final[dict[Type, Callable[[Any], Value]]] = dict(
    zip(BASIC_TYPES, (_to_int, _to_float, _to_bool, value_text), strict=True)
)
_BETWEEN_TIMES: Final[dict[tuple[Type, Type], Callable[[int], int]]] = {
    (Type.TIMESTAMP, Type.DATE): lambda value: int(value) // DAY_MICROS,
    (Type.TIMESTAMP, Type.TIME): lambda value: int(value) % DAY_MICROS,
    (Type.DATE, Type.TIMESTAMP): lambda value: int(value) * DAY_MICROS,
    (Type.TIME, Type.DAY_INTERVAL): int,
}


def can_always_be_cast(source: Type, target: Type) -> bool:
    """Does the cast have a value for every value?"""
    if source is target or target is Type.STR or (target is Type.BOOL and source is Type.INT):
        return True
    if target is Type.FLOAT:
        return source is not Type.STR
    if target is Type.INT:
        return source.is_counted or source is Type.BOOL or _whole_digits(source) < decimals.INT_DIGITS
    if target.is_decimal:
        loses = (source.sizes or (0, 0))[1] > (target.sizes or (0, 0))[1]  # then rounding may take one digit more
        return _whole_digits(source) + loses <= _whole_digits(target)
    return (source, target) in _BETWEEN_TIMES or (source is Type.INT and target.is_interval)


def _whole_digits(type_: Type) -> int:
    """How many digits may stand before the point; many, if that is not known."""
    if type_.sizes is None:
        return decimals.INT_DIGITS if type_ is Type.INT else decimals.LARGEST_PRECISION * 10
    return type_.sizes[0] - type_.sizes[1]
