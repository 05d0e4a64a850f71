"""Temporal aggregation: the value of every aggregate over each group, for as long as the group does not change.

Every aggregate is exact: sums are rounded once, whatever the order in which elements enter and leave.
"""

import math
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, assert_never

import numpy as np

from physical.columns.column import DTYPES, ColumnVector, from_values, order_codes
from physical.kernels import aggregation_script as kernel
from physical.kernels import extremes, ranks
from physical.kernels.aggregation_script import ENTER, READ
from physical.kernels.exact import LIMB
from physical.kernels.multiplicity import bucketed
from physical.kernels.types import ENDLESS, Array, Bools, Ints
from semantics import StreamError, Type, Value
from semantics import aggregate as agg
from semantics.value import NAN, check_int

MAX_ELEMENTS: Final = 2**30
"""Exact sums hold fewer values than this: with more, a limb could overflow (see `physical.kernels.exact`)."""

MIDDLE_PICKS: Final = np.array([[1, -1], [1, 0]])
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
    arguments: Sequence[ColumnVector | None],
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
    aggregates: Sequence[agg.Aggregate], arguments: Sequence[ColumnVector | None], timeline: "GroupTimeline"
) -> Segments:
    """The same, where the order in which elements enter and leave is known already."""
    known = {id(column): Argument(column, timeline) for column in arguments}
    pairs = [(function, known[id(column)]) for function, column in zip(aggregates, arguments, strict=True)]
    _refuse_overflow([x for function, x in pairs if isinstance(function, agg.Sum) and function.type is Type.INT])
    columns = tuple(_aggregated(function, x) for function, x in pairs)
    return Segments(timeline.row_group, timeline.row_start, timeline.row_end, columns)


@dataclass(frozen=True)
class GroupTimeline:
    """The elements, the script by which they enter and leave their groups, and the rows that the script reads."""

    groups: Ints
    group_count: int
    start: Ints
    end: Ints
    script: Ints
    row_group: Ints
    row_start: Ints
    row_end: Ints

    @classmethod
    def of(cls, groups: Ints, group_count: int, start: Ints, end: Ints) -> "GroupTimeline":
        if len(start) >= MAX_ELEMENTS:
            raise StreamError(f"aggregation: expected fewer than {MAX_ELEMENTS} elements, got {len(start)}")
        departures = np.argsort(end, kind="stable")[: np.count_nonzero(end < ENDLESS)]
        return cls(groups, group_count, start, end, *kernel.scripted(groups, group_count, start, end, departures))

    @cached_property
    def begin(self) -> Ints:
        """Where each group begins if all groups are laid end to end, and where the last one ends."""
        sizes = np.bincount(self.groups, minlength=self.group_count)
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])

    @cached_property
    def leave_in_order(self) -> bool:
        return extremes.leave_in_order(self.groups, self.group_count, self.end)

    def made_of(self, row: int) -> Bools:
        """Which elements a row was computed from."""
        t = self.row_start[row]
        return np.asarray((self.groups == self.row_group[row]) & (self.start <= t) & (t < self.end))


@dataclass(frozen=True)
class Argument:
    """The argument of an aggregate; what several aggregates of one argument need is computed once."""

    given: ColumnVector | None
    timeline: GroupTimeline

    @property
    def column(self) -> ColumnVector:
        assert self.given is not None, "only COUNT(*) has no argument"
        return self.given

    @cached_property
    def script(self) -> Ints:
        if self.given is None or self.given.valid is None:
            return self.timeline.script
        return kernel.without_nulls(self.timeline.script, self.given.valid)

    @property
    def followed(self) -> tuple[Ints, Ints, Ints]:
        """The first three parameters of every kernel."""
        return self.script, self.timeline.groups, self.timeline.row_group

    @cached_property
    def counts(self) -> Ints:
        return kernel.counts(*self.followed, self.timeline.group_count)

    @cached_property
    def int_sums(self) -> tuple[Ints, Ints]:
        return kernel.int_sums(*self.followed, self.timeline.group_count, self.column.values)

    @cached_property
    def codes(self) -> Ints:
        return order_codes(self.column)[0]

    @cached_property
    def places(self) -> tuple[Ints, Ints, Ints]:
        """The places that `ranks.placed` gives; NULL has a place too, but never enters."""
        by_code = np.argsort(self.codes)
        order = by_code[bucketed(self.timeline.groups[by_code], self.timeline.group_count)[0]]
        return ranks.placed(self.timeline.groups, self.timeline.begin, self.codes, order)

    def decoded(self, codes: Ints) -> Array:
        """The values that codes stand for."""
        if self.column.type is Type.FLOAT:
            return np.where(codes < 0, np.int64(-(2**63)) - codes - 1, codes).view(np.float64)
        return codes.astype(DTYPES[self.column.type], copy=False)

    def result(self, type_: Type, values: Array, at_least: int = 1) -> ColumnVector:
        """A column of new values, NULL in rows that have too few values."""
        words = self.column.words if type_ is Type.STR else None
        if at_least == 1 and self.column.valid is None:
            return ColumnVector(type_, values, None, words)
        valid = self.counts >= at_least
        values[~valid] = 0
        return ColumnVector(type_, values, None if valid.all() else valid, words)


