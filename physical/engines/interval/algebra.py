"""The time-interval algebra: the operator for each node of a physical plan, and graphs of these operators.

Joins, aggregates and the like are loaded when a plan needs them: a selection is computed faster than they are loaded.
"""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, assert_never

from physical.engines.interval.forward import IntervalForward
from physical.engines.interval.operator import IntervalOperator
from physical.engines.interval.split_and_coalesce import IntervalCoalesce, IntervalSplit
from physical.engines.interval.stateless import IntervalFilter, IntervalLandmarkWindow, IntervalMap, IntervalTimeWindow
from physical.engines.interval.union import IntervalUnion
from physical.planning.coalesce import coalesced_plan
from physical.planning.planner import PhysicalNode, physical_plan
from physical.runtime.operator import AnyOperator
from physical.runtime.operator_graph import Algebra, OperatorGraph
from semantics import plan as op

if TYPE_CHECKING:
    from physical.runtime.row_operator import RowOperator

    Joins = op.Product | op.Join | op.Semijoin | op.Antijoin | op.LeftJoin | op.RightJoin | op.FullJoin
    SetOperations = op.Distinct | op.Difference | op.Intersection | op.Istream | op.Dstream
    Windows = op.CountWindow | op.PartitionedWindow | op.SessionWindow | op.Over
    WithState = Joins | SetOperations | Windows | op.Aggregation | op.Grouping | op.Limit


def operator(node: PhysicalNode, horizon: int) -> IntervalOperator:
    """A new operator in its initial state; results at the horizon or later do not matter."""
    plan = node.logical
    if node.kind == "split":
        return IntervalSplit(plan.schema, horizon=horizon)
    if node.kind == "coalesce":
        return IntervalCoalesce(plan.schema)
    if node.kind == "cut":
        from physical.engines.interval.cut import IntervalCut

        assert isinstance(plan, op.Filter | op.Map)
        return IntervalCut(plan, horizon)
    if node.kind == "sample":
        from physical.engines.interval.sample import IntervalSample

        assert isinstance(plan, op.Filter)
        return IntervalSample(plan, horizon)
    match plan:
        case op.Source(name=name, schema=schema):
            return IntervalForward(name, schema)
        case op.Rstream(schema=schema):
            return IntervalForward("Rstream", schema)
        case op.Filter():
            return IntervalFilter(plan)
        case op.Map():
            return IntervalMap(plan)
        case op.Unnest():
            from physical.engines.interval.unnest import IntervalUnnest

            return IntervalUnnest(plan)
        case op.Union():
            return IntervalUnion(plan)
        case op.TimeWindow():
            return IntervalTimeWindow(plan)
        case op.LandmarkWindow():
            return IntervalLandmarkWindow(plan)
        case _:
            return _with_state(plan, horizon)


def _with_state(plan: "WithState", horizon: int) -> IntervalOperator:
    from physical.engines.interval import (
        aggregation,
        count_window,
        join,
        limit,
        over,
        semi_and_outer_join,
        session_window,
        set_operations,
    )

    match plan:
        case op.Product() | op.Join():
            return join.join_operator(plan)
        case op.Semijoin() | op.Antijoin():
            return semi_and_outer_join.IntervalSemijoin(plan)
        case op.LeftJoin() | op.RightJoin() | op.FullJoin():
            return semi_and_outer_join.IntervalOuterJoin(plan)
        case op.Distinct():
            return set_operations.IntervalDistinct(plan)
        case op.Difference() | op.Intersection():
            return set_operations.IntervalSetOperation(plan)
        case op.Istream() | op.Dstream():
            return set_operations.IntervalChanges(plan)
        case op.Aggregation() | op.Grouping():
            return aggregation.IntervalAggregation(plan)
        case op.Limit():
            return limit.IntervalLimit(plan)
        case op.CountWindow() | op.PartitionedWindow():
            return count_window.IntervalCountWindow(plan)
        case op.SessionWindow():
            return session_window.IntervalSessionWindow(plan, horizon)
        case op.Over():
            return over.IntervalOver(plan, horizon)
        case _:
            assert_never(plan)


def row_operator(operator: AnyOperator) -> "RowOperator[Any] | None":
    """The twin of an operator that treats small batches a row at a time, if it has one."""
    from physical.engines.interval.row_operators import row_twin

    return row_twin(operator)


INTERVAL_ALGEBRA: Final = Algebra(physical_plan, operator, row_operator, windows_in_pieces=True)

WHOLE_ALGEBRA: Final = replace(INTERVAL_ALGEBRA, plan=coalesced_plan)
"""For whole streams and files, in which rows that are adjacent are treated together."""

interval_graph: Final = partial(OperatorGraph, INTERVAL_ALGEBRA)
"""A graph whose operators are those of the time-interval algebra."""
