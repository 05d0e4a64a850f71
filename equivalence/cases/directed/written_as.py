"""Values whose texts are what a condition asks for: a number that is LIKE '12_', a date that begins with 2024."""

from collections.abc import Iterable, Iterator
from typing import Final

from equivalence.cases.random_rows import COMMON_VALUES
from semantics import Type, Value
from semantics.casts import cast_value, castable, value_text

LETTERS_TO_DIGITS: Final = str.maketrans("qxz", "735")
"""Letters stand for the wildcards of a pattern, and beside texts; numbers and times are written in digits."""


def written_as(values: Iterable[Value], type_: Type) -> set[Value]:
    """The values of a type that are written as one of the texts, or begin or end with it.

    >>> sorted(written_as({"12q", "x7"}, Type.INT))
    [37, 127]
    >>> {value_text(date) for date in written_as({"2024-02-"}, Type.DATE)}
    {'2024-02-01'}
    """
    if type_ is Type.STR or not castable(Type.STR, type_):
        return set()
    texts = [value for value in values if isinstance(value, str)]
    read = (cast_value(spelled, Type.STR, type_, safe=True) for text in texts for spelled in _spelled(text, type_))
    return {value for value in read if value is not None}


def _spelled(text: str, type_: Type) -> Iterator[str]:
    digits = text.translate(LETTERS_TO_DIGITS)
    usual = value_text(COMMON_VALUES[type_][0])
    yield from (text, digits, digits + usual[len(digits) :], usual[: max(len(usual) - len(digits), 0)] + digits)
