"""Well-typed aggregates over the columns of a scope."""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Final

from equivalence.cases.aggregate_parameters import with_any_parameter
from equivalence.cases.choices import Choices
from equivalence.cases.random_expressions import ExpressionGenerator
from semantics import AggregateFunction, Expression, Schema, Scope, Type
from semantics import aggregate as agg
from semantics.ordering import SortKey
from semantics.types import BASIC_TYPES

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


Kinds = Mapping[str, tuple[tuple[Type, ...], Callable[[Expression], agg.Aggregate]]]
_ANY: Final = BASIC_TYPES
_NUMERIC: Final = (Type.INT, Type.FLOAT)
AGGREGATE_KINDS: Final[Kinds] = {
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
"""Every aggregate that all engines are expected to know, with the types of its argument; COUNT(*) has none."""
FURTHER_KINDS: Final[Kinds] = {
    "sum_distinct": (_NUMERIC, lambda argument: agg.OfDistinct(agg.Sum(argument))),
    "avg_distinct": (_NUMERIC, lambda argument: agg.OfDistinct(agg.Avg(argument))),
    "var_samp": (_NUMERIC, agg.VarSamp),
    "stddev_samp": (_NUMERIC, agg.StddevSamp),
    "var_pop_distinct": (_NUMERIC, lambda argument: agg.OfDistinct(agg.VarPop(argument))),
    "median_distinct": (_NUMERIC, lambda argument: agg.OfDistinct(agg.Median(argument))),
    "quartile": (_NUMERIC, lambda argument: agg.Percentile(argument, Fraction(1, 4))),
    "percentile": (_NUMERIC, lambda argument: agg.Percentile(argument, Fraction(9, 10))),
    "quartile_value": (_ANY, lambda argument: agg.Percentile(argument, Fraction(1, 4), discrete=True)),
    "percentile_value": (_ANY, lambda argument: agg.Percentile(argument, Fraction(9, 10), discrete=True)),
    "mode": (_ANY, agg.Mode),
    "second_distinct": (_ANY, lambda argument: agg.OfDistinct(agg.Largest(argument, 2))),
    "bit_and": ((Type.INT,), agg.ONE_ARGUMENT["bit_and"]),
    "bit_or": ((Type.INT,), agg.ONE_ARGUMENT["bit_or"]),
    "bit_xor": ((Type.INT,), agg.ONE_ARGUMENT["bit_xor"]),
    "bit_xor_distinct": ((Type.INT,), lambda argument: agg.OfDistinct(agg.Bitwise("xor", argument))),
    "string_agg": ((Type.STR,), lambda argument: agg.Listed(argument, ", ")),
    "string_agg_distinct": ((Type.STR,), lambda argument: agg.OfDistinct(agg.Listed(argument, "/"))),
    "spread_distinct": ((Type.INT,), lambda argument: agg.OfDistinct(agg.UserDefined(SPREAD, argument))),
}
"""Those of one argument that an engine gets only if it says that it knows them."""
ALL_KINDS: Final[Kinds] = {**AGGREGATE_KINDS, **FURTHER_KINDS}
OF_SEVERAL: Final = ("count_distinct", "string_agg", "string_agg", *agg.TWO_ARGUMENTS, "min_by", "max_by")
"""The names of those that take in rows of values."""
_FURTHER: Final = "further"
_SHARE: Final = 7
"""As many of all draws are of further aggregates as of so many others."""


def _newer(name: str, allowed: tuple[Type, ...], scope: Scope) -> list[Type]:
    """Types of columns that not every engine knows, twice, if the aggregate takes them."""
    new = [type_ for type_ in dict.fromkeys(scope.types) if type_ not in BASIC_TYPES]
    if Type.STR not in allowed:
        spans = name in ("sum", "avg", "sum_distinct", "avg_distinct")
        new = [type_ for type_ in new if type_.is_decimal or (spans and type_.is_interval)]
    return [*new, *new] if len(allowed) > 1 else []


def takes(name: str, type_: Type) -> bool:
    """Is there such an aggregate of an argument of this type?

    >>> from semantics import decimal
    >>> takes("sum", decimal(5, 2)), takes("sum", Type.DATE), takes("max", Type.DATE), takes("longest", Type.DATE)
    (True, False, True, False)
    """
    allowed = ALL_KINDS[name][0]
    return type_ in allowed or type_ in _newer(name, allowed, Scope(Schema.of(column=type_)))


def choose_aggregate(choices: Choices, scope: Scope, awkward: bool, among: Collection[str] = ()) -> agg.Aggregate:
    """Any aggregate over these columns, or one of those named."""
    names = [name for name in ALL_KINDS if name in among] if among else [*AGGREGATE_KINDS, *[_FURTHER] * _SHARE]
    name = choices.of(names)
    if name == _FURTHER:
        return _further(choices, scope, awkward)
    made = _of_one(choices, scope, awkward, name)
    # Whoever names aggregates means their parameters, too: a rule may hold of the largest value only.
    return made if among else with_any_parameter(choices, made)


def _of_one(choices: Choices, scope: Scope, awkward: bool, name: str) -> agg.Aggregate:
    allowed, make = ALL_KINDS[name]
    if not allowed:
        return agg.CountRows()
    type_ = choices.of((*_newer(name, allowed, scope), *allowed))
    return make(ExpressionGenerator(choices, scope, awkward).of(type_, depth=1))


def _further(choices: Choices, scope: Scope, awkward: bool) -> agg.Aggregate:
    """One that not every engine knows: of distinct values, of several columns, of rows for which a condition holds."""
    name = choices.of([*FURTHER_KINDS, *OF_SEVERAL])
    several = name in OF_SEVERAL and (name not in FURTHER_KINDS or choices.chance(1, 2))

    def operand(types: tuple[Type, ...]) -> Expression:
        return ExpressionGenerator(choices, scope, awkward).of(choices.of(types), depth=choices.below(2))

    one = of_several(choices, name, operand) if several else _of_one(choices, scope, awkward, name)
    made = one if several else with_any_parameter(choices, one)
    if not choices.chance(1, 4):
        return made
    return agg.filtered(made, ExpressionGenerator(choices, scope, awkward).of(Type.BOOL, depth=1))


def of_several(choices: Choices, name: str, operand: Callable[[tuple[Type, ...]], Expression]) -> agg.Aggregate:
    """An aggregate that takes in rows of values, each an operand of one of the given types."""
    if name == "count_distinct":
        return agg.CountDistinct(operand(_ANY), (operand(_ANY),))
    if name == "string_agg":
        places = range(1, choices.between(2, 3))
        keys = [SortKey(place, choices.chance(1, 2), choices.of((None, False, True))) for place in places]
        listed = agg.Listed(operand((Type.STR,)), ",", tuple(operand(_ANY) for _ in keys), tuple(keys))
        return with_any_parameter(choices, listed)
    types = _ANY if name in ("min_by", "max_by") else _NUMERIC
    return agg.TWO_ARGUMENTS[name](operand(types), operand(types))
