"""Which expressions and columns are never NULL, whatever the data; declared constraints are not used."""

from typing import assert_never

from semantics.expression import Constant, Expression, IsDistinct, IsNull, Ref
from semantics.plan import (
    Aggregation,
    Antijoin,
    CountWindow,
    Difference,
    Distinct,
    Dstream,
    Filter,
    FullJoin,
    Grouping,
    Intersection,
    Istream,
    Join,
    LandmarkWindow,
    LeftJoin,
    Map,
    PartitionedWindow,
    Plan,
    Product,
    RightJoin,
    Rstream,
    Semijoin,
    Source,
    TimeWindow,
    Union,
)
from semantics.sql.aggregates import COUNTS


def never_null(expression: Expression, plan: Plan) -> bool:
    """Can an expression over the columns of this plan not be NULL?"""
    match expression:
        case Constant(value=value):
            return value is not None
        case Ref(index=index):
            return column_never_null(plan, index)
        case IsNull() | IsDistinct():
            return True
        case _:
            return False


def column_never_null(plan: Plan, index: int) -> bool:
    """Can the column of a plan at this position not be NULL?"""
    match plan:
        case Source():
            return False
        case Map(input=source, expressions=expressions):
            return never_null(expressions[index], source)
        case Aggregation(aggregates=aggregates):
            return isinstance(aggregates[index], COUNTS)
        case Grouping(input=source, keys=keys, aggregates=aggregates):
            if index < len(keys):
                return column_never_null(source, keys[index])
            return isinstance(aggregates[index - len(keys)], COUNTS)
        case Union():
            return column_never_null(plan.left, index) and column_never_null(plan.right, index)
        case Difference() | Intersection() | Semijoin() | Antijoin():
            return column_never_null(plan.left, index)
        case Product() | Join() | LeftJoin() | RightJoin() | FullJoin():
            return _joined_never_null(plan, index)
        case Filter() | Distinct() | TimeWindow() | CountWindow() | PartitionedWindow() | LandmarkWindow():
            return column_never_null(plan.input, index)
        case Istream() | Dstream() | Rstream():
            return column_never_null(plan.input, index)
        case _:
            assert_never(plan)


def _joined_never_null(plan: Product | Join | LeftJoin | RightJoin | FullJoin, index: int) -> bool:
    """Outer joins pad the side that has no partner."""
    width = len(plan.left.schema)
    if index < width:
        return not isinstance(plan, RightJoin | FullJoin) and column_never_null(plan.left, index)
    return not isinstance(plan, LeftJoin | FullJoin) and column_never_null(plan.right, index - width)
