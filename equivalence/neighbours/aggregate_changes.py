"""Aggregates that differ in one small thing from a given one."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import assert_never

from equivalence.neighbours.change import Change, ChangeKind, lifted
from equivalence.neighbours.expression_changes import expression_changes
from semantics import Scope
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
from semantics.expression import Ref
from semantics.notation.show import show_aggregate
from semantics.rebuild import with_argument


def aggregate_changes(aggregate: Aggregate, scope: Scope) -> Iterator[Change[Aggregate]]:
    """Another aggregate of the same argument, or the same of another argument; the type stays."""
    for other in _others(aggregate, scope):
        text = f"`{show_aggregate(other, scope)}` instead of `{show_aggregate(aggregate, scope)}`"
        yield Change(other, ChangeKind.AGGREGATE, text)
    if aggregate.argument is not None:
        changes = lifted(expression_changes(aggregate.argument, scope), partial(with_argument, aggregate))
        yield from (change for change in changes if change.made.type is aggregate.type)


def _others(aggregate: Aggregate, scope: Scope) -> list[Aggregate]:
    match aggregate:
        case CountRows():
            return [Count(Ref(0, scope.types[0]))]
        case Count(argument=argument):
            return [CountRows(), CountDistinct(argument)]
        case CountDistinct(argument=argument):
            return [Count(argument)]
        case Min(argument=argument):
            return [Max(argument)]
        case Max(argument=argument):
            return [Min(argument)]
        case Avg(argument=argument):
            return [Median(argument)]
        case Median(argument=argument):
            return [Avg(argument)]
        case VarPop(argument=argument):
            return [StddevPop(argument)]
        case StddevPop(argument=argument):
            return [VarPop(argument)]
        case Largest(rank=rank):
            return [replace(aggregate, rank=other) for other in (rank - 1, rank + 1) if other > 0]
        case Sum() | UserDefined():
            return []
        case _:
            assert_never(aggregate)
