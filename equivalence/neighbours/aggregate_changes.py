"""Aggregates that differ in one small thing from a given one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, assert_never, get_args

from equivalence.neighbours.change import Change, ChangeKind, Number, lifted
from equivalence.neighbours.expression_changes import expression_changes
from semantics import Scope, SnapeqError, Type, Value
from semantics.aggregate import (
    Aggregate,
    Avg,
    BitSymbol,
    Bitwise,
    Count,
    CountDistinct,
    CountRows,
    ExtremeBy,
    Largest,
    Listed,
    Max,
    Median,
    Min,
    Mode,
    OfDistinct,
    Paired,
    Percentile,
    StddevPop,
    StddevSamp,
    Sum,
    UserDefined,
    VarPop,
    VarSamp,
    arguments_of,
    decimal_text,
    of_distinct,
    with_arguments,
)
from semantics.aggregate.of_values import MOST_DIGITS
from semantics.expression import Case, Constant, Expression, Ref
from semantics.notation.show_aggregate import show_aggregate
from semantics.ordering import SortKey


def aggregate_changes(aggregate: Aggregate, scope: Scope) -> Iterator[Change[Aggregate]]:
    """Another aggregate of the same argument, or the same of another argument; the type stays."""
    for other in _others(aggregate, scope):
        text = f"`{show_aggregate(other, scope)}` instead of `{show_aggregate(aggregate, scope)}`"
        yield Change(other, ChangeKind.AGGREGATE, text)
    yield from _other_parameters(aggregate, scope)
    arguments = arguments_of(aggregate)
    for i, argument in enumerate(arguments):
        changes = lifted(expression_changes(argument, scope), partial(_with_argument, aggregate, i))
        yield from (change for change in changes if change.made.type is aggregate.type)


def _with_argument(aggregate: Aggregate, place: int, argument: Expression) -> Aggregate:
    arguments = list(arguments_of(aggregate))
    arguments[place] = argument
    return with_arguments(aggregate, arguments)


def _other_parameters(aggregate: Aggregate, scope: Scope) -> Iterator[Change[Aggregate]]:
    """The next rank, the next fraction with as many digits, a separator with a character more or less."""
    match aggregate:
        case OfDistinct(function=function):
            yield from lifted(_other_parameters(function, scope), of_distinct)
        case Largest(rank=rank):
            yield from _stepped(aggregate, scope, rank, [rank - 1, rank + 1], lambda new: replace(aggregate, rank=new))
        case Percentile(fraction=fraction):
            step = 10.0 ** -max(2, len(decimal_text(fraction).split(".")[1]))
            near = [float(fraction) - step, float(fraction) + step]
            yield from _stepped(
                aggregate, scope, float(fraction), near, lambda new: replace(aggregate, fraction=_near_fraction(new))
            )
        case Listed(separator=str(separator)):
            near_texts = [f"{separator} ", separator[:-1]] if separator else [" "]
            yield from _stepped(aggregate, scope, separator, near_texts, lambda new: replace(aggregate, separator=new))
        case _:
            return


def _near_fraction(number: float) -> Fraction:
    return Fraction(round(number * 10**MOST_DIGITS), 10**MOST_DIGITS)


def _stepped(
    aggregate: Aggregate, scope: Scope, old: Value, near: Sequence[Value], make: Callable[[Any], Aggregate]
) -> Iterator[Change[Aggregate]]:
    """The aggregate with each of these parameters, as far as it may have them."""

    def to(new: Value) -> Change[Aggregate]:
        made = make(new)
        text = f"`{show_aggregate(made, scope)}` instead of `{show_aggregate(aggregate, scope)}`"
        return Change(made, ChangeKind.CONSTANT, text, Number(old, new, to))

    for new in near:
        try:
            yield to(new)
        except SnapeqError:
            continue


def _others(aggregate: Aggregate, scope: Scope) -> list[Aggregate]:
    if isinstance(aggregate, OfDistinct):
        return [aggregate.function, *map(of_distinct, _others(aggregate.function, scope))]
    dropped = _without_filter(aggregate)
    return [*_alike(aggregate, scope), *([] if dropped is None else [dropped])]


def _without_filter(aggregate: Aggregate) -> Aggregate | None:
    """The aggregate over all rows, if FILTER kept some of them."""
    match arguments_of(aggregate):
        case (Case(branches=((_, value),), default=Constant(value=None)), *others):
            return with_arguments(aggregate, [value, *others])
        case _:
            return None


def _alike(aggregate: Aggregate, scope: Scope) -> list[Aggregate]:
    match aggregate:
        case CountRows():
            return [Count(Ref(0, scope.types[0]))]
        case Count(argument=argument):
            return [CountRows(), CountDistinct(argument)]
        case CountDistinct(argument=argument, others=others):
            return [replace(aggregate, others=others[:-1])] if others else [Count(argument)]
        case Min(argument=argument):
            return [Max(argument)]
        case Max(argument=argument):
            return [Min(argument)]
        case Avg(argument=argument):
            return [Median(argument)] if argument.type.is_number else []
        case Median(argument=argument):
            return [Avg(argument)]
        case VarPop(argument=argument):
            return [StddevPop(argument), VarSamp(argument)]
        case StddevPop(argument=argument):
            return [VarPop(argument), StddevSamp(argument)]
        case VarSamp(argument=argument):
            return [VarPop(argument)]
        case StddevSamp(argument=argument):
            return [StddevPop(argument)]
        case Percentile(argument=argument, fraction=fraction, discrete=discrete):
            other = [replace(aggregate, discrete=not discrete)] if argument.type is Type.FLOAT else []
            return [*other, replace(aggregate, fraction=1 - fraction)]
        case Mode(argument=argument):
            return [Min(argument), Max(argument)]
        case Bitwise(symbol=symbol):
            return [replace(aggregate, symbol=other) for other in get_args(BitSymbol) if other != symbol]
        case Paired(name=name):
            return [replace(aggregate, name="covar_samp" if name == "covar_pop" else "covar_pop")]
        case ExtremeBy(argument=argument, greatest=greatest):
            return [replace(aggregate, greatest=not greatest), Max(argument) if greatest else Min(argument)]
        case Listed(order=order):
            return [replace(aggregate, order=_turned(order))] if order else []
        case Sum() | Largest() | UserDefined() | OfDistinct():
            return []
        case _:
            assert_never(aggregate)


def _turned(order: tuple[SortKey, ...]) -> tuple[SortKey, ...]:
    """The first key in the other direction."""
    return (replace(order[0], descending=not order[0].descending), *order[1:])
