"""Logical plans: a closed union of inert nodes, each checked against its inputs when it is built."""

from semantics.plan.across_time import Dstream, Istream, Over, Rstream
from semantics.plan.node import Binary, Node, Source, Unary
from semantics.plan.one_snapshot import Aggregation, Distinct, Filter, Grouping, Limit, Map, Unnest
from semantics.plan.two_snapshots import (
    Antijoin,
    Concatenation,
    Difference,
    Filtering,
    FullJoin,
    Intersection,
    Join,
    Joined,
    LeftJoin,
    Product,
    RightJoin,
    Semijoin,
    SetOperation,
    Union,
)
from semantics.plan.union import Plan, aggregates_in, own_aggregates
from semantics.plan.windows import CountWindow, LandmarkWindow, PartitionedWindow, SessionWindow, TimeWindow

__all__ = [
    "Aggregation",
    "Antijoin",
    "Binary",
    "Concatenation",
    "CountWindow",
    "Difference",
    "Distinct",
    "Dstream",
    "Filter",
    "Filtering",
    "FullJoin",
    "Grouping",
    "Intersection",
    "Istream",
    "Join",
    "Joined",
    "LandmarkWindow",
    "LeftJoin",
    "Limit",
    "Map",
    "Node",
    "Over",
    "PartitionedWindow",
    "Plan",
    "Product",
    "RightJoin",
    "Rstream",
    "Semijoin",
    "SessionWindow",
    "SetOperation",
    "Source",
    "TimeWindow",
    "Unary",
    "Union",
    "Unnest",
    "aggregates_in",
    "own_aggregates",
]
