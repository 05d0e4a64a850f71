"""Values next to a constant: where a comparison with it, or a LIKE pattern, changes its mind."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from equivalence.cases.typed_values import as_held, beside
from semantics import Type, Value
from semantics.temporal import Counted
from semantics.types import BASIC_TYPES
from semantics.value import INT_MAX, INT_MIN

LARGEST_INTEGER_IN_A_FLOAT: Final = 2**53


def around(value: Value) -> set[Value]:
    """The value and its next neighbours.

    >>> sorted(around(50)), sorted(around("ab"))
    ([49, 50, 51], [' ab', 'AB', 'Ab', 'a', 'ab', 'ab ', 'abx'])
    """
    if value is None or isinstance(value, bool):
        return {value}
    if isinstance(value, str):
        mixed = value[:1].swapcase() + value[1:]
        return {value, value + "x", value[:-1], value.swapcase(), mixed, f" {value}", f"{value} "}
    if isinstance(value, Counted | Decimal):
        return beside(value)
    return {value} if isinstance(value, tuple) else _beside(value)


def _beside(value: float) -> set[Value]:
    return {value - 1, value, value + 1} if abs(value) < INT_MAX else {value}


def around_pattern(pattern: str, escape: str | None = None) -> set[Value]:
    """Texts that match a LIKE pattern, and texts that nearly do.

    >>> sorted(around_pattern("a%_"))
    ['A', 'AQ', 'a', 'aq', 'aqx', 'azzq', 'azzqx', 'q', 'xaq', 'xazzq', 'zzq']
    """
    texts: set[Value] = set()
    for gap in ("", "zz"):
        exact, without = _filled(pattern, escape, gap, "q"), _filled(pattern, escape, gap, "")
        texts |= {exact, exact + "x", "x" + exact, exact[1:]}
        texts |= set() if gap else {without, exact.swapcase(), without.swapcase()}
    return texts


def _filled(pattern: str, escape: str | None, gap: str, single: str) -> str:
    """The pattern with something in place of its wildcards."""
    text, literal = [], False
    for letter in pattern:
        if literal or letter not in ("%", "_", escape):
            text.append(letter)
        elif letter != escape:
            text.append(gap if letter == "%" else single)
        literal = not literal and letter == escape
    return "".join(text)


def fitting(values: Iterable[Value], type_: Type) -> list[Value]:
    """Those values that a column of this type can hold, the simplest first.

    >>> fitting({51, 49, 50.5, "a", True}, Type.INT)
    [49, 51]
    """
    held = {held for value in values if (held := _held(value, type_)) is not None}
    return sorted(held, key=_simplicity)


def _held(value: Value, type_: Type) -> Value:
    """The value as one of this type, or NULL."""
    if value is None:
        return None
    if isinstance(value, bool | str):
        return value if type_ is (Type.BOOL if isinstance(value, bool) else Type.STR) else None
    if type_ not in BASIC_TYPES or not isinstance(value, int | float) or isinstance(value, Counted):
        return as_held(value, type_)
    if type_ is Type.FLOAT and (isinstance(value, float) or abs(value) <= LARGEST_INTEGER_IN_A_FLOAT):
        return float(value)
    whole = type_ is Type.INT and value == value and INT_MIN <= value <= INT_MAX and value == int(value)
    return int(value) if whole else None


def _simplicity(value: Value) -> tuple[float, str]:
    """Small numbers and short texts first; of equal size the positive one."""
    if isinstance(value, str):
        return len(value), value
    return (abs(value), str(value < 0)) if isinstance(value, int | float) else (0, str(value))
