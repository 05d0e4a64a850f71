"""Values in the columns of a situation: some come up again and again, on some right and wrong operations differ."""

from collections.abc import Mapping, Sequence
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_rows import AWKWARD_VALUES, COMMON_VALUES, choose_value
from equivalence.cases.random_streams import HORIZON
from equivalence.cases.situation_spans import LATE
from semantics import Type, Value
from semantics.value import INT_MAX, NAN

FRACTIONS: Final = (0.1, 1.0, 0.7, 1e16, -1e16, 1e308, 5e-324)
TELLING_VALUES: Final[Mapping[Type, tuple[Value, ...]]] = {
    Type.BOOL: (False, True),
    Type.INT: (0, 1, -1, 2, -3, 2**53, 2**53 + 1),
    Type.FLOAT: (0.1, 1.0, 0.7, -1.5, 1e16, -1e16, NAN, NAN),
    Type.STR: ("", "a", "A", "a", "A", "a%", "ab", "aB", "xa", "x%", "a ", "a\nb"),
}
ADDENDS: Final[Mapping[Type, tuple[Value, ...]]] = {
    Type.INT: (1, 0, 2, -1, 2**53 + 1, INT_MAX),
    Type.FLOAT: (0.1, 1.0, 0.7, 1e16, -1e16, 0.3, -1.5, NAN),
}
NEIGHBOURS: Final = (2**53, 2**53 + 1, 2**53 + 1, 2**53 + 2, -(2**53) - 1, -(2**53), None)


def common(choices: Choices, type_: Type) -> Value:
    return choices.of(COMMON_VALUES[type_])


def _telling_values(type_: Type) -> Sequence[Value]:
    return TELLING_VALUES.get(type_) or [*COMMON_VALUES[type_], *AWKWARD_VALUES[type_]]


def awkward_or_not(choices: Choices, type_: Type) -> Value:
    return choose_value(choices, type_, awkward=True)


def ordinary(choices: Choices, type_: Type) -> Value:
    return choose_value(choices, type_, False)


def often_null(choices: Choices, type_: Type) -> Value:
    return None if choices.chance(1, 2) else choices.of(COMMON_VALUES[type_])


def special(choices: Choices, type_: Type) -> Value:
    return choices.of([0.0, NAN, NAN, float("inf"), float("-inf")]) if type_ is Type.FLOAT else common(choices, type_)


def extreme(choices: Choices, type_: Type) -> Value:
    """Numbers that overflow, round and cancel."""
    return choices.of(FRACTIONS if type_ is Type.FLOAT else [*COMMON_VALUES[type_], *AWKWARD_VALUES[type_]])


def varied(choices: Choices, type_: Type) -> Value:
    """Values on which right and wrong operations differ, and NULL one time in four."""
    if choices.chance(1, 4):
        return None
    return (extreme if choices.chance(1, 16) else telling)(choices, type_)


def addend(choices: Choices, type_: Type) -> Value:
    """Values that are aggregated: some overflow, round and cancel, and some are NULL."""
    if choices.chance(1, 5):
        return None
    return choices.of(ADDENDS.get(type_) or _telling_values(type_))


def telling(choices: Choices, type_: Type) -> Value:
    return choices.of(_telling_values(type_))


def soon(choices: Choices, type_: Type) -> Value:
    """Integers that are instants of the case, and NULL one time in eight."""
    if choices.below(8) == 7:
        return None
    return choices.below(HORIZON) if type_ is Type.INT else common(choices, type_)


def late_or_soon(choices: Choices, type_: Type) -> Value:
    """Integers that are late instants, or small: sums of the first with now overflow."""
    if type_ is not Type.INT or choices.chance(1, 2):
        return soon(choices, type_)
    return LATE + choices.between(-4, 8)


def neighbouring(choices: Choices, type_: Type) -> Value:
    """Integers that are not the same but round to the same double."""
    return choices.of(NEIGHBOURS if type_ is Type.INT else COMMON_VALUES[type_])
