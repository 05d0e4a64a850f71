"""Functions over the rows of a group in the order of time: what OVER computes for each row."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar, Literal, assert_never

from semantics.aggregate import Aggregate, aggregate, arguments_of
from semantics.dataclass_on_use import dataclass
from semantics.errors import WindowError
from semantics.expression import Expression, evaluate
from semantics.multiset import Multiset
from semantics.ordering import Ranking, SortKey, in_order
from semantics.time import FOREVER, End, Instant
from semantics.value import NULL, Row, Type, Value, identical_row
from semantics.whole_numbers import is_whole

Occurrence = tuple[Instant, Row]
"""A row at one instant."""


@dataclass(frozen=True)
class Frame:
    """The rows that a function sees: its own and so many before it, or all of its instant and of so many before."""

    unit: Literal["rows", "range"]
    preceding: End = FOREVER

    def __post_init__(self) -> None:
        whole = is_whole(self.preceding) and self.preceding >= 0
        if self.unit not in ("rows", "range") or not (whole or self.preceding == FOREVER):
            raise WindowError(f"Over: a frame is of rows or range, 0 or more preceding, got {self}")

    def of(self, group: Sequence[Occurrence], i: int) -> range:
        """The places of the rows that the function sees at the row at place i."""
        t = group[i][0]
        if self.unit == "rows":
            return range(int(max(i - self.preceding, 0)), i + 1)
        first = bisect_left(group, t - self.preceding, key=_instant)
        return range(first, bisect_right(group, t, key=_instant))


def _instant(occurrence: Occurrence) -> Instant:
    return occurrence[0]


@dataclass(frozen=True)
class FrameAggregate:
    """An aggregate of the rows of the frame."""

    aggregate: Aggregate
    frame: Frame

    @property
    def type(self) -> Type:
        return self.aggregate.type

    @property
    def arguments(self) -> tuple[Expression, ...]:
        return arguments_of(self.aggregate)


@dataclass(frozen=True)
class EdgeValue:
    """FIRST_VALUE or LAST_VALUE: what the first or the last row of the frame has."""

    edge: Literal["first", "last"]
    argument: Expression
    frame: Frame

    @property
    def arguments(self) -> tuple[Expression, ...]:
        return (self.argument,)

    @property
    def type(self) -> Type:
        return self.argument.type


@dataclass(frozen=True)
class NeighbourValue:
    """LAG (a negative distance) or LEAD: what the row so many places further has; NULL if there is none."""

    argument: Expression
    distance: int

    def __post_init__(self) -> None:
        if type(self.distance) is not int or not 0 < abs(self.distance) < 2**63:
            raise WindowError(f"Over: LAG and LEAD go by an integer ≥ 1, got {self.distance!r}")

    @property
    def arguments(self) -> tuple[Expression, ...]:
        return (self.argument,)

    @property
    def type(self) -> Type:
        return self.argument.type


@dataclass(frozen=True)
class RowPlace:
    """ROW_NUMBER, RANK or DENSE_RANK: the place of the row among all so far, from 1.

    Peers have the same instant and the same values in the declared order.
    """

    ranking: Ranking
    arguments: ClassVar[tuple[Expression, ...]] = ()
    type: ClassVar[Type] = Type.INT


OverFunction = FrameAggregate | EdgeValue | NeighbourValue | RowPlace


def in_time_order(order: Sequence[SortKey], occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """By instant, then in the declared order, then by the order on rows."""
    by_time = groupby(sorted(occurrences, key=lambda occurrence: occurrence[0]), key=lambda occurrence: occurrence[0])
    return [(t, row) for t, members in by_time for row in in_order(order, [row for _, row in members])]


def values_of(function: OverFunction, order: Sequence[SortKey], group: Sequence[Occurrence]) -> list[Value]:
    """What a function gives for each row of a group, which is in the order of time.

    >>> from semantics.expression import Ref
    >>> group = [(3, (7,)), (5, (8,)), (5, (9,))]
    >>> values_of(NeighbourValue(Ref(0, Type.INT), -1), [], group)
    [None, 7, 8]
    >>> values_of(EdgeValue("last", Ref(0, Type.INT), Frame("range")), [], group)
    [7, 9, 9]
    """
    places = range(len(group))
    match function:
        case FrameAggregate(aggregate=of, frame=frame):
            frames = [frame.of(group, i) for i in places]
            seen = {frame: aggregate(of, Multiset(group[j][1] for j in frame)) for frame in dict.fromkeys(frames)}
            return [seen[frame] for frame in frames]
        case EdgeValue(edge=edge, argument=argument, frame=frame):
            edges = [frame.of(group, i)[0 if edge == "first" else -1] for i in places]
            return [evaluate(argument, group[i][1]) for i in edges]
        case NeighbourValue(argument=argument, distance=distance):
            others = [i + distance for i in places]
            return [evaluate(argument, group[i][1]) if i in places else NULL for i in others]
        case RowPlace(ranking=ranking):
            peers = [(t, *identical_row(tuple(row[key.column] for key in order))) for t, row in group]
            return [_place(ranking, peers, i) for i in places]
        case _:
            assert_never(function)


def _place(ranking: Ranking, peers: Sequence[Row], i: int) -> int:
    match ranking:
        case "rows":
            return i + 1
        case "rank":
            return peers.index(peers[i]) + 1
        case "dense":
            return len(set(peers[: i + 1]))
        case _:
            assert_never(ranking)
