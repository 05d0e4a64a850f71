"""Every aggregate as init, merge and eval over partial aggregates (Algorithm 3): what an engine may keep instead."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, assert_never, cast

from semantics.aggregate import (
    Aggregate,
    Avg,
    Count,
    CountDistinct,
    CountRows,
    Exact,
    Largest,
    Max,
    Median,
    Min,
    StddevPop,
    Sum,
    UserDefined,
    VarPop,
    aggregate_values,
    exact,
    rounded,
    total,
)
from semantics.value import NAN, Value, conform, order


@dataclass(frozen=True, slots=True)
class Partial:
    """How to begin a partial aggregate with a value, merge a further value in, and read the result off."""

    init: Callable[[Value], Any]
    merge: Callable[[Any, Value], Any]
    eval: Callable[[Any], Value]


def partial(function: Aggregate) -> Partial:
    """The three functions of an aggregate; they are never given NULL, except COUNT(*)'s.

    >>> from semantics.expression import Ref
    >>> from semantics.value import Type
    >>> avg = partial(Avg(Ref(0, Type.INT)))
    >>> avg.eval(avg.merge(avg.init(1), 2))
    1.5
    """
    match function:
        case CountRows() | Count():
            return Partial(lambda _: 1, lambda n, _: n + 1, lambda n: n)
        case CountDistinct():
            return Partial(lambda v: frozenset([v]), lambda seen, v: seen | {v}, len)
        case Sum():
            return Partial(exact, _add, lambda sum_: rounded(sum_, function.type))
        case Avg():
            return Partial(
                lambda v: (exact(v), 1),
                lambda state, v: (_add(state[0], v), state[1] + 1),
                lambda state: rounded(state[0] / state[1]),
            )
        case Min():
            return Partial(lambda v: v, lambda least, v: min(least, v, key=order), lambda least: least)
        case Max():
            return Partial(lambda v: v, lambda most, v: max(most, v, key=order), lambda most: most)
        case VarPop():
            return Partial(_init_moments, _merge_moments, lambda state: rounded(_variance(state)))
        case StddevPop():
            return Partial(
                _init_moments, _merge_moments, lambda state: math.sqrt(cast(float, rounded(_variance(state))))
            )
        case Median():
            return Partial(lambda v: [v], _insert, lambda values: aggregate_values(function, values))
        case Largest(rank=rank):
            return Partial(
                lambda v: [v],
                lambda values, v: _insert(values, v)[-rank:],
                lambda values: aggregate_values(function, values),
            )
        case UserDefined(function=user):
            where = f"{user.name}: argument"
            return Partial(
                lambda v: user.init(conform(v, user.parameter, where)),
                lambda state, v: user.merge(state, conform(v, user.parameter, where)),
                lambda state: conform(user.eval(state), user.result, f"{user.name}: result"),
            )
        case _:
            assert_never(function)


def _add(sum_: Exact, value: Value) -> Exact:
    return total([sum_, exact(value)])


def _insert(values: list[Value], value: Value) -> list[Value]:
    return sorted([*values, value], key=order)


def _square(number: Exact) -> Exact:
    return number**2


def _init_moments(value: Value) -> tuple[int, Exact, Exact]:
    """Count, sum and sum of squares."""
    return (1, exact(value), _square(exact(value)))


def _merge_moments(state: tuple[int, Exact, Exact], value: Value) -> tuple[int, Exact, Exact]:
    n, sum_, squares = state
    return (n + 1, _add(sum_, value), total([squares, _square(exact(value))]))


def _variance(state: tuple[int, Exact, Exact]) -> Exact:
    n, sum_, squares = state
    if not isinstance(sum_, Fraction) or not isinstance(squares, Fraction):
        return NAN
    return squares / n - (sum_ / n) ** 2
