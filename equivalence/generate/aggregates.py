"""Well-typed aggregates over the columns of a scope."""

from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from equivalence.generate.choices import Choices, Drawn
from equivalence.generate.expressions import Expressions
from semantics import AggregateFunction, Expression, Scope, Type
from semantics.aggregate import (
    Aggregate,
    Avg,
    Count,
    CountDistinct,
    CountRows,
    Largest,
    Max,
    Median,
    Min,
    StddevPop,
    Sum,
    UserDefined,
    VarPop,
)

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


def an_aggregate(choices: Choices, scope: Scope, awkward: bool) -> Aggregate:
    """Any aggregate over these columns."""
    allowed, make = choices.of(_KINDS)
    if not allowed:
        return CountRows()
    type_ = choices.of(allowed)
    return make(Expressions(choices, scope, awkward).of(type_, depth=1))


_ANY: Final = tuple(Type)
_NUMERIC: Final = (Type.INT, Type.FLOAT)
_KINDS: Final[list[tuple[tuple[Type, ...], Callable[[Expression], Aggregate]]]] = [
    ((), Count),
    (_ANY, Count),
    (_ANY, CountDistinct),
    (_NUMERIC, Sum),
    (_NUMERIC, Avg),
    (_ANY, Min),
    (_ANY, Max),
    (_NUMERIC, VarPop),
    (_NUMERIC, StddevPop),
    (_NUMERIC, Median),
    (_ANY, lambda argument: Largest(argument, 1)),
    (_ANY, lambda argument: Largest(argument, 3)),
    ((Type.STR,), lambda argument: UserDefined(LONGEST, argument)),
    ((Type.INT,), lambda argument: UserDefined(SPREAD, argument)),
]


@st.composite
def aggregates(draw: DrawFn, scope: Scope, *, awkward: bool = True) -> Aggregate:
    """Any aggregate over these columns."""
    return an_aggregate(Drawn(draw), scope, awkward)
