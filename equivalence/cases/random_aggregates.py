"""Well-typed aggregates over the columns of a scope."""

from collections.abc import Callable, Collection
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_expressions import ExpressionGenerator
from semantics import AggregateFunction, Expression, Scope, Type
from semantics import aggregate as agg

SPREAD: Final = AggregateFunction(
    "spread",
    Type.FLOAT,
    Type.FLOAT,
    init=lambda value: (value, value),
    merge=lambda bounds, value: (min(bounds[0], value), max(bounds[1], value)),
    eval=lambda bounds: bounds[1] - bounds[0],
)
LONGEST: Final = AggregateFunction("longest", Type.STR, Type.INT, init=len, merge=lambda n, v: max(n, len(v)), eval=int)
AGGREGATE_FUNCTIONS: Final = {function.name: function for function in (SPREAD, LONGEST)}


_ANY: Final = tuple(Type)
_NUMERIC: Final = (Type.INT, Type.FLOAT)
AGGREGATE_KINDS: Final[dict[str, tuple[tuple[Type, ...], Callable[[Expression], agg.Aggregate]]]] = {
    "count": ((), agg.Count),
    "count_of": (_ANY, agg.Count),
    "count_distinct": (_ANY, agg.CountDistinct),
    "sum": (_NUMERIC, agg.Sum),
    "avg": (_NUMERIC, agg.Avg),
    "min": (_ANY, agg.Min),
    "max": (_ANY, agg.Max),
    "var_pop": (_NUMERIC, agg.VarPop),
    "stddev_pop": (_NUMERIC, agg.StddevPop),
    "median": (_NUMERIC, agg.Median),
    "largest": (_ANY, lambda argument: agg.Largest(argument, 1)),
    "third": (_ANY, lambda argument: agg.Largest(argument, 3)),
    "longest": ((Type.STR,), lambda argument: agg.UserDefined(LONGEST, argument)),
    "spread": ((Type.INT,), lambda argument: agg.UserDefined(SPREAD, argument)),
}
"""Every aggregate with the types of its argument; COUNT(*) has none."""


def choose_aggregate(choices: Choices, scope: Scope, awkward: bool, among: Collection[str] = ()) -> agg.Aggregate:
    """Any aggregate over these columns, or one of those named."""
    allowed, make = AGGREGATE_KINDS[choices.of([name for name in AGGREGATE_KINDS if not among or name in among])]
    if not allowed:
        return agg.CountRows()
    type_ = choices.of(allowed)
    return make(ExpressionGenerator(choices, scope, awkward).of(type_, depth=1))
