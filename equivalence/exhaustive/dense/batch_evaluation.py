"""The definition table on batches: what plans mean for all cases at once."""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

import numpy as np

from equivalence.exhaustive.dense import batch_joins, batch_limit, batch_operators, batch_windows
from equivalence.exhaustive.dense.batch_aggregation import BatchAggregation
from equivalence.exhaustive.dense.batch_over import over
from equivalence.exhaustive.dense.batch_sessions import session_window
from equivalence.exhaustive.dense.counts import CaseBatch, Counts, Rows
from equivalence.exhaustive.dense.failures import Failures
from semantics import Plan, Row, Unsupported
from semantics import plan as op
from semantics.now_in_expressions import node_at


def meanings(nodes: Iterable[Plan], batch: CaseBatch, failures: Failures) -> dict[Plan, Rows]:
    """What each of these nodes means; inputs come before their consumers, as in `semantics.graph.graph`."""
    known: dict[Plan, Rows] = {}
    for node in nodes:
        known[node] = apply(node, [known[child] for child in node.inputs], batch, failures)
    return known


def _instant_by_instant(node: Plan, inputs: list[Rows], batch: CaseBatch, failures: Failures) -> Rows:
    """Snapshot by snapshot, the instant in the place of `now`."""
    result: dict[Row, Counts] = {}
    for place, t in enumerate(batch.instants):
        here = slice(place, place + 1)
        alone = replace(batch, shape=(1, batch.shape[1]), moments=(t,))
        held: list[Rows] = [{row: counts[here] for row, counts in rows.items()} for rows in inputs]
        for row, counts in apply(node_at(node, t), held, alone, failures).items():
            result.setdefault(row, np.zeros(batch.shape, batch.width))[here] = counts
    return result


def apply(node: Plan, inputs: list[Rows], batch: CaseBatch, failures: Failures) -> Rows:
    """The output of one operator for all cases."""
    if node.mentions_now:
        return _instant_by_instant(node, inputs, batch, failures)
    match node:
        case op.Source(name=name):
            return batch.sources[name]
        case op.Filter(predicate=predicate):
            return batch_operators.filter(failures, predicate, *inputs)
        case op.Map(expressions=expressions):
            return batch_operators.map(failures, expressions, *inputs)
        case op.Unnest(array=array, numbered=numbered, outer=outer):
            return batch_operators.unnest(failures, array, numbered, outer, *inputs)
        case op.Distinct():
            return batch_operators.distinct(*inputs)
        case op.Aggregation(aggregates=functions, on_empty=on_empty):
            return BatchAggregation(batch, failures).aggregation(functions, on_empty, *inputs)
        case op.Grouping(keys=keys, aggregates=functions):
            return BatchAggregation(batch, failures).grouping(keys, functions, *inputs)
        case op.Limit():
            return batch_limit.limit(node, *inputs)
        case op.Union():
            return batch_operators.union(*inputs)
        case op.Difference():
            return batch_operators.difference(*inputs)
        case op.Intersection():
            return batch_operators.intersection(*inputs)
        case op.Product():
            return batch_joins.product(*inputs)
        case op.Join(condition=condition):
            return batch_joins.join(failures, condition, *inputs)
        case op.LeftJoin(condition=condition, right=right):
            return batch_joins.left_join(failures, condition, len(right.schema), *inputs)
        case op.RightJoin(condition=condition, left=left):
            return batch_joins.right_join(failures, condition, len(left.schema), *inputs)
        case op.FullJoin(condition=condition, left=left, right=right):
            return batch_joins.full_join(failures, condition, (len(left.schema), len(right.schema)), *inputs)
        case op.Semijoin(condition=condition):
            return batch_joins.semijoin(failures, condition, *inputs)
        case op.Antijoin(condition=condition):
            return batch_joins.antijoin(failures, condition, *inputs)
        case op.TimeWindow():
            return batch_windows.time_window(batch.instants, node, *inputs)
        case op.CountWindow():
            return batch_windows.count_window(node, *inputs)
        case op.PartitionedWindow():
            return batch_windows.partitioned_window(node, *inputs)
        case op.LandmarkWindow():
            return batch_windows.landmark_window(batch.instants, node, *inputs)
        case op.SessionWindow() | op.Over() if batch.moments is not None:
            raise Unsupported(f"exhaust: {node.operator} needs every instant")
        case op.SessionWindow():
            return session_window(node, batch, *inputs)
        case op.Over():
            return over(node, batch, failures, *inputs)
        case op.Istream():
            return batch_windows.istream(*inputs)
        case op.Dstream():
            return batch_windows.dstream(*inputs)
        case op.Rstream():
            return inputs[0]
        case _:
            assert_never(node)
