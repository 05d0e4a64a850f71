"""Aggregates as text of the language; parsing gives the same aggregate again."""

from collections.abc import Sequence
from typing import assert_never

from semantics import aggregate as aggregates
from semantics.aggregate import Aggregate
from semantics.ordering import SortKey
from semantics.sql.names import name_text
from semantics.sql.to_text.expressions import expression_text, text_literal


def aggregate_text(aggregate: Aggregate, columns: Sequence[str]) -> str:
    """An aggregate over columns with these names.

    FILTER is a CASE in the argument, and is written as one.
    """
    if isinstance(aggregate, aggregates.OfDistinct):
        return _called(aggregate.function, columns, "DISTINCT ")
    return _called(aggregate, columns, "")


def order_text(order: Sequence[SortKey], columns: Sequence[str]) -> str:
    """ORDER BY."""
    return "ORDER BY " + ", ".join(columns[key.column] + direction_text(key) for key in order)


def direction_text(key: SortKey) -> str:
    nulls = {None: "", True: " NULLS LAST", False: " NULLS FIRST"}[key.nulls_last]
    return (" DESC" if key.descending else "") + nulls


def _called(aggregate: Aggregate, columns: Sequence[str], distinct: str) -> str:
    if isinstance(aggregate, aggregates.CountRows):
        return "COUNT(*)"
    argument = expression_text(aggregate.argument, columns)
    name = aggregates.name_of(aggregate).upper()
    match aggregate:
        case aggregates.CountDistinct(others=others):
            return f"COUNT(DISTINCT {', '.join([argument, *(expression_text(other, columns) for other in others)])})"
        case aggregates.Largest(rank=rank):
            return f"TOP({distinct}{argument}, {rank})"
        case aggregates.Percentile(fraction=fraction):
            return f"{name}({distinct}{aggregates.decimal_text(fraction)}) WITHIN GROUP (ORDER BY {argument})"
        case aggregates.Paired(other=other) | aggregates.ExtremeBy(by=other):
            return f"{name}({distinct}{argument}, {expression_text(other, columns)})"
        case aggregates.Listed(separator=separator, by=by, order=order):
            keys = [argument, *(expression_text(key, columns) for key in by)]
            tail = f" {order_text(order, keys)}" if order else ""
            between = "" if separator is None else f", {text_literal(separator)}"
            return f"{name}({distinct}{argument}{between}{tail})"
        case aggregates.UserDefined(function=function):
            return f"{name_text(function.name)}({distinct}{argument})"
        case (
            aggregates.Count()
            | aggregates.Sum()
            | aggregates.Avg()
            | aggregates.Min()
            | aggregates.Max()
            | aggregates.VarPop()
            | aggregates.StddevPop()
            | aggregates.VarSamp()
            | aggregates.StddevSamp()
            | aggregates.Median()
            | aggregates.Mode()
            | aggregates.Bitwise()
        ):
            return f"{name}({distinct}{argument})"
        case aggregates.OfDistinct():
            raise AssertionError("DISTINCT is not nested")
        case _:
            assert_never(aggregate)
