"""The closed union of all nodes."""

from collections.abc import Iterator
from typing import get_args

from semantics.aggregate import Aggregate
from semantics.over import FrameAggregate
from semantics.plan.across_time import Dstream, Istream, Over, Rstream
from semantics.plan.node import Node, Source
from semantics.plan.one_snapshot import Aggregation, Distinct, Filter, Grouping, Limit, Map, Unnest
from semantics.plan.two_snapshots import (
    Antijoin,
    Difference,
    FullJoin,
    Intersection,
    Join,
    LeftJoin,
    Product,
    RightJoin,
    Semijoin,
    Union,
)
from semantics.plan.windows import CountWindow, LandmarkWindow, PartitionedWindow, SessionWindow, TimeWindow

Plan = (
    Source
    | Filter
    | Map
    | Unnest
    | Distinct
    | Aggregation
    | Grouping
    | Limit
    | Union
    | Difference
    | Intersection
    | Product
    | Join
    | LeftJoin
    | RightJoin
    | FullJoin
    | Semijoin
    | Antijoin
    | TimeWindow
    | CountWindow
    | PartitionedWindow
    | LandmarkWindow
    | SessionWindow
    | Over
    | Istream
    | Dstream
    | Rstream
)
"""A query as a tree of operators: a closed union, so that type checkers see which cases are missing."""


def _hashed_once(kind: type[Node]) -> None:
    """Keep a node's hash: a subplan that is shared many times over is then hashed but once."""
    structural = kind.__hash__

    def __hash__(self: Node) -> int:  # noqa: N807  # it becomes the method
        if "_hash" not in self.__dict__:
            object.__setattr__(self, "_hash", structural(self))
        return int(self.__dict__["_hash"])

    kind.__hash__ = __hash__  # type: ignore[method-assign,assignment]  # the dataclass made one that starts anew each time


for _kind in get_args(Plan):
    _hashed_once(_kind)


def aggregates_in(plan: Plan) -> Iterator[Aggregate]:
    """All aggregates of a plan."""
    for node in plan.walk():
        yield from own_aggregates(node)


def own_aggregates(node: Plan) -> tuple[Aggregate, ...]:
    """The aggregates of the node itself: of snapshots, or of frames."""
    if isinstance(node, Over):
        return tuple(function.aggregate for function in node.functions if isinstance(function, FrameAggregate))
    return node.aggregates if isinstance(node, Aggregation | Grouping) else ()
