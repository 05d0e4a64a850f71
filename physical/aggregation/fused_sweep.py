"""Temporal aggregation in one sweep, for the common aggregates; `segments` beside it handles every case.

Both give the same rows. The sweep needs no script, but it knows only ints without NULL and sums that cannot overflow:
where it does not apply it gives None, and the caller takes the general way.
"""

from collections.abc import Callable, Sequence

import numpy as np

from physical.aggregation.segments import Segments
from physical.aggregation.timeline import MAX_ELEMENTS, Given
from physical.columns.column import ColumnVector
from physical.columns.interval_bounds import Bounds, Spans, bounds
from physical.kernels import fused as kernel
from physical.kernels.extremes import leave_in_order
from physical.kernels.types import Array, Ints
from semantics import Type
from semantics.aggregate import Aggregate, Avg, Count, CountRows, Largest, Max, Min, Sum

EXTREMES = (Min, Max, Largest)


def fused_segments(
    aggregates: Sequence[Aggregate],
    arguments: Sequence[Given],
    groups: Ints,
    group_count: int,
    spans: Spans,
) -> Segments | None:
    """The same as `aggregate_segments`; None if one sweep cannot do it."""
    if len(groups) and bool((spans.end - spans.start == 1).all()):
        return _segments_of_instants(aggregates, arguments, groups, group_count, spans.start)
    return swept_segments(
        aggregates,
        arguments,
        groups,
        group_count,
        happens=lambda: bounds(np.arange(len(groups)), spans),
        in_order=lambda _: leave_in_order(groups, group_count, spans.end),
    )


def _segments_of_instants(
    aggregates: Sequence[Aggregate], arguments: Sequence[Given], groups: Ints, group_count: int, start: Ints
) -> Segments | None:
    """Elements of one instant each, as panes have them: nothing leaves a group, so they are taken in as they come."""
    values = _values(aggregates, arguments, groups)
    if values is None:
        return None
    rows = kernel.at_instants(start, groups, group_count, values, _has_extremes(aggregates))
    return Segments(*rows[:3], tuple(_column(function, rows) for function in aggregates))


def swept_segments(
    aggregates: Sequence[Aggregate],
    arguments: Sequence[Given],
    groups: Ints,
    group_count: int,
    happens: Callable[[], Bounds],
    in_order: Callable[[Ints], bool],
) -> Segments | None:
    """One sweep along the bounds; it follows extremes only if values leave their group in the order they entered.

    `happens` is called only if the sweep applies, because it may have to sort.
    """
    values, extremes = _values(aggregates, arguments, groups), _has_extremes(aggregates)
    if values is None or (extremes and not in_order(values)):
        return None
    if group_count == 1 and not extremes:
        rows = kernel.swept_alone(*happens(), values)
    else:
        begin = _begin(groups, group_count) if extremes else np.zeros(group_count + 1, np.int64)
        rows = kernel.swept(*happens(), groups, group_count, values, begin, extremes)
    return Segments(*rows[:3], tuple(_column(function, rows) for function in aggregates))


def _values(aggregates: Sequence[Aggregate], arguments: Sequence[Given], groups: Ints) -> Ints | None:
    """What is summed up; None if that is more than one argument, or if one sweep cannot do it."""
    given = {id(column): column for column in arguments if isinstance(column, ColumnVector)}
    if len(given) > 1 or not all(_simple(function) for function in aggregates) or len(groups) >= MAX_ELEMENTS:
        return None
    return next((_safe(column) for column in given.values()), groups)


def _has_extremes(aggregates: Sequence[Aggregate]) -> bool:
    return any(isinstance(function, EXTREMES) for function in aggregates)


def _simple(function: Aggregate) -> bool:
    """Is it an aggregate that the sweep computes?"""
    return isinstance(function, CountRows | Count | Sum | Avg | Min | Max) or (
        isinstance(function, Largest) and function.rank == 1
    )


def _safe(column: ColumnVector) -> Ints | None:
    """The values, if they are ints without NULL and no sum of them can overflow."""
    if column.type is not Type.INT or column.valid is not None:
        return None
    values: Ints = column.values
    largest = max(-int(values.min(initial=0)), int(values.max(initial=0)))
    return values if largest * len(values) < 2**62 else None


def _begin(groups: Ints, group_count: int) -> Ints:
    """Where each group begins if all groups are laid end to end, and where the last one ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(groups, minlength=group_count))])


def _means(total: Ints, size: Ints) -> Array:
    """The mean of each row, rounded once: of sums that are exact as floats, a division is."""
    exact = max(int(total.max(initial=0)), -int(total.min(initial=0))) < 2**53
    return total / size if exact else kernel.means(total, size)


def _column(function: Aggregate, rows: kernel.Rows) -> ColumnVector:
    _, _, _, size, total, least, greatest = rows
    match function:
        case CountRows() | Count():
            return ColumnVector(Type.INT, size)
        case Sum():
            return ColumnVector(Type.INT, total)
        case Avg():
            return ColumnVector(Type.FLOAT, _means(total, size))
        case Min():
            return ColumnVector(Type.INT, least)
        case _:
            return ColumnVector(Type.INT, greatest)
