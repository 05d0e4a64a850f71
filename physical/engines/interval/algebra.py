"""The time-interval algebra: the operator for each node of a physical plan, and graphs of these operators."""

from functools import partial
from typing import Final, assert_never

from physical.columns.stream import PhysicalStream
from physical.engines.interval.aggregation import AggregationOperator
from physical.engines.interval.count_window import RowsOperator
from physical.engines.interval.join import join_operator
from physical.engines.interval.operator import Operator, Stateless
from physical.engines.interval.semi_and_outer_join import OuterJoinOperator, PartnerOperator
from physical.engines.interval.set_operations import ChangeOperator, CountOperator, DistinctOperator
from physical.engines.interval.split_and_coalesce import SplitOperator
from physical.engines.interval.stateless import FilterOperator, LandmarkOperator, MapOperator, TimeWindowOperator
from physical.engines.interval.union import UnionOperator
from physical.planning.planner import PhysicalNode, physical_plan
from physical.runtime.graph import Algebra, OperatorGraph
from semantics import Schema
from semantics import plan as op


class Forward(Stateless):
    """Gives out what it gets: a source, or Rstream."""

    def __init__(self, name: str, schema: Schema) -> None:
        super().__init__(name, (schema,), schema)

    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        return batch.with_columns(self.schema, batch.columns)


def operator(node: PhysicalNode, horizon: int) -> Operator:
    """A new operator in its initial state; nothing at the horizon or later matters."""
    plan = node.logical
    if node.kind == "split":
        return SplitOperator(plan.schema, horizon=horizon)
    match plan:
        case op.Source(name=name, schema=schema):
            return Forward(name, schema)
        case op.Rstream(schema=schema):
            return Forward("Rstream", schema)
        case op.Filter():
            return FilterOperator(plan)
        case op.Map():
            return MapOperator(plan)
        case op.Union():
            return UnionOperator(plan)
        case op.Product() | op.Join():
            return join_operator(plan)
        case op.Semijoin() | op.Antijoin():
            return PartnerOperator(plan)
        case op.LeftJoin() | op.RightJoin() | op.FullJoin():
            return OuterJoinOperator(plan)
        case op.Distinct():
            return DistinctOperator(plan)
        case op.Difference() | op.Intersection():
            return CountOperator(plan)
        case op.Istream() | op.Dstream():
            return ChangeOperator(plan)
        case op.Aggregation() | op.Grouping():
            return AggregationOperator(plan)
        case op.TimeWindow():
            return TimeWindowOperator(plan)
        case op.LandmarkWindow():
            return LandmarkOperator(plan)
        case op.CountWindow() | op.PartitionedWindow():
            return RowsOperator(plan)
        case _:
            assert_never(plan)


INTERVAL: Final = Algebra(physical_plan, operator)

interval_graph: Final = partial(OperatorGraph, INTERVAL)
"""A graph whose operators are those of the time-interval algebra."""
