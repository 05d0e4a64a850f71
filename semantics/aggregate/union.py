"""The closed union of all aggregates, and what every one of them has: a name, arguments, a form for DISTINCT."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from semantics.aggregate import of_rows as rows
from semantics.aggregate import of_values as values
from semantics.dataclass_on_use import dataclass
from semantics.errors import TypeMismatch
from semantics.expression import Case, Constant, Expression
from semantics.value import NULL, Type


@dataclass(frozen=True, slots=True)
class OfDistinct:
    """An aggregate that takes in each value once, or each row of values; `of_distinct` makes it."""

    function: "Aggregate"

    def __post_init__(self) -> None:
        if has_distinct_form(self.function):
            raise TypeMismatch(f"DISTINCT: {name_of(self.function)} has a form of its own, see of_distinct")
        if isinstance(self.function, rows.Listed) and self.function.by:
            message = f"{self.function.name.upper()}: with DISTINCT, values can be ordered only by themselves"
            raise TypeMismatch(message, self.function.by)

    @property
    def argument(self) -> Expression:
        argument = self.function.argument
        assert argument is not None, "COUNT(*) is not wrapped"
        return argument

    @property
    def type(self) -> Type:
        return self.function.type


Aggregate = (
    values.CountRows
    | values.Count
    | values.CountDistinct
    | values.Sum
    | values.Avg
    | values.Min
    | values.Max
    | values.VarPop
    | values.StddevPop
    | values.VarSamp
    | values.StddevSamp
    | values.Median
    | values.Percentile
    | values.Mode
    | values.Largest
    | values.Bitwise
    | values.UserDefined
    | rows.Paired
    | rows.ExtremeBy
    | rows.Listed
    | OfDistinct
)

COUNTS: Final = (values.CountRows, values.Count, values.CountDistinct)
"""Aggregates that are 0 where there is nothing; the others are NULL there."""
BASIC: Final = (
    *COUNTS,
    values.Sum,
    values.Avg,
    values.Min,
    values.Max,
    values.VarPop,
    values.StddevPop,
    values.Median,
    values.Largest,
    values.UserDefined,
)
"""What every engine is expected to know. One that knows the others says so: see `is_basic`."""
NAMES: Final[dict[type[Aggregate], str]] = {
    values.CountRows: "count",
    values.Count: "count",
    values.CountDistinct: "count",
    values.Sum: "sum",
    values.Avg: "avg",
    values.Min: "min",
    values.Max: "max",
    values.VarPop: "var_pop",
    values.StddevPop: "stddev_pop",
    values.VarSamp: "var_samp",
    values.StddevSamp: "stddev_samp",
    values.Median: "median",
    values.Mode: "mode",
    values.Largest: "top",
}


def is_basic(function: Aggregate) -> bool:
    """Is it one of those that every engine is expected to know?"""
    return isinstance(function, BASIC) and not (isinstance(function, values.CountDistinct) and function.others)


def name_of(function: Aggregate) -> str:
    """What an aggregate is called, in lower case; DISTINCT is not part of it."""
    match function:
        case OfDistinct(function=inner):
            return name_of(inner)
        case values.Percentile(discrete=discrete):
            return "percentile_disc" if discrete else "percentile_cont"
        case values.Bitwise(symbol=symbol):
            return f"bit_{symbol}"
        case rows.Paired(name=name) | rows.Listed(name=name):
            return name
        case rows.ExtremeBy(greatest=greatest):
            return "max_by" if greatest else "min_by"
        case values.UserDefined(function=user):
            return user.name
        case _:
            return NAMES[type(function)]


def arguments_of(function: Aggregate) -> tuple[Expression, ...]:
    """Everything that an aggregate is of; what must not be NULL comes first."""
    match function:
        case values.CountRows():
            return ()
        case OfDistinct(function=inner):
            return arguments_of(inner)
        case values.CountDistinct(argument=argument, others=others):
            return (argument, *others)
        case rows.Paired(argument=argument, other=other):
            return (argument, other)
        case rows.ExtremeBy(argument=argument, by=by):
            return (by, argument)
        case rows.Listed(argument=argument, by=keys):
            return (argument, *keys)
        case _:
            return (function.argument,)


def needed_of(function: Aggregate) -> int:
    """How many of its arguments must not be NULL in a row that it takes in."""
    match function:
        case OfDistinct(function=inner):
            return needed_of(inner)
        case rows.ExtremeBy() | rows.Listed():
            return 1
        case _:
            return len(arguments_of(function))


def with_arguments(function: Aggregate, arguments: Sequence[Expression]) -> Aggregate:
    """The same aggregate of something else; the arguments are as `arguments_of` gives them."""
    changes: dict[str, Any]
    match function:
        case values.CountRows():
            return function
        case OfDistinct(function=inner):
            return of_distinct(with_arguments(inner, arguments))
        case values.CountDistinct():
            return values.CountDistinct(arguments[0], tuple(arguments[1:]))
        case rows.Paired():
            return replace(function, argument=arguments[0], other=arguments[1])
        case rows.ExtremeBy():
            return replace(function, by=arguments[0], argument=arguments[1])
        case rows.Listed():
            return replace(function, argument=arguments[0], by=tuple(arguments[1:]))
        case _:
            changes = {"argument": arguments[0]}
            return replace(function, **changes)


def has_distinct_form(function: Aggregate) -> bool:
    """Is DISTINCT another aggregate of the union, or makes no difference because copies of a value make none?"""
    if isinstance(function, values.Bitwise):
        return function.symbol != "xor"
    if isinstance(function, values.Largest):
        return function.rank == 1
    return isinstance(function, (OfDistinct, rows.ExtremeBy, values.Min, values.Max, *COUNTS))


def of_distinct(function: Aggregate) -> Aggregate:
    """The aggregate over different values, as DISTINCT says it.

    >>> from semantics.expression import Ref
    >>> of_distinct(values.Count(Ref(0, Type.INT)))
    CountDistinct(argument=Ref(index=0, type=INT), others=())
    """
    if isinstance(function, values.CountRows):
        raise TypeMismatch("COUNT: DISTINCT needs an argument")
    if isinstance(function, values.Count):
        return values.CountDistinct(function.argument)
    return function if has_distinct_form(function) else OfDistinct(function)


def filtered(function: Aggregate, condition: Expression) -> Aggregate:
    """The aggregate over the rows for which a condition is TRUE, as FILTER (WHERE …) says it.

    In all other rows the argument becomes NULL, and a NULL is not taken in.

    >>> from semantics.expression import Ref
    >>> filtered(values.CountRows(), Ref(0, Type.BOOL)).argument.branches[0]
    (Ref(index=0, type=BOOL), Constant(value=1, type=INT))
    """
    if isinstance(function, values.CountRows):
        return values.Count(_if(condition, Constant(1, Type.INT)))
    first, *others = arguments_of(function)
    return with_arguments(function, [_if(condition, first), *others])


def _if(condition: Expression, value: Expression) -> Expression:
    return Case(((condition, value),), Constant(NULL, value.type))
