"""The classes of operators in an incremental plan, and the class of each operator."""

from enum import StrEnum
from typing import Final, assert_never

from physical.engines.incremental.partial_layout import PartialFlow, flows_of
from semantics import Plan
from semantics import aggregate as agg
from semantics import plan as op
from semantics.aggregate import Aggregate
from semantics.notation.show_aggregate import show_aggregate
from semantics.time import FOREVER

Window = op.TimeWindow | op.CountWindow | op.PartitionedWindow | op.LandmarkWindow
Changes = op.Istream | op.Dstream
PerRow = op.Filter | op.Map | op.Rstream | op.Union
Joining = op.Product | op.Join | op.Semijoin | op.Antijoin | op.LeftJoin | op.RightJoin | op.FullJoin


class OperatorClass(StrEnum):
    """How an operator takes part in an incremental plan."""

    SPLIT = "split into basic windows"
    CUMULATIVE = "split, with one cumulative result"
    CONCATENATION = "simple concatenation"
    COMPENSATION = "concatenation plus compensation"
    EXPANSION = "expanding replication"
    SYNCHRONOUS = "synchronous replication"
    GRID = "grid of basic windows"
    GRID_COMPENSATION = "grid plus compensation"
    AFTER = "after the merge"
    CHANGES = "difference of successive results"


SPLITTING_CLASSES: Final = frozenset({OperatorClass.SPLIT, OperatorClass.CUMULATIVE, OperatorClass.CHANGES})
MERGING_CLASSES: Final = frozenset(
    set(OperatorClass) - SPLITTING_CLASSES - {OperatorClass.CONCATENATION, OperatorClass.GRID}
)
"""Operators of these classes give a new result at every slide."""

COMPENSATIONS: Final = {
    "count": "sum of counts",
    "sum": "sum of sums",
    "parts": "exact sum of exact parts",
    "least": "min of mins",
    "most": "max of maxes",
    "distinct": "distinct of distinct",
    "best": "top of tops",
    "values": "all values, aggregated after the merge",
}


def classified(plan: Plan, above_merge: bool) -> tuple[OperatorClass, str]:
    """The class of an operator, given whether its input is merged; and a description of what is done for it."""
    match plan:
        case op.Source():
            return OperatorClass.SPLIT, "one for every set of elements that come and go together"
        case op.TimeWindow() | op.CountWindow() | op.PartitionedWindow() | op.LandmarkWindow():
            return _window(plan)
        case op.Unnest() | op.Limit() | op.SessionWindow() | op.Over():
            raise AssertionError("a plan with such an operator is run by the interval algebra")
        case op.Istream() | op.Dstream():
            return OperatorClass.CHANGES, "now and an instant ago"
        case _ if above_merge:
            return OperatorClass.AFTER, "its input is merged already"
        case op.Filter() | op.Map() | op.Rstream() | op.Union():
            return OperatorClass.CONCATENATION, "each basic window by itself"
        case op.Distinct():
            return OperatorClass.COMPENSATION, "distinct of distinct"
        case op.Difference() | op.Intersection():
            return OperatorClass.COMPENSATION, "rows grouped and counted, sum of counts on either side"
        case op.Aggregation() | op.Grouping():
            return _aggregated(plan)
        case op.Product() | op.Join():
            return OperatorClass.GRID, "a slide computes the new row and the new column"
        case op.Semijoin() | op.Antijoin() | op.LeftJoin() | op.RightJoin() | op.FullJoin():
            return (
                OperatorClass.GRID_COMPENSATION,
                "a slide computes the new row and the new column; the longest of partners",
            )
        case _:
            assert_never(plan)


def _window(plan: Window) -> tuple[OperatorClass, str]:
    match plan:
        case op.LandmarkWindow():
            return OperatorClass.CUMULATIVE, "nothing expires before the next landmark"
        case op.TimeWindow(size=size) if size == FOREVER:
            return OperatorClass.CUMULATIVE, "nothing expires"
        case op.TimeWindow(size=size, slide=1):
            return OperatorClass.SPLIT, f"at most {size}, one for every instant with elements"
        case op.TimeWindow(size=size, slide=slide):
            return OperatorClass.SPLIT, _basic_windows(int(size), slide, "instants")
        case op.CountWindow(ties=True) | op.PartitionedWindow():
            return OperatorClass.SPLIT, "one for every set of rows that come and go together"
        case op.CountWindow(rows=rows, slide=slide):
            return OperatorClass.SPLIT, _basic_windows(rows, slide, "rows")
        case _:
            assert_never(plan)


def _basic_windows(size: int, slide: int, unit: str) -> str:
    """The number and size of the basic windows; if the slide does not divide the size, two sizes alternate."""
    whole, rest = divmod(size, slide)
    if whole == 0:
        return f"n = 1, of {size} {unit}"
    if rest == 0:
        return f"n = {whole}, each of {slide} {unit}"
    return f"n = {2 * whole + 1}, of {rest} and {slide - rest} {unit} by turns"


def _aggregated(plan: op.Aggregation | op.Grouping) -> tuple[OperatorClass, str]:
    flows = {flow for function in plan.aggregates for flow in flows_of(function)}
    texts = [f"{show_aggregate(a, plan.scope)} as {compensation(a)}" for a in plan.aggregates]
    return _kind(plan, flows), ", ".join(texts) or "group of groups"


def _kind(plan: op.Aggregation | op.Grouping, flows: set[PartialFlow]) -> OperatorClass:
    if any(isinstance(function, agg.Avg) for function in plan.aggregates):
        return OperatorClass.EXPANSION
    if flows and all(flow.kind == "values" for flow in flows):
        return OperatorClass.AFTER
    one_flow = len({flow.arguments for flow in flows}) <= 1 and isinstance(plan, op.Aggregation)
    return OperatorClass.COMPENSATION if one_flow else OperatorClass.SYNCHRONOUS


def compensation(function: Aggregate) -> str:
    """How the parts of an aggregate are merged."""
    total, *counts = [COMPENSATIONS[flow.kind] for flow in flows_of(function)]
    return f"{total} over {counts[0]}" if isinstance(function, agg.Avg) and counts else total
