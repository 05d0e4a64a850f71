"""Functions over rows in the order of time, as people type them: `bids.over(by="item", before=lag("price"))`."""

from semantics.builder.aggregate_expression import ColumnName, OverExpression, as_column, frame_of
from semantics.over import EdgeValue, NeighbourValue, RowPlace
from semantics.time import End


def lag(argument: ColumnName, distance: int = 1) -> OverExpression:
    """LAG: what the row so many places before has."""
    return OverExpression(lambda scope: NeighbourValue(as_column(argument).resolve(scope), -distance))


def lead(argument: ColumnName, distance: int = 1) -> OverExpression:
    """LEAD: what the row so many places after has."""
    return OverExpression(lambda scope: NeighbourValue(as_column(argument).resolve(scope), distance))


def first_value(argument: ColumnName, *, rows: End | None = None, range_: End | None = None) -> OverExpression:
    """FIRST_VALUE: what the first row of the frame has."""
    return OverExpression(lambda scope: EdgeValue("first", as_column(argument).resolve(scope), frame_of(rows, range_)))


def last_value(argument: ColumnName, *, rows: End | None = None, range_: End | None = None) -> OverExpression:
    """LAST_VALUE: what the last row of the frame has."""
    return OverExpression(lambda scope: EdgeValue("last", as_column(argument).resolve(scope), frame_of(rows, range_)))


def row_number() -> OverExpression:
    """ROW_NUMBER: the place of the row, from 1."""
    return OverExpression(lambda _: RowPlace("rows"))


def rank() -> OverExpression:
    """RANK: one more than the rows before it that are no peers."""
    return OverExpression(lambda _: RowPlace("rank"))


def dense_rank() -> OverExpression:
    """DENSE_RANK: how many different peers there are up to it."""
    return OverExpression(lambda _: RowPlace("dense"))
