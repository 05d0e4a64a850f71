"""Functions of OVER, chosen at random."""

from collections.abc import Callable
from typing import Final, Literal

from equivalence.cases.choices import Choices
from equivalence.cases.random_aggregates import choose_aggregate
from semantics import FOREVER, Scope
from semantics.expression import Ref
from semantics.ordering import Ranking
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace

PRECEDING: Final = (0, 1, 2, 3, FOREVER)
UNITS: Final[tuple[Literal["rows", "range"], ...]] = ("rows", "range")
EDGES: Final[tuple[Literal["first", "last"], ...]] = ("first", "last")
RANKINGS: Final[tuple[Ranking, ...]] = ("rows", "rank", "dense")


def choose_over(choices: Choices, scope: Scope) -> OverFunction:
    """A function over the rows of a scope; aggregates and neighbours more often than others."""
    kinds: tuple[Callable[[], OverFunction], ...] = (
        lambda: FrameAggregate(choose_aggregate(choices, scope, awkward=False), choose_frame(choices)),
        lambda: NeighbourValue(_column(choices, scope), choices.of((-1, -2, -1, 1, 2))),
        lambda: EdgeValue(choices.of(EDGES), _column(choices, scope), choose_frame(choices)),
        lambda: RowPlace(choices.of(RANKINGS)),
    )
    return choices.of((kinds[0], kinds[0], *kinds[1:]))()


def choose_frame(choices: Choices) -> Frame:
    return Frame(choices.of(UNITS), choices.of(PRECEDING))


def _column(choices: Choices, scope: Scope) -> Ref:
    position = choices.below(len(scope.types))
    return Ref(position, scope.types[position])
