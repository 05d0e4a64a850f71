"""Every aggregate as init, merge and eval over partial aggregates (Algorithm 3): what an engine may keep instead."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, assert_never

from semantics import aggregate as agg
from semantics.value import NAN, NULL, Row, Value, conform, order, row_order


@dataclass(frozen=True, slots=True)
class Partial:
    """How to begin with a value, or with a row of values, merge a further one in, and read the result off."""

    init: Callable[[Any], Any]
    merge: Callable[[Any, Any], Any]
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
                lambda state: agg.rounded(state[0] / state[1], function.type),
            )
        case agg.Min():
            return Partial(lambda v: v, lambda least, v: min(least, v, key=order), lambda least: least)
        case agg.Max():
            return Partial(lambda v: v, lambda most, v: max(most, v, key=order), lambda most: most)
        case agg.VarPop() | agg.VarSamp() | agg.StddevPop() | agg.StddevSamp():
            return Partial(_init_moments, _merge_moments, lambda state: _spread(function, state))
        case agg.Median() | agg.Percentile() | agg.Mode() | agg.Listed():
            return _of_all(function)
        case agg.OfDistinct(function=inner):
            return Partial(
                lambda v: frozenset([v]),
                lambda seen, v: seen | {v},
                lambda seen: agg.aggregate_values(inner, sorted(seen, key=agg.order_of(inner))),
            )
        case agg.Bitwise(symbol=symbol):
            return Partial(lambda v: v, agg.BIT_OPERATIONS[symbol], lambda bits: bits)
        case agg.ExtremeBy(greatest=greatest):
            best = max if greatest else min
            return Partial(lambda row: row, lambda one, row: best(one, row, key=row_order), lambda row: row[1])
        case agg.Paired():
            return Partial(_init_pairs, _merge_pairs, lambda state: _paired(function, state))
        case agg.Largest(rank=rank):
            return Partial(
                lambda v: [v],
                lambda values, v: sorted([*values, v], key=order)[-rank:],
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


def _of_all(function: agg.Aggregate) -> Partial:
    """All values are kept, in their order."""
    key = agg.order_of(function)
    return Partial(
        lambda v: [v],
        lambda values, v: sorted([*values, v], key=key),
        lambda values: agg.aggregate_values(function, values),
    )


Moments = tuple[int, agg.Exact, agg.Exact]
"""Count, sum and sum of squares."""
PairMoments = tuple[Moments, Moments, agg.Exact]
"""Those of either column, and the sum of products."""


def _init_moments(value: Value) -> Moments:
    return (1, agg.exact(value), agg.exact(value) ** 2)


def _merge_moments(state: Moments, value: Value) -> Moments:
    n, sum_, squares = state
    return (n + 1, _add(sum_, value), agg.total([squares, agg.exact(value) ** 2]))


def _init_pairs(pair: Row) -> PairMoments:
    x, y = pair
    return (_init_moments(x), _init_moments(y), agg.exact(x) * agg.exact(y))


def _merge_pairs(state: PairMoments, pair: Row) -> PairMoments:
    (xs, ys, products), (x, y) = state, pair
    return (_merge_moments(xs, x), _merge_moments(ys, y), agg.total([products, agg.exact(x) * agg.exact(y)]))


def _deviations(n: int, products: agg.Exact, one: agg.Exact, other: agg.Exact) -> agg.Exact:
    """The sum of the products of distances from the means."""
    finite = isinstance(products, Fraction) and isinstance(one, Fraction) and isinstance(other, Fraction)
    return products - one * other / n if finite else NAN


def _spread(function: agg.VarPop | agg.VarSamp | agg.StddevPop | agg.StddevSamp, state: Moments) -> Value:
    n, sum_, squares = state
    divisor = n - isinstance(function, agg.VarSamp | agg.StddevSamp)
    if divisor == 0:
        return NULL
    variance = _deviations(n, squares, sum_, sum_) / divisor
    return agg.root(variance) if isinstance(function, agg.StddevPop | agg.StddevSamp) else agg.rounded(variance)


def _paired(function: agg.Paired, state: PairMoments) -> Value:
    (n, x, x_squares), (_, y, y_squares), products = state
    together = _deviations(n, products, x, y)
    if function.name == "corr":
        return agg.correlation(together, _deviations(n, x_squares, x, x), _deviations(n, y_squares, y, y))
    divisor = n - (function.name == "covar_samp")
    return agg.rounded(together / divisor) if divisor else NULL
