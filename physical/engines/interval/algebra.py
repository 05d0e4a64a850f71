"""The time-interval algebra: the operator for each node of a physical plan, and graphs of these operators."""

from dataclasses import replace
from functools import partial
from typing import Final, assert_never

from physical.engines.interval.aggregation import IntervalAggregation
from physical.engines.interval.count_window import IntervalCountWindow
from physical.engines.interval.cut import IntervalCut
from physical.engines.interval.forward import IntervalForward
from physical.engines.interval.join import join_operator
from physical.engines.interval.operator import IntervalOperator
from physical.engines.interval.row_operators import row_operator
from physical.engines.interval.semi_and_outer_join import IntervalOuterJoin, IntervalSemijoin
from physical.engines.interval.set_operations import IntervalChanges, IntervalDistinct, IntervalSetOperation
from physical.engines.interval.split_and_coalesce import IntervalCoalesce, IntervalSplit
from physical.engines.interval.stateless import IntervalFilter, IntervalLandmarkWindow, IntervalMap, IntervalTimeWindow
from physical.engines.interval.union import IntervalUnion
from physical.planning.coalesce import coalesced_plan
from physical.planning.planner import PhysicalNode, physical_plan
from physical.runtime.operator_graph import Algebra, OperatorGraph
from semantics import plan as op


def operator(node: PhysicalNode, horizon: int) -> IntervalOperator:
    """A new operator in its initial state; results at the horizon or later do not matter."""
    plan = node.logical
    if node.kind == "split":
        return IntervalSplit(plan.schema, horizon=horizon)
    if node.kind == "coalesce":
        return IntervalCoalesce(plan.schema)
    if node.kind == "cut":
        assert isinstance(plan, op.Filter | op.Map)
        return IntervalCut(plan, horizon)
    match plan:
        case op.Source(name=name, schema=schema):
            return IntervalForward(name, schema)
        case op.Rstream(schema=schema):
            return IntervalForward("Rstream", schema)
        case op.Filter():
            return IntervalFilter(plan)
        case op.Map():
            return IntervalMap(plan)
        case op.Union():
            return IntervalUnion(plan)
        case op.Product() | op.Join():
            return join_operator(plan)
        case op.Semijoin() | op.Antijoin():
            return IntervalSemijoin(plan)
        case op.LeftJoin() | op.RightJoin() | op.FullJoin():
            return IntervalOuterJoin(plan)
        case op.Distinct():
            return IntervalDistinct(plan)
        case op.Difference() | op.Intersection():
            return IntervalSetOperation(plan)
        case op.Istream() | op.Dstream():
            return IntervalChanges(plan)
        case op.Aggregation() | op.Grouping():
            return IntervalAggregation(plan)
        case op.TimeWindow():
            return IntervalTimeWindow(plan)
        case op.LandmarkWindow():
            return IntervalLandmarkWindow(plan)
        case op.CountWindow() | op.PartitionedWindow():
            return IntervalCountWindow(plan)
        case _:
            assert_never(plan)


INTERVAL_ALGEBRA: Final = Algebra(physical_plan, operator, row_operator, windows_in_pieces=True)

WHOLE_ALGEBRA: Final = replace(INTERVAL_ALGEBRA, plan=coalesced_plan)
"""For whole streams and files, in which rows that are adjacent are treated together."""

interval_graph: Final = partial(OperatorGraph, INTERVAL_ALGEBRA)
"""A graph whose operators are those of the time-interval algebra."""
