"""The definition table on batches: what plans mean for all cases at once."""

from collections.abc import Iterable
from typing import assert_never

from equivalence.exhaustive.dense import joins, standard, windows
from equivalence.exhaustive.dense.aggregates import Aggregating
from equivalence.exhaustive.dense.counts import Batch, Rows
from equivalence.exhaustive.dense.failures import Failures
from semantics import Plan
from semantics import plan as op


def meanings(nodes: Iterable[Plan], batch: Batch, failures: Failures) -> dict[Plan, Rows]:
    """What each of these nodes means; inputs come before their consumers, as in `semantics.graph.graph`."""
    known: dict[Plan, Rows] = {}
    for node in nodes:
        known[node] = apply(node, [known[child] for child in node.inputs], batch, failures)
    return known


def apply(node: Plan, inputs: list[Rows], batch: Batch, failures: Failures) -> Rows:
    """The output of one operator for all cases."""
    match node:
        case op.Source(name=name):
            return batch.sources[name]
        case op.Filter(predicate=predicate):
            return standard.filter(failures, predicate, *inputs)
        case op.Map(expressions=expressions):
            return standard.map(failures, expressions, *inputs)
        case op.Distinct():
            return standard.distinct(*inputs)
        case op.Aggregation(aggregates=functions, on_empty=on_empty):
            return Aggregating(batch, failures).aggregation(functions, on_empty, *inputs)
        case op.Grouping(keys=keys, aggregates=functions):
            return Aggregating(batch, failures).grouping(keys, functions, *inputs)
        case op.Union():
            return standard.union(*inputs)
        case op.Difference():
            return standard.difference(*inputs)
        case op.Intersection():
            return standard.intersection(*inputs)
        case op.Product():
            return joins.product(*inputs)
        case op.Join(condition=condition):
            return joins.join(failures, condition, *inputs)
        case op.LeftJoin(condition=condition, right=right):
            return joins.left_join(failures, condition, len(right.schema), *inputs)
        case op.RightJoin(condition=condition, left=left):
            return joins.right_join(failures, condition, len(left.schema), *inputs)
        case op.FullJoin(condition=condition, left=left, right=right):
            return joins.full_join(failures, condition, (len(left.schema), len(right.schema)), *inputs)
        case op.Semijoin(condition=condition):
            return joins.semijoin(failures, condition, *inputs)
        case op.Antijoin(condition=condition):
            return joins.antijoin(failures, condition, *inputs)
        case op.TimeWindow():
            return windows.time_window(batch.shape[0], node, *inputs)
        case op.CountWindow():
            return windows.count_window(node, *inputs)
        case op.PartitionedWindow():
            return windows.partitioned_window(node, *inputs)
        case op.LandmarkWindow():
            return windows.landmark_window(batch.shape[0], node, *inputs)
        case op.Istream():
            return windows.istream(*inputs)
        case op.Dstream():
            return windows.dstream(*inputs)
        case op.Rstream():
            return inputs[0]
        case _:
            assert_never(node)
