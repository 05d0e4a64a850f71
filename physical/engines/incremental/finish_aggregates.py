"""The values of aggregates from merged partial results."""

from collections.abc import Sequence

import numpy as np

from physical.aggregation.segments import aggregate_segments
from physical.aggregation.timeline import given_of
from physical.columns.column import ColumnVector, concatenated
from physical.engines.incremental.expiring_rows import ExpiringRows
from physical.engines.incremental.partial import PartialResult, numbered
from physical.engines.incremental.partial_layout import PartialFlow, PartialLayout, flows_of
from physical.kernels.aggregation_script import first_overflow, int_means
from physical.kernels.partial_aggregates import exact_sums
from physical.kernels.types import Ints
from semantics import Type
from semantics import aggregate as agg
from semantics.aggregate import Aggregate
from semantics.value import check_int


def finished(layout: PartialLayout, aggregates: Sequence[Aggregate], partial: PartialResult) -> list[ColumnVector]:
    """The value of each aggregate for each group of a merged partial result."""
    groups = [_groups_of(partial.summary, rows, layout.keys) for rows in partial.details]
    return [_value(function, layout, partial, groups) for function in aggregates]


def _groups_of(summary: ExpiringRows, rows: ExpiringRows, keys: int) -> Ints:
    """The number of the group of each row of a detail, which is the group's position in the summary."""
    both = [concatenated(pair) for pair in zip(summary.columns[:keys], rows.columns[:keys], strict=True)]
    return numbered(both, len(summary) + len(rows))[0][len(summary) :]


def _value(function: Aggregate, layout: PartialLayout, partial: PartialResult, groups: Sequence[Ints]) -> ColumnVector:
    flow, *others = flows_of(function)
    if not flow.is_detail:
        return _of_summary(function, layout, partial.summary)
    at = layout.details.index(flow)
    columns = partial.details[at].columns[layout.keys :]
    x, own, count = columns[0], groups[at], len(partial.summary)
    if flow.kind == "distinct":
        return ColumnVector(Type.INT, np.bincount(own, minlength=count).astype(np.int64, copy=False))
    if flow.kind == "parts":
        counts = _numbers(layout, others[0], partial.summary)[0]
        divisors = counts if isinstance(function, agg.Avg) else np.ones(count, np.int64)
        return _not_null(ColumnVector(Type.FLOAT, exact_sums(own, count, x.values.view(np.int64), divisors)), counts)
    instant = np.zeros(len(own), np.int64)
    return aggregate_segments([function], [given_of(columns)], own, count, instant, instant + 1).columns[0]


def _of_summary(function: Aggregate, layout: PartialLayout, summary: ExpiringRows) -> ColumnVector:
    flow, *others = flows_of(function)
    if flow.kind != "sum":
        return summary.columns[layout.place(flow)]
    high, low = _numbers(layout, flow, summary)
    counts = _numbers(layout, others[0], summary)[0]
    if isinstance(function, agg.Avg):
        return _not_null(ColumnVector(Type.FLOAT, int_means(high, low, counts)), counts)
    return _not_null(_whole(high, low), counts)


def _numbers(layout: PartialLayout, flow: PartialFlow, summary: ExpiringRows) -> list[Ints]:
    place = layout.place(flow)
    return [column.values for column in summary.columns[place : place + len(flow.types)]]


def _whole(high: Ints, low: Ints) -> ColumnVector:
    bad = first_overflow(high)
    if bad >= 0:
        check_int((int(high[bad]) << 32) + int(low[bad]), "SUM")
    return ColumnVector(Type.INT, (high << 32) | low)


def _not_null(column: ColumnVector, counts: Ints) -> ColumnVector:
    """The column, NULL where nothing was counted; those values are 0 already."""
    some = counts > 0
    return column if some.all() else ColumnVector(column.type, column.values, some)
