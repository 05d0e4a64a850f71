"""Temporal aggregation: the value of every aggregate over each group, for as long as the group does not change.

Every aggregate is exact: sums are rounded once, whatever the order in which elements enter and leave.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, assert_never

import numpy as np

from physical.aggregation.moments import paired, roots, variances
from physical.aggregation.timeline import Argument, Given, GroupTimeline, RowArgument, arguments_of
from physical.aggregation.values_there import folded, modes
from physical.columns.column import ColumnVector, from_values
from physical.kernels import aggregation_script as kernel
from physical.kernels import bits, extremes, ranks
from physical.kernels.exact import LIMB
from physical.kernels.types import Array, Ints
from semantics import Type, Value
from semantics import aggregate as agg
from semantics.value import check_int

BIT_SYMBOLS: Final = {"and": bits.AND, "or": bits.OR, "xor": bits.XOR}
MIDDLE_PICKS: Final = np.array([[1, -1, 2], [1, 0, 2]])
"""The positions (n - 1) // 2 and n // 2 in the form that `ranks.picked` takes."""


@dataclass(frozen=True)
class Segments:
    """Groups with their validity intervals, ordered by start and then by group, and the values of the aggregates."""

    group: Ints
    start: Ints
    end: Ints
    columns: tuple[ColumnVector, ...]


def aggregate_segments(
    aggregates: Sequence[agg.Aggregate],
    arguments: Sequence[Given],
    groups: Ints,
    group_count: int,
    start: Ints,
    end: Ints,
) -> Segments:
    """Aggregate each group over every interval between two of its changes; an empty group has no row.

    Elements are ordered by start, and groups are numbered from 0. Only COUNT(*) has None as its argument.
    """
    return aggregate_timeline(aggregates, arguments, GroupTimeline.of(groups, group_count, start, end))


def aggregate_timeline(
    aggregates: Sequence[agg.Aggregate], arguments: Sequence[Given], timeline: GroupTimeline
) -> Segments:
    """The same, where the order in which elements enter and leave is known already."""
    found = arguments_of(arguments, [agg.needed_of(function) for function in aggregates], timeline)
    pairs = [_apart(function, x) for function, x in zip(aggregates, found, strict=True)]
    _refuse_overflow([x for function, x in pairs if isinstance(function, agg.Sum) and function.type is Type.INT])
    columns = tuple(_aggregated(function, x) for function, x in pairs)
    return Segments(timeline.row_group, timeline.row_start, timeline.row_end, columns)


def _apart(function: agg.Aggregate, x: Argument) -> tuple[agg.Aggregate, Argument]:
    """An aggregate of distinct values as one of all values, of an argument in which each value is there once."""
    return (function.function, x.of_distinct) if isinstance(function, agg.OfDistinct) else (function, x)


def _aggregated(function: agg.Aggregate, x: Argument) -> ColumnVector:
    match function:
        case agg.CountRows() | agg.Count():
            return ColumnVector(Type.INT, x.counts)
        case agg.CountDistinct():
            return ColumnVector(Type.INT, ranks.distinct_counts(*x.followed, x.timeline.group_count, x.places[0]))
        case agg.Sum() | agg.Avg() | agg.Median() if not x.column.type.is_numeric:
            return from_values(folded(function, x), function.type)
        case agg.Sum():
            return x.result(function.type, _sums(x))
        case agg.Avg():
            return x.result(Type.FLOAT, _means(x))
        case agg.Min():
            return x.result(function.type, x.decoded(_least(x, x.codes)))
        case agg.Max() | agg.Largest(rank=1):
            return x.result(function.type, x.decoded(~_least(x, ~x.codes)))
        case agg.Largest(rank=rank):
            return x.result(function.type, x.decoded(_picked(x, np.array([[1, -rank, 1]]))[0]), at_least=rank)
        case agg.Median():
            return x.result(Type.FLOAT, _medians(x))
        case agg.Percentile():
            return _percentiles(function, x)
        case agg.Mode():
            return x.result(function.type, x.decoded(modes(x)))
        case agg.VarPop() | agg.VarSamp():
            return from_values(variances(x, int(isinstance(function, agg.VarSamp))), Type.FLOAT)
        case agg.StddevPop() | agg.StddevSamp():
            return from_values(roots(variances(x, int(isinstance(function, agg.StddevSamp)))), Type.FLOAT)
        case agg.Bitwise(symbol=symbol):
            values = bits.bitwise(*x.followed, x.timeline.group_count, x.column.values, BIT_SYMBOLS[symbol])
            return x.result(Type.INT, values)
        case agg.Paired(name=name):
            assert isinstance(x, RowArgument)
            return from_values(paired(name, x), Type.FLOAT)
        case agg.ExtremeBy(greatest=greatest):
            assert isinstance(x, RowArgument)
            return _extremes_by(x, greatest)
        case agg.UserDefined() | agg.Listed():
            return from_values(folded(function, x), function.type)
        case agg.OfDistinct():
            raise AssertionError("an aggregate of distinct values is one of all values by now")
        case _:
            assert_never(function)


