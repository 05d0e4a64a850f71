"""Aggregates and declared orders as they stand in a plan: `sum(price)`, `string_agg(name, ', '; price desc)`."""

from typing import assert_never

from semantics import aggregate as agg
from semantics.notation.show_expression import show_expression, show_name, show_value
from semantics.ordering import SortKey
from semantics.scope import Scope


def show_aggregate(aggregate: agg.Aggregate, scope: Scope) -> str:
    """An aggregate as it stands in a plan: `sum(price)`."""
    if isinstance(aggregate, agg.OfDistinct):
        return _called(aggregate.function, f"distinct {_inside(aggregate.function, scope)}")
    return _called(aggregate, _inside(aggregate, scope))


def show_direction(key: SortKey) -> str:
    """What follows a column in a declared order."""
    nulls = {None: "", False: " nulls first", True: " nulls last"}[key.nulls_last]
    return (" desc" if key.descending else "") + nulls


def _called(aggregate: agg.Aggregate, inside: str) -> str:
    name = agg.name_of(aggregate)
    return f"{show_name(name, also=agg.WORDS) if isinstance(aggregate, agg.UserDefined) else name}({inside})"


def _inside(aggregate: agg.Aggregate, scope: Scope) -> str:
    """What stands between the parentheses, without DISTINCT."""
    if isinstance(aggregate, agg.CountRows):
        return "*"
    argument = show_expression(aggregate.argument, scope)
    match aggregate:
        case agg.CountDistinct(others=others):
            return "distinct " + ", ".join([argument, *(show_expression(other, scope) for other in others)])
        case agg.Largest(rank=rank):
            return f"{argument}, {rank}"
        case agg.Percentile(fraction=fraction):
            return f"{argument}, {agg.decimal_text(fraction)}"
        case agg.Paired(other=other) | agg.ExtremeBy(by=other):
            return f"{argument}, {show_expression(other, scope)}"
        case agg.Listed(separator=separator, by=by, order=order):
            texts = [argument, *(show_expression(key, scope) for key in by)]
            keys = ", ".join(texts[key.column] + show_direction(key) for key in order)
            first = argument if separator is None else f"{argument}, {show_value(separator)}"
            return f"{first}; {keys}" if keys else first
        case (
            agg.Count()
            | agg.Sum()
            | agg.Avg()
            | agg.Min()
            | agg.Max()
            | agg.VarPop()
            | agg.StddevPop()
            | agg.VarSamp()
            | agg.StddevSamp()
            | agg.Median()
            | agg.Mode()
            | agg.Bitwise()
            | agg.UserDefined()
        ):
            return argument
        case agg.OfDistinct():
            raise AssertionError("DISTINCT is not nested")
        case _:
            assert_never(aggregate)
