"""Where an expression over one column passes a value, found by trying: for all that cannot be computed backwards.

A column that occurs twice, as in `x * x` or `x * x - 10 * x`, and a function that a user brings are looked at from
outside. The expression is evaluated at probes of every magnitude, and halving finds the place between two of them.
"""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final, cast

from equivalence.cases.typed_values import as_held
from semantics import SnapeqError, Type, Value
from semantics.decimals import scaled
from semantics.expression import Constant, Expression, Ref, children, evaluate
from semantics.substitute import substitute
from semantics.types import BASIC_TYPES

LARGEST_PROBE: Final = 40
"""As a power of two."""
LARGEST_COUNT: Final = 60
"""As well; microseconds are many."""
LONGEST_TEXT: Final = 130
"""Texts up to this length are tried where something depends on their length."""
HALVINGS: Final = 70
MOST_TARGETS: Final = 12
Number = int | float
Measure = Callable[[Value], Number | None]


def crossings(expression: Expression, column: Ref, targets: Iterable[Number]) -> set[Value]:
    """Values of the only column of a numeric expression on both sides of where it passes a target.

    >>> from semantics import parse
    >>> sorted(crossings(parse("$0:int * $0:int"), Ref(0, Type.INT), [90000]))
    [-301, -300, 300, 301]
    """
    alone = substitute(expression, lambda ref: Ref(0, ref.type))
    return set(_crossings(alone, column.type, tuple(sorted(set(targets))[:MOST_TARGETS])))


@lru_cache(maxsize=2048)
def _crossings(expression: Expression, type_: Type, targets: tuple[Number, ...]) -> frozenset[Value]:
    """Both plans of a comparison, and many columns of one plan, ask the same."""
    if type_ not in BASIC_TYPES:
        return _by_count(expression, type_, targets)
    measure = partial(_measured, expression)
    probes = [(probe, now) for probe in _probes(expression, type_) if (now := measure(probe)) is not None]
    found: set[Value] = set()
    for target in targets:
        for (low, before), (high, after) in pairwise(probes):
            if _passes(before, after, target):
                found |= _between(measure, low, high, target)
    return frozenset(found)


def _by_count(expression: Expression, type_: Type, targets: tuple[Number, ...]) -> frozenset[Value]:
    """The same for a column whose values count something: the unit of a span, or the last digit of a decimal."""

    def made(count: Value) -> Value:
        return as_held(count if type_.sizes is None else scaled(cast(int, count), type_.sizes[1]), type_)

    def measure(count: Value) -> Number | None:
        value = made(count)
        return None if value is None else _measured(expression, value)

    steps = [sign * 2**power for power in range(LARGEST_COUNT) for sign in (-1, 1)]
    probes = [(n, now) for n in sorted({0, *steps}) if (now := measure(n)) is not None]
    found: set[Value] = set()
    for target in targets:
        for (low, before), (high, after) in pairwise(probes):
            if _passes(before, after, target):
                found |= {made(n) for n in _between(measure, low, high, target)}
    return frozenset(value for value in found if value is not None)


def _passes(before: Number, after: Number, target: Number) -> bool:
    """Is the target passed or reached on the way? Where nothing changes, there is no place to look for."""
    return before != after and ((before <= target) != (after <= target) or target in (before, after))


def _measured(expression: Expression, value: Value) -> Number | None:
    try:
        result = evaluate(expression, (value,))
    except SnapeqError:
        return None
    number = float(result) if isinstance(result, Decimal) else result
    return number if isinstance(number, int | float) and number == number else None


def _probes(expression: Expression, type_: Type) -> Sequence[Value]:
    """Values of every magnitude and around the constants of the expression, where it may turn; in their order."""
    if type_ is Type.STR:
        return ["a" * length for length in range(LONGEST_TEXT)]
    if type_ is Type.BOOL:
        return [False, True]
    powers = [sign * 2**power for power in range(LARGEST_PROBE) for sign in (-1, 1)]
    turns = [
        turn for constant in _numbers_in(expression) for turn in (constant, -constant, constant / 2, -constant / 2)
    ]
    kind = int if type_ is Type.INT else float
    return sorted({kind(probe) for probe in (0, *powers, *turns) if abs(probe) < 2**LARGEST_PROBE})


def _numbers_in(expression: Expression) -> list[Number]:
    if isinstance(expression, Constant):
        value = expression.value
        return [value] if isinstance(value, int | float) and value == value else []
    return [number for child in children(expression) for number in _numbers_in(child)]


def _between(measure: Measure, low: Value, high: Value, target: Number) -> set[Value]:
    """The last value before the target is passed, and the first after."""
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return {low, high}
    below = (measure(low) or 0) <= target
    for _ in range(HALVINGS):
        middle = (low + high) // 2 if isinstance(low, int) and isinstance(high, int) else (low + high) / 2
        if middle in (low, high):
            break
        now = measure(middle)
        if now is not None and (now <= target) == below:
            low = middle
        else:
            high = middle
    return {low, high}
