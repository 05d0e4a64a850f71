"""Which operators of the time-interval algebra have a twin that treats small batches a row at a time."""

from collections.abc import Callable
from typing import Any, Final

from physical.engines.interval.aggregation import IntervalAggregation
from physical.engines.interval.forward import IntervalForward
from physical.engines.interval.join import IntervalEquijoin
from physical.engines.interval.row_aggregation import RowAggregation
from physical.engines.interval.row_join import RowEquijoin
from physical.engines.interval.row_stateless import (
    StatelessRows,
    filtered,
    in_landmark_window,
    in_time_window,
    mapped,
    unchanged,
)
from physical.engines.interval.row_union import RowSplit, RowUnion
from physical.engines.interval.set_operations import IntervalDistinct
from physical.engines.interval.split_and_coalesce import IntervalSplit
from physical.engines.interval.stateless import IntervalFilter, IntervalLandmarkWindow, IntervalMap, IntervalTimeWindow
from physical.engines.interval.union import IntervalUnion
from physical.kernels.types import ENDLESS
from physical.runtime.operator import AnyOperator
from physical.runtime.row_operator import RowOperator

TWINS: Final[dict[type, Callable[[Any], RowOperator[Any]]]] = {
    IntervalForward: lambda operator: StatelessRows(operator, unchanged),
    IntervalFilter: lambda operator: StatelessRows(operator, filtered(operator)),
    IntervalMap: lambda operator: StatelessRows(operator, mapped(operator)),
    IntervalTimeWindow: lambda operator: StatelessRows(operator, in_time_window(operator)),
    IntervalLandmarkWindow: lambda operator: StatelessRows(operator, in_landmark_window(operator)),
    IntervalUnion: RowUnion,
    IntervalSplit: RowSplit,
    IntervalAggregation: RowAggregation,
    IntervalDistinct: RowAggregation,
    IntervalEquijoin: RowEquijoin,
}


def row_twin(operator: AnyOperator) -> RowOperator[Any] | None:
    """The twin of an operator, if it has one; an operator of a subclass may do something else, so it has none."""
    if isinstance(operator, IntervalSplit) and (operator.length != 1 or operator.horizon != ENDLESS):
        return None
    make = TWINS.get(type(operator))
    return None if make is None else make(operator)
