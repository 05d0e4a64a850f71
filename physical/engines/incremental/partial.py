"""Partial results of basic windows for a grouping, in columns: how they are computed and merged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from physical.columns import expressions
from physical.columns.column import ColumnVector, order_codes, taken
from physical.columns.row_numbers import row_numbers
from physical.engines.incremental.expiring_rows import ALL_USABLE, ExpiringRows
from physical.engines.incremental.partial_layout import PartialFlow, PartialLayout
from physical.kernels import partial_aggregates as kernel
from physical.kernels.types import Ints
from semantics import Expression, Type

Groups = tuple[Ints, Ints]
"""The number of the group of each row, and the first row of each group."""
Grouper = Callable[[Sequence[ColumnVector], ExpiringRows], Groups]


@dataclass(frozen=True)
class PartialResult:
    """The summary: a row per group with its keys and numbers. A detail: rows with the keys of a group and a value."""

    summary: ExpiringRows
    details: tuple[ExpiringRows, ...] = ()


def numbered(keys: Sequence[ColumnVector], length: int) -> Groups:
    """The groups of rows with these keys; without keys all rows are one group."""
    if not keys:
        return np.zeros(length, np.int64), np.zeros(min(length, 1), np.int64)
    return row_numbers(keys)


def by_lifetime(keys: Sequence[ColumnVector], rows: ExpiringRows) -> Groups:
    """Groups that also expire together."""
    if isinstance(rows.end, int):
        return numbered(keys, len(rows))
    return numbered([*keys, ColumnVector(Type.INT, rows.end)], len(rows))


def part_of(layout: PartialLayout, keys: Sequence[int], rows: ExpiringRows) -> PartialResult:
    """The partial result of a basic window."""
    own = [rows.columns[key] for key in keys]
    groups = by_lifetime(own, rows)
    arguments = _evaluated(layout, rows)
    made = [c for flow in layout.summaries for c in _made(flow, arguments.get(flow.argument), groups)]
    summary = ExpiringRows((*taken(own, groups[1]), *made), len(groups[1]), _ends(rows, groups[1]))
    details = [(flow, [arguments[argument] for argument in flow.arguments]) for flow in layout.details]
    return PartialResult(summary, tuple(_detail(flow, own, given, rows) for flow, given in details))


def _evaluated(layout: PartialLayout, rows: ExpiringRows) -> dict[Expression | None, ColumnVector]:
    """Every argument, evaluated once."""
    wanted = dict.fromkeys(x for flow in (*layout.summaries, *layout.details) for x in flow.arguments)
    return {x: expressions.evaluate(x, rows.columns, len(rows)) for x in wanted}


def _ends(rows: ExpiringRows, positions: Ints) -> Ints | int:
    return rows.end if isinstance(rows.end, int) else rows.end[positions]


def _made(flow: PartialFlow, x: ColumnVector | None, groups: Groups) -> list[ColumnVector]:
    """The columns of a summary flow, computed over the rows of each group."""
    numbers, count = groups[0], len(groups[1])
    usable = ALL_USABLE if x is None or x.valid is None else x.valid
    if flow.kind == "count":
        some = numbers if len(usable) == 0 else numbers[usable]
        return [ColumnVector(Type.INT, np.bincount(some, minlength=count).astype(np.int64, copy=False))]
    assert x is not None, "only a count has no argument"
    if flow.kind == "sum":
        return [ColumnVector(Type.INT, half) for half in kernel.sums(numbers, count, x.values, usable)]
    return [_extreme(x, numbers, count, flow.kind == "most")]


def _extreme(x: ColumnVector, numbers: Ints, count: int, most: bool) -> ColumnVector:
    """The least or the greatest value of each group, NULL if it has none."""
    codes, valid = order_codes(x)
    at = kernel.least_at(numbers, count, ~codes if most else codes, ALL_USABLE if valid is None else valid)
    if valid is None:
        return x.take(at)
    found = at >= 0
    values = np.where(found, x.values[at], 0) if len(x) else x.values[at]
    return ColumnVector(x.type, values.astype(x.values.dtype, copy=False), None if found.all() else found, x.words)


def _detail(
    flow: PartialFlow, keys: Sequence[ColumnVector], given: Sequence[ColumnVector], rows: ExpiringRows
) -> ExpiringRows:
    return _condensed(flow, ExpiringRows((*keys, *given), len(rows), rows.end), by_lifetime)


def _condensed(flow: PartialFlow, rows: ExpiringRows, group: Grouper) -> ExpiringRows:
    """The rows of a detail, reduced to those that are still needed."""
    *keys, x = rows.columns
    if flow.kind == "values":
        return rows
    if flow.kind == "best":
        return rows.take(_best(x, group(keys, rows)[0], flow.rank))
    if x.valid is not None:
        rows = rows.take(x.valid)
        *keys, x = rows.columns
    if flow.kind == "distinct":
        return rows.take(group([*keys, x], rows)[1])
    numbers, first = group(keys, rows)
    owner, values = kernel.exact_parts(numbers, len(first), x.values)
    parts = (*taken(taken(keys, first), owner), ColumnVector(Type.FLOAT, values))
    return ExpiringRows(parts, len(owner), _ends(rows, first[owner]))


def _best(x: ColumnVector, numbers: Ints, rank: int) -> Ints:
    """The positions of the `rank` largest values of each group; NULL is less than every value."""
    codes, valid = order_codes(x)
    order = np.lexsort((~codes, np.zeros(len(x)) if valid is None else ~valid, numbers))
    place = np.arange(len(order)) - np.searchsorted(numbers[order], numbers[order])
    return np.sort(order[place < rank])


def merged(layout: PartialLayout, partial: PartialResult, group: Grouper) -> PartialResult:
    """Compensation: merge the parts of each group by a sum of counts, a sum of sums, the least of the least."""
    summary = partial.summary
    keys = summary.columns[: layout.keys]
    groups = group(keys, summary)
    made = [c for flow in layout.summaries for c in _compensated(flow, layout.place(flow), summary, groups)]
    whole = ExpiringRows((*taken(keys, groups[1]), *made), len(groups[1]), _ends(summary, groups[1]))
    details = zip(layout.details, partial.details, strict=True)
    return PartialResult(whole, tuple(_condensed(flow, rows, group) for flow, rows in details))


def _compensated(flow: PartialFlow, place: int, summary: ExpiringRows, groups: Groups) -> list[ColumnVector]:
    numbers, count = groups[0], len(groups[1])
    x = summary.columns[place]
    if flow.kind in ("least", "most"):
        return [_extreme(x, numbers, count, flow.kind == "most")]
    totals = [kernel.added(numbers, count, c.values) for c in summary.columns[place : place + len(flow.types)]]
    if flow.kind == "sum":
        totals = [totals[0] + (totals[1] >> 32), totals[1] & (2**32 - 1)]
    return [ColumnVector(Type.INT, total) for total in totals]


def whatever_lifetime(keys: Sequence[ColumnVector], rows: ExpiringRows) -> Groups:
    """Groups by key alone: for a result, all parts of which are valid now."""
    return numbered(keys, len(rows))
