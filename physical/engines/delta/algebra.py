"""The algebra of signed elements: the operator for each physical node, and whole streams through them."""

from collections.abc import Mapping
from functools import partial
from typing import Final, assert_never

import physical.engines.interval.algebra as interval
from physical.engines.delta.aggregation import DeltaAggregation
from physical.engines.delta.count_window import DeltaCountWindow
from physical.engines.delta.delta_stream import DeltaStream, joined
from physical.engines.delta.expiring_windows import DeltaNowWindow, DeltaSource, DeltaWindow
from physical.engines.delta.join import DeltaJoin, DeltaSemijoin
from physical.engines.delta.planning import delta_plan
from physical.engines.delta.set_operations import DeltaChanges, DeltaSetOperation
from physical.engines.delta.stateless import DeltaFilter, DeltaMap, DeltaUnion
from physical.engines.delta.to_intervals import DeltaSplit, DeltaToIntervals
from physical.planning.planner import PhysicalNode
from physical.runtime.operator import AnyOperator
from physical.runtime.operator_graph import Algebra, OperatorGraph
from physical.runtime.run_whole import AnyStream, run_through
from semantics import Plan, Unsupported
from semantics import plan as op
from semantics.evaluate import Planned


def run_deltas(query: Planned, sources: Mapping[str, AnyStream], horizon: int | None = None) -> DeltaStream:
    """The result of a plan as signed elements, up to the horizon and including it.

    >>> from semantics import parse, parse_plan
    >>> plan = parse_plan("S(x int) | window(range 2) | distinct")
    >>> run_deltas(plan, {"S": parse("raw(x int): (7)@0 (7)@1")}).to_elements()
    [('+', (7,), 0), ('-', (7,), 3)]
    """
    results = [DeltaStream.empty(query.plan.schema)]
    run_through(DELTA_ALGEBRA, query, sources, horizon, results.append)
    return joined(results)


def operator(node: PhysicalNode, horizon: int) -> AnyOperator:
    """A new operator in its initial state; on occurrences it is the operator of the interval engine."""
    if node.kind == "operator" and isinstance(node.logical, LACKING):
        what = node.logical.operator
        raise Unsupported(f"delta: there is no {what} over signed elements; the interval engine has it")
    match node.kind:
        case "split":
            return DeltaSplit(node.logical.schema, horizon)
        case "now":
            return DeltaNowWindow(node.logical.schema)
        case "intervals":
            return DeltaToIntervals(node.logical.schema)
        case "coalesce" | "cut" | "sample":
            raise AssertionError("the planner places coalesce, cut and sample among intervals only")
        case "source" | "operator" | "stage":
            gives_occurrences = node.chronons and not isinstance(node.logical, op.Istream | op.Dstream)
            return interval.operator(node, horizon) if gives_occurrences else _signed(node.logical)
        case _:
            assert_never(node.kind)


LACKING: Final = (op.Unnest, op.Limit, op.SessionWindow, op.Over)


def _signed(plan: Plan) -> AnyOperator:
    match plan:
        case op.Source(name=name, schema=schema):
            return DeltaSource(name, schema)
        case op.Union() | op.Rstream():
            return DeltaUnion(plan)
        case op.Filter():
            return DeltaFilter(plan)
        case op.Map():
            return DeltaMap(plan)
        case op.Product() | op.Join() | op.LeftJoin() | op.RightJoin() | op.FullJoin():
            return DeltaJoin(plan)
        case op.Semijoin() | op.Antijoin():
            return DeltaSemijoin(plan)
        case op.Distinct() | op.Difference() | op.Intersection():
            return DeltaSetOperation(plan)
        case op.Istream() | op.Dstream():
            return DeltaChanges(plan)
        case op.Aggregation() | op.Grouping():
            return DeltaAggregation(plan)
        case op.Unnest() | op.Limit() | op.SessionWindow() | op.Over():
            raise AssertionError("it was refused before")
        case op.TimeWindow() | op.LandmarkWindow():
            return DeltaWindow(plan)
        case op.CountWindow() | op.PartitionedWindow():
            return DeltaCountWindow(plan)
        case _:
            assert_never(plan)


def ending_in_intervals(plan: Plan, chronon_sources: frozenset[str]) -> PhysicalNode:
    """A plan over signed elements that makes intervals of them at the end."""
    signed = delta_plan(plan, chronon_sources)
    return signed.inputs[0] if signed.kind == "now" else PhysicalNode("intervals", plan, (signed,))


DELTA_ALGEBRA: Final = Algebra(delta_plan, operator)
DELTA_TO_INTERVAL_ALGEBRA: Final = Algebra(ending_in_intervals, operator)

delta_graph: Final = partial(OperatorGraph, DELTA_ALGEBRA)
"""A graph of operators on signed elements; its results are signed, too."""
