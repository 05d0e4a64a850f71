"""Every aggregate as init, merge and eval over partial aggregates (Algorithm 3): what an engine may keep instead."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, assert_never, cast

from semantics import aggregate as agg
from semantics.value import NAN, Value, conform, order


@dataclass(frozen=True, slots=True)
class Partial:
    """How to begin a partial aggregate with a value, merge a further value in, and read the result off."""

    init: Callable[[Value], Any]
    merge: Callable[[Any, Value], Any]
    eval: Callable[[Any], Value]


def partial(function: agg.Aggregate) -> Partial:
    """The three functions of an aggregate; they are never given NULL, except COUNT(*)'s.

    >>> from semantics.expression import Ref
    >>> from semantics.value import Type
    >>> avg = partial(agg.Avg(Ref(0, Type.INT)))
    >>> avg.eval(avg.merge(avg.init(1), 2))
    1.5
    """
    match function:
        case agg.CountRows() | agg.Count():
            return Partial(lambda _: 1, lambda n, _: n + 1, lambda n: n)
        case agg.CountDistinct():
            return Partial(lambda v: frozenset([v]), lambda seen, v: seen | {v}, len)
        case agg.Sum():
            return Partial(agg.exact, _add, lambda sum_: agg.rounded(sum_, function.type))
        case agg.Avg():
            return Partial(
                lambda v: (agg.exact(v), 1),
                lambda state, v: (_add(state[0], v), state[1] + 1),
                lambda state: agg.rounded(state[0] / state[1]),
            )
        case agg.Min():
            return Partial(lambda v: v, lambda least, v: min(least, v, key=order), lambda least: least)
        case agg.Max():
            return Partial(lambda v: v, lambda most, v: max(most, v, key=order), lambda most: most)
        case agg.VarPop():
            return Partial(_init_moments, _merge_moments, lambda state: agg.rounded(_variance(state)))
        case agg.StddevPop():
            return Partial(
                _init_moments, _merge_moments, lambda state: math.sqrt(cast(float, agg.rounded(_variance(state))))
            )
        case agg.Median():
            return Partial(lambda v: [v], _insert, lambda values: agg.aggregate_values(function, values))
        case agg.Largest(rank=rank):
            return Partial(
                lambda v: [v],
                lambda values, v: _insert(values, v)[-rank:],
                lambda values: agg.aggregate_values(function, values),
            )
        case agg.UserDefined(function=user):
            where = f"{user.name}: argument"
            return Partial(
                lambda v: user.init(conform(v, user.parameter, where)),
                lambda state, v: user.merge(state, conform(v, user.parameter, where)),
                lambda state: conform(user.eval(state), user.result, f"{user.name}: result"),
            )
        case _:
            assert_never(function)


def _add(sum_: agg.Exact, value: Value) -> agg.Exact:
    return agg.total([sum_, agg.exact(value)])


def _insert(values: list[Value], value: Value) -> list[Value]:
    return sorted([*values, value], key=order)


def _square(number: agg.Exact) -> agg.Exact:
    return number**2


def _init_moments(value: Value) -> tuple[int, agg.Exact, agg.Exact]:
    """Count, sum and sum of squares."""
    return (1, agg.exact(value), _square(agg.exact(value)))


def _merge_moments(state: tuple[int, agg.Exact, agg.Exact], value: Value) -> tuple[int, agg.Exact, agg.Exact]:
    n, sum_, squares = state
    return (n + 1, _add(sum_, value), agg.total([squares, _square(agg.exact(value))]))


def _variance(state: tuple[int, agg.Exact, agg.Exact]) -> agg.Exact:
    n, sum_, squares = state
    if not isinstance(sum_, Fraction) or not isinstance(squares, Fraction):
        return NAN
    return squares / n - (sum_ / n) ** 2
