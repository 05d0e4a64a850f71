"""OVER over all snapshots: rows in the order of their instants, then in the declared order, then by their values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, assert_never

from semantics import Expression
from semantics.aggregate import Aggregate
from semantics.ordering import Ranking
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.plan import Over
from semantics.time import FOREVER

PLACES: Final[Mapping[Ranking, str]] = {"rows": "row_number()", "rank": "rank()", "dense": "dense_rank()"}


def can_be_framed(function: OverFunction) -> bool:
    """Is the frame one that standard SQL has? One of a range cannot say which of its rows is the first or the last."""
    return not (isinstance(function, EdgeValue) and function.frame.unit == "range")


def over_columns(
    plan: Over,
    say: Callable[[Expression], str],
    aggregate: Callable[[Aggregate, str], str],
    declared: Sequence[str],
    columns: Sequence[str],
) -> list[str]:
    """What each function gives; peers are ordered as declared, and where rows count one by one by their values."""
    part = f"PARTITION BY {', '.join(f'l.c{key}' for key in plan.keys)} " if plan.keys else ""
    instant, peers = "ORDER BY l.t ASC", ", ".join(["ORDER BY l.t ASC", *declared])
    rows = ", ".join([peers, *columns])

    def framed(frame: Frame) -> str:
        return f"({part}{rows if frame.unit == 'rows' else instant} {_between(frame)})"

    def column(function: OverFunction) -> str:
        match function:
            case FrameAggregate(aggregate=of, frame=frame):
                return aggregate(of, f" OVER {framed(frame)}")
            case EdgeValue(edge=edge, argument=argument, frame=frame):
                return f"{edge}_value({say(argument)}) OVER {framed(frame)}"
            case NeighbourValue(argument=argument, distance=distance):
                word = "lag" if distance < 0 else "lead"
                return f"{word}({say(argument)}, {abs(distance)}) OVER ({part}{rows})"
            case RowPlace(ranking=ranking):
                return f"{PLACES[ranking]} OVER ({part}{rows if ranking == 'rows' else peers})"
            case _:
                assert_never(function)

    return [column(function) for function in plan.functions]


def _between(frame: Frame) -> str:
    first = "UNBOUNDED" if frame.preceding == FOREVER else str(frame.preceding)
    return f"{frame.unit.upper()} BETWEEN {first} PRECEDING AND CURRENT ROW"
