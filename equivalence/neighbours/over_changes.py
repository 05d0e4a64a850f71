"""Functions of OVER that differ in one small thing from a given one."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import assert_never, get_args

from equivalence.neighbours.aggregate_changes import aggregate_changes
from equivalence.neighbours.change import Change, ChangeKind, Number, lifted
from equivalence.neighbours.expression_changes import expression_changes
from semantics import FOREVER, Expression, Scope, SnapeqError, Value
from semantics.aggregate import Aggregate
from semantics.ordering import Ranking
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace

FunctionChanges = Iterator[Change[OverFunction]]


def over_changes(function: OverFunction, scope: Scope) -> FunctionChanges:
    """Another frame, distance, ranking or argument; the type stays."""
    match function:
        case FrameAggregate(aggregate=aggregate, frame=frame):
            yield from _framed(frame, lambda other: replace(function, frame=other))
            make: Callable[[Aggregate], OverFunction] = partial(FrameAggregate, frame=frame)
            changes = lifted(aggregate_changes(aggregate, scope), make)
            yield from (change for change in changes if change.made.type is function.type)
        case EdgeValue(edge=edge, frame=frame):
            yield from _framed(frame, lambda other: replace(function, frame=other))
            other = EdgeValue("last" if edge == "first" else "first", function.argument, frame)
            yield Change(other, ChangeKind.AGGREGATE, f"{other.edge} value instead of {edge}")
            yield from _of_another(function, scope)
        case NeighbourValue(distance=distance):
            yield from _stepped("LAG or LEAD", distance, lambda other: replace(function, distance=other))
            yield from _of_another(function, scope)
        case RowPlace(ranking=ranking):
            for other_ranking in get_args(Ranking):
                if other_ranking != ranking:
                    yield Change(RowPlace(other_ranking), ChangeKind.DUPLICATES, f"places by {other_ranking}")
        case _:
            assert_never(function)


def _framed(frame: Frame, make: Callable[[Frame], OverFunction]) -> FunctionChanges:
    other = Frame("range" if frame.unit == "rows" else "rows", frame.preceding)
    yield Change(make(other), ChangeKind.DUPLICATES, f"{other.unit.upper()} instead of {frame.unit.upper()}")
    if frame.preceding != FOREVER:
        word = f"{frame.unit.upper()} PRECEDING"
        yield from _stepped(word, int(frame.preceding), lambda new: make(replace(frame, preceding=new)))


def _of_another(function: EdgeValue | NeighbourValue, scope: Scope) -> FunctionChanges:
    make: Callable[[Expression], OverFunction] = lambda other: replace(function, argument=other)  # noqa: E731
    changes = lifted(expression_changes(function.argument, scope), make)
    return (change for change in changes if change.made.type is function.type)


def _stepped(word: str, old: int, make: Callable[[int], OverFunction]) -> FunctionChanges:
    def to(new: Value) -> Change[OverFunction]:
        assert isinstance(new, int)
        return Change(make(new), ChangeKind.ROWS, f"{word} {new} instead of {old}", Number(old, new, to))

    for new in (old - 1, old + 1):
        try:
            yield to(new)
        except SnapeqError:
            continue
