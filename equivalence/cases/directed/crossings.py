"""Where an expression over one column passes a value, found by trying: for all that cannot be computed backwards.

A column that occurs twice, as in `x * x` or `x * x - 10 * x`, and a function that a user brings are looked at from
outside. The expression is evaluated at probes of every magnitude, and halving finds the place between two of them.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final

from semantics import SnapeqError, Type, Value
from semantics.expression import Constant, Expression, Ref, children, evaluate
from semantics.substitute import substitute

LARGEST_PROBE: Final = 40
"""As a power of two."""
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
    measure = partial(_measured, expression)
    probes = [(probe, now) for probe in _probes(expression, type_) if (now := measure(probe)) is not None]
    found: set[Value] = set()
    for target in targets:
        for (low, before), (high, after) in pairwise(probes):
            if _passes(before, after, target):
                found |= _between(measure, low, high, target)
    return frozenset(found)


def _passes(before: Number, after: Number, target: Number) -> bool:
    """Is the target passed or reached on the way? Where nothing changes, there is no place to look for."""
    return before != after and ((before <= target) != (after <= target) or target in (before, after))


def _measured(expression: Expression, value: Value) -> Number | None:
    try:
        result = evaluate(expression, (value,))
    except SnapeqError:
        return None
    return None if result is None or isinstance(result, str) or result != result else result


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
        return [] if value is None or isinstance(value, str) or value != value else [value]
    return [number for child in children(expression) for number in _numbers_in(child)]


def _between(measure: Measure, low: Value, high: Value, target: Number) -> set[Value]:
    """The last value before the target is passed, and the first after."""
    if low is None or high is None or isinstance(low, str) or isinstance(high, str):
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