def _aggregated(function: agg.Aggregate, x: Argument) -> ColumnVector:
    match function:
        case agg.CountRows() | agg.Count():
            return ColumnVector(Type.INT, x.counts)
        case agg.CountDistinct():
            return ColumnVector(Type.INT, ranks.distinct_counts(*x.followed, x.timeline.group_count, x.places[0]))
        case agg.Sum():
            return x.result(function.type, _sums(x))
        case agg.Avg():
            return x.result(Type.FLOAT, _means(x))
        case agg.Min():
            return x.result(function.type, x.decoded(_least(x, x.codes)))
        case agg.Max() | agg.Largest(rank=1):
            return x.result(function.type, x.decoded(~_least(x, ~x.codes)))
        case agg.Largest(rank=rank):
            return x.result(function.type, x.decoded(_picked(x, np.array([[2, -2 * rank]]))[0]), at_least=rank)
        case agg.Median():
            return x.result(Type.FLOAT, _medians(x))
        case agg.VarPop():
            return from_values(_variances(x), Type.FLOAT)
        case agg.StddevPop():
            return from_values([v if v is None else math.sqrt(v) for v in _variances(x)], Type.FLOAT)
        case agg.UserDefined():
            return from_values(_folded(function, x), function.type)
        case _:
            assert_never(function)


def _refuse_overflow(summed: Sequence[Argument]) -> None:
    """Raise for the earliest row in which a sum does not fit into 64 bits, if there is one."""
    rows = [(kernel.first_overflow(x.int_sums[0]), x) for x in summed]
    row, x = min(((row, x) for row, x in rows if row >= 0), key=lambda found: found[0], default=(-1, None))
    if x is not None:
        check_int(sum(x.column.values[x.timeline.made_of(row)].tolist()), "SUM")


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


@dataclass(slots=True)
class Moments:
    """How many values there are, how many of them are not finite, and the sum and sum of squares of the finite ones."""

    count: int = 0
    specials: int = 0
    sum: int = 0
    squares: int = 0

    def change(self, number: int | None, sign: int) -> None:
        self.count += sign
        if number is None:
            self.specials += sign
        else:
            self.sum += sign * number
            self.squares += sign * number * number

    def variance(self, unit: int) -> float | None:
        """The exact population variance of the numbers divided by the unit, rounded once."""
        if self.count == 0:
            return None
        if self.specials:
            return NAN
        try:
            return (self.count * self.squares - self.sum**2) / (self.count * unit) ** 2
        except OverflowError:
            return math.inf


def _variances(x: Argument) -> list[float | None]:
    numbers, unit = _scaled(x.column)
    groups, row_group = x.timeline.groups.tolist(), x.timeline.row_group.tolist()
    moments = [Moments() for _ in range(x.timeline.group_count)]
    variances = []
    for step in x.script.tolist():
        i, what = step >> 2, step & 3
        if what == READ:
            variances.append(moments[row_group[i]].variance(unit))
        else:
            moments[groups[i]].change(numbers[i], 1 - 2 * what)
    return variances


def _scaled(column: ColumnVector) -> tuple[list[int | None], int]:
    """The values as ints over a common denominator, a power of two; None stands for NaN and the infinities."""
    ratios = [value.as_integer_ratio() if math.isfinite(value) else None for value in column.values.tolist()]
    unit = max((ratio[1] for ratio in ratios if ratio), default=1)
    return [ratio and ratio[0] * (unit // ratio[1]) for ratio in ratios], unit


def _folded(function: agg.UserDefined, x: Argument) -> list[Value]:
    """The aggregate of each row by its definition: a user's function sees all values, in order."""
    place, code_at, _ = x.places
    values = ColumnVector(x.column.type, x.decoded(code_at), None, x.column.words).to_values()
    places, groups, row_group = place.tolist(), x.timeline.groups.tolist(), x.timeline.row_group.tolist()
    present: list[list[int]] = [[] for _ in range(x.timeline.group_count)]
    results = []
    for step in x.script.tolist():
        i, what = step >> 2, step & 3
        if what == READ:
            results.append(agg.aggregate_values(function, [values[p] for p in present[row_group[i]]]))
        elif what == ENTER:
            insort(present[groups[i]], places[i])
        else:
            del present[groups[i]][bisect_left(present[groups[i]], places[i])]
    return results
