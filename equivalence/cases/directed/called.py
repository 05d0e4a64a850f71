"""What the constants in a call say about its other arguments: parts of texts, digits, elements of arrays."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from equivalence.cases.directed.comparisons import Compared, constants, parts
from equivalence.cases.directed.nested import arrays_as_long_as, documents_at, parts_holding
from equivalence.cases.directed.pattern_texts import around_regular_expression
from semantics import Type, Value
from semantics.expression import Call, Expression, refs
from semantics.functions.patterns import is_pattern

ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"
"""All letters of a text up to this length differ, so that each place of it can be told apart."""
LONGEST_TEXT: Final = 1000
LONG_TEXT: Final = 10
MOST_CONSTANTS: Final = 8
MOST_DIGITS: Final = 15
MANY_DIGITS: Final = (1.23456789012345, -98765.4321098765)


def called(expression: Expression) -> Iterator[Compared]:
    """Arguments of calls that depend on a row, with values at which the constants of the whole expression matter."""
    given = [constant.value for constant in constants(expression)][:MOST_CONSTANTS]
    for part in parts(expression):
        for argument in part.arguments if isinstance(part, Call) else ():
            if any(True for _ in refs(argument)):
                yield argument, _values(argument.type, given)


def _values(type_: Type, given: list[Value]) -> set[Value]:
    whole = [value for value in given if type(value) is int]
    if type_ is Type.STR:
        texts = [value for value in given if isinstance(value, str)]
        lengths = {abs(n) for n in whole}
        sums = {a + b for a, b in combinations(sorted(lengths), 2)}  # a position, and how many characters from there
        return set(_texts(texts, sorted(length for length in lengths | sums if length < LONGEST_TEXT)))
    if type_.is_nested:
        return parts_holding(type_, given) | arrays_as_long_as(type_, whole)
    return set(_numbers(whole)) if type_.is_numeric or type_.is_decimal else set()


def _texts(given: list[str], lengths: list[int]) -> Iterator[str]:
    """Texts of these lengths; parts that are given, alone, doubled, after so many letters and between so many."""
    yield from (" aB ", "Ab")
    yield from (_text(length + step) for length in lengths for step in (-1, 0, 1))
    for part in given:
        yield from (part, f"a{part}b", part * 2, part.swapcase(), part[:-1])
        yield from (_text(length + step) + part for length in lengths for step in (-2, -1, 0))
        yield from (part.join(_text(length + 1)) for length in lengths if length <= len(ALPHABET))
        yield from around_regular_expression(part) if is_pattern(part) else ()
        yield from documents_at(part)


def made_long(values: Iterable[Value]) -> set[Value]:
    """The texts among these values, each as long as the longest: what one condition asks for, past another on length.

    >>> sorted(made_long({"a::b", "abcdefghijkl", 7}))
    ['a::babcdefgh', 'abcdefghijkl']
    """
    texts = [value for value in values if isinstance(value, str)]
    longest = max(map(len, texts), default=0)
    return {text + _text(longest - len(text)) for text in texts} if longest >= LONG_TEXT else set()


def _text(length: int) -> str:
    return (ALPHABET * (length // len(ALPHABET) + 1))[: max(length, 0)]


def _numbers(given: list[int]) -> Iterator[float]:
    """Numbers of many digits, and ties of rounding to so many digits, or to tens, hundreds …"""
    digits = [number for number in given if abs(number) <= MOST_DIGITS]
    yield from MANY_DIGITS if digits else ()
    for number in digits:
        yield from (1 + 0.5 * 10.0**-number, 0.5 * 10.0**-number, 2.5 * 10.0**-number, -1.5 * 10.0**-number)