def _refuse_overflow(summed: Sequence[Argument]) -> None:
    """Raise for the earliest row in which a sum does not fit into 64 bits, if there is one."""
    rows = [(kernel.first_overflow(x.int_sums[0]), x) for x in summed]
    row, x = min(((row, x) for row, x in rows if row >= 0), key=lambda found: found[0], default=(-1, None))
    if x is not None:
        values = x.column.values[x.timeline.made_of(row)].tolist()
        check_int(sum(values if x.only is None else set(values)), "SUM")


def _sums(x: Argument) -> Array:
    if x.column.type is Type.FLOAT:
        return _float_sums(x, np.empty(0, np.int64))
    high, low = x.int_sums
    return (high << 32) | low


def _means(x: Argument) -> Array:
    if x.column.type is Type.FLOAT:
        return _float_sums(x, x.counts)
    return kernel.int_means(*x.int_sums, x.counts)


def _float_sums(x: Argument, divisors: Ints) -> Array:
    bits = x.column.values.view(np.int64)
    return kernel.float_sums(*x.followed, x.timeline.group_count, bits, divisors)


def _least(x: Argument, codes: Ints) -> Ints:
    follow = extremes.least_in_queues if x.timeline.leave_in_order else extremes.least_in_heaps
    return follow(*x.followed, x.timeline.begin, codes)


def _picked(x: Argument, picks: Ints) -> Ints:
    return ranks.picked(*x.followed, x.timeline.begin, *x.places, picks)


def _medians(x: Argument) -> Array:
    lower, upper = _picked(x, MIDDLE_PICKS)
    if x.column.type is Type.FLOAT:
        return _midpoints(x.decoded(lower), x.decoded(upper))
    low = (lower & LIMB) + (upper & LIMB)
    high = (lower >> 32) + (upper >> 32) + (low >> 32)
    return kernel.int_means(high, low & LIMB, np.full(len(low), 2))


def _midpoints(a: Array, b: Array) -> Array:
    """The mean of two doubles, rounded once.

    If half of a sum is subnormal, the sum is exact. If a sum overflows, the halves are exact.
    """
    with np.errstate(all="ignore"):
        total = a + b
        return np.where(np.isfinite(total), total / 2, a / 2 + b / 2) + 0.0


def _percentiles(function: agg.Percentile, x: Argument) -> ColumnVector:
    part, whole = function.fraction.numerator, function.fraction.denominator
    if function.discrete:
        pick = [part, -1, whole] if part else [0, 0, 1]
        return x.result(function.type, x.decoded(_picked(x, np.array([pick]))[0]))
    low, high = _picked(x, np.array([[part, -part, whole], [part, whole - 1 - part, whole]]))
    ends = zip(x.values_at(low), x.values_at(high), x.counts.tolist(), strict=True)
    return from_values([_between(function.fraction, *end) for end in ends], Type.FLOAT)


def _between(fraction: Fraction, low: Value, high: Value, count: int) -> Value:
    """The number at this fraction of a row with so many values, between its neighbours."""
    return agg.rounded(agg.between(low, high, fraction * (count - 1) % 1)) if count else None


def _extremes_by(x: RowArgument, greatest: bool) -> ColumnVector:
    """What stands beside the least or greatest value of each row."""
    codes = ~_least(x, ~x.codes) if greatest else _least(x, x.codes)
    there = x.counts > 0
    found = x.columns[1].take(x.first[np.where(there, codes, 0)])
    if there.all():
        return found
    values = np.where(there, found.values, 0).astype(found.values.dtype)
    return ColumnVector(found.type, values, found.mask() & there, found.words)
