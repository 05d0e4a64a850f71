"""By which columns the inputs of an operator can be partitioned so that each part is computed by itself."""

from collections.abc import Sequence
from typing import assert_never

from physical.join_index.condition import Condition
from semantics import Expression, Plan
from semantics import plan as op
from semantics.expression import Ref

Keys = tuple[int, ...]
"""Positions of columns; rows that agree in them are in the same part."""

AnyJoin = op.Join | op.LeftJoin | op.RightJoin | op.FullJoin | op.Semijoin | op.Antijoin


def pushed(plan: Plan, keys: Keys) -> tuple[Keys, ...] | None:
    """The keys by which each input must be partitioned for the output to be partitioned by these keys; or None."""
    match plan:
        case op.Filter() | op.Rstream() | op.TimeWindow() | op.LandmarkWindow():
            return (keys,)
        case op.Distinct() | op.Istream() | op.Dstream():
            return (keys,)
        case op.Union() | op.Difference() | op.Intersection():
            return (keys, keys)
        case op.Unnest(input=below):
            return (keys,) if all(k < len(below.schema) for k in keys) else None
        case op.Map(expressions=expressions):
            found = _references(expressions, keys)
            return None if found is None else (found,)
        case op.Grouping(keys=groups):
            return (tuple(groups[k] for k in keys),) if all(k < len(groups) for k in keys) else None
        case (
            op.PartitionedWindow(keys=groups)
            | op.Limit(keys=groups)
            | op.SessionWindow(keys=groups)
            | op.Over(keys=groups)
        ):
            return (keys,) if set(keys) <= set(groups) else None
        case op.FullJoin():
            return None
        case op.Join() | op.LeftJoin() | op.RightJoin() | op.Semijoin() | op.Antijoin():
            return _through_join(plan, keys)
        case op.Source() | op.Aggregation() | op.CountWindow() | op.Product():
            return None
        case _:
            assert_never(plan)


def ways_apart(plan: Plan) -> list[tuple[Keys, ...]]:
    """How the inputs of a stateful operator may be partitioned, whatever the partition of its output is."""
    match plan:
        case op.Distinct() | op.Istream() | op.Dstream() | op.Difference() | op.Intersection():
            return [(keys,) * len(plan.inputs) for keys in _choices(range(len(plan.schema)))]
        case op.Grouping(keys=groups) | op.PartitionedWindow(keys=groups) | op.Limit(keys=groups):
            return [(keys,) for keys in _choices(groups)]
        case op.SessionWindow(keys=groups) | op.Over(keys=groups):
            return [(keys,) for keys in _choices(groups)]
        case _ if isinstance(plan, AnyJoin):
            pairs = equal_pairs(plan)
            chosen = [[pairs[i] for i in keys] for keys in _choices(range(len(pairs)))]
            return [(tuple(x for x, _ in way), tuple(y for _, y in way)) for way in chosen]
        case _:
            return []


def equal_pairs(plan: AnyJoin) -> tuple[tuple[int, int], ...]:
    """The pairs of columns that are equal in partners."""
    return Condition.of(plan.condition, plan.left.schema, plan.right.schema).equal_columns


def _choices(columns: Sequence[int]) -> list[Keys]:
    """All columns together, or any single one; empty if there are none."""
    found = [tuple(columns), *((column,) for column in columns)]
    return list(dict.fromkeys(keys for keys in found if keys))


def _references(expressions: Sequence[Expression], keys: Keys) -> Keys | None:
    """The input columns that a map hands on as these ones; None if it computes one of them."""
    wanted = [expressions[k] for k in keys]
    found = tuple(one.index for one in wanted if isinstance(one, Ref))
    return found if len(found) == len(wanted) else None


def _through_join(plan: AnyJoin, keys: Keys) -> tuple[Keys, ...] | None:
    """Keys of a side that is never padded with NULL, each with an equal column on the other side."""
    width, pairs = len(plan.left.schema), equal_pairs(plan)
    by_left = {x: (x, y) for x, y in pairs} if not isinstance(plan, op.RightJoin) else {}
    by_right = {width + y: (x, y) for x, y in pairs} if isinstance(plan, op.Join | op.RightJoin) else {}
    both = {**by_left, **by_right}
    if not all(k in both for k in keys):
        return None
    return tuple(both[k][0] for k in keys), tuple(both[k][1] for k in keys)
