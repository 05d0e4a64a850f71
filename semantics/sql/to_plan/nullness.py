"""Which expressions and columns are never NULL, whatever the data; declared constraints are not used."""

from typing import assert_never

from semantics import plan as op
from semantics.aggregate import COUNTS
from semantics.expression import Constant, Expression, IsDistinct, IsNull, Now, Ref
from semantics.plan import Plan


def never_null(expression: Expression, plan: Plan) -> bool:
    """Can an expression over the columns of this plan not be NULL?"""
    match expression:
        case Constant(value=value):
            return value is not None
        case Ref(index=index):
            return column_never_null(plan, index)
        case IsNull() | IsDistinct() | Now():
            return True
        case _:
            return False


def column_never_null(plan: Plan, index: int) -> bool:
    """Can the column of a plan at this position not be NULL?"""
    match plan:
        case op.Source():
            return False
        case op.Map(input=source, expressions=expressions):
            return never_null(expressions[index], source)
        case op.Aggregation(aggregates=aggregates):
            return isinstance(aggregates[index], COUNTS)
        case op.Grouping(input=source, keys=keys, aggregates=aggregates):
            if index < len(keys):
                return column_never_null(source, keys[index])
            return isinstance(aggregates[index - len(keys)], COUNTS)
        case op.Union():
            return column_never_null(plan.left, index) and column_never_null(plan.right, index)
        case op.Difference() | op.Intersection() | op.Semijoin() | op.Antijoin():
            return column_never_null(plan.left, index)
        case op.Product() | op.Join() | op.LeftJoin() | op.RightJoin() | op.FullJoin():
            return _joined_never_null(plan, index)
        case (
            op.Filter()
            | op.Limit()
            | op.Distinct()
            | op.TimeWindow()
            | op.CountWindow()
            | op.PartitionedWindow()
            | op.LandmarkWindow()
        ):
            return column_never_null(plan.input, index)
        case op.Istream() | op.Dstream() | op.Rstream():
            return column_never_null(plan.input, index)
        case op.SessionWindow():
            return index >= len(plan.input.schema) or column_never_null(plan.input, index)
        case op.Unnest():
            numbered = index == len(plan.input.schema) + 1 and not plan.outer
            return numbered or (index < len(plan.input.schema) and column_never_null(plan.input, index))
        case op.Over():
            return index < len(plan.input.schema) and column_never_null(plan.input, index)
        case _:
            assert_never(plan)


def _joined_never_null(plan: op.Product | op.Join | op.LeftJoin | op.RightJoin | op.FullJoin, index: int) -> bool:
    """Outer joins pad the side that has no partner."""
    width = len(plan.left.schema)
    if index < width:
        return not isinstance(plan, op.RightJoin | op.FullJoin) and column_never_null(plan.left, index)
    return not isinstance(plan, op.LeftJoin | op.FullJoin) and column_never_null(plan.right, index - width)
