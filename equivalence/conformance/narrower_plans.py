"""Plans that give fewer columns: a fault of one aggregate is easier to see without the others."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from semantics import Plan
from semantics.plan import Aggregation, Grouping, Map, Over

T = TypeVar("T")


def narrower(plan: Plan) -> Iterator[Plan]:
    """The plan without one of the columns that its operator makes, if it makes several.

    >>> from semantics import parse_plan, show
    >>> [show(less) for less in narrower(parse_plan("S(x int) | map(x as a, 1 as b)"))]
    ['S(x int) | map(1 as b)', 'S(x int) | map(x as a)']
    """
    match plan:
        case Aggregation(aggregates=made) | Grouping(aggregates=made) if len(made) > 1:
            for i in range(len(made)):
                yield replace(plan, aggregates=_without(made, i), names=_without(plan.names, i))
        case Map(expressions=made) if len(made) > 1:
            for i in range(len(made)):
                yield replace(plan, expressions=_without(made, i), names=_without(plan.names, i))
        case Over(functions=made) if len(made) > 1:
            for i in range(len(made)):
                yield replace(plan, functions=_without(made, i), names=_without(plan.names, i))


def _without(items: Sequence[T], i: int) -> tuple[T, ...]:
    return (*items[:i], *items[i + 1 :])
