"""What an aggregate depends on, in numbers: where these are the same, its value is, whatever else the snapshots hold.

Snapshots are many and such numbers few: two sums are more often equal than two multisets of what is summed.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from equivalence.exhaustive.dense.counts import Counts, Mask, Rows, Shape
from semantics import Multiset, SnapeqError
from semantics.aggregate import (
    Aggregate,
    Avg,
    Count,
    CountDistinct,
    CountRows,
    Largest,
    Max,
    Median,
    Min,
    OfDistinct,
    Sum,
    order_of,
    taken,
)

ByValue = dict[Any, Counts]
"""How often each value occurs, or each row of values."""
Numbers = list[Counts]
"""Of every instant and case, none of them negative."""
_LARGEST_SUM: Final = 1 << 31
"""Sums that may be larger are not made: they could overflow."""


def statistics(function: Aggregate, rows: Rows, shape: Shape) -> Numbers:
    """Numbers that are the same only where the aggregate has the same value, or fails in the same way."""
    if isinstance(function, CountRows):
        return [_sum(rows.values(), shape)]
    try:
        values = _by_value(function, rows)
    except SnapeqError:  # who fails, and where, shows when the snapshots are aggregated
        return list(rows.values())
    return _of_values(function, values, shape)


def held(several: Iterable[Counts], shape: Shape) -> Counts:
    """1 where something occurs at all, otherwise 0."""
    found: Counts = np.zeros(shape, np.int8)
    for counts in several:
        found |= counts > 0
    return found


def _by_value(function: Aggregate, rows: Rows) -> ByValue:
    """How often each value occurs that an aggregate takes in, in the order of values."""
    found: ByValue = {}
    for row, counts in rows.items():
        for value in taken(function, Multiset([row])):
            found[value] = found[value] + counts if value in found else counts
    return {value: found[value] for value in sorted(found, key=order_of(function))}


def _of_values(function: Aggregate, values: ByValue, shape: Shape) -> Numbers:
    ascending = [*values.values()]
    match function:
        case OfDistinct(function=inner):
            return _of_values(inner, {value: (counts > 0).astype(np.int8) for value, counts in values.items()}, shape)
        case Count():
            return [_sum(ascending, shape)]
        case CountDistinct():
            return [_sum((counts > 0 for counts in ascending), shape)]
        case Sum() if (total := _total(values, shape)) is not None:
            return [total, held(ascending, shape)]
        case Avg() if (total := _total(values, shape)) is not None:
            return [total, _sum(ascending, shape)]
        case Min():
            return [_place(ascending, 0, shape)]
        case Max():
            return [_place(ascending[::-1], 0, shape)]
        case Largest(rank=rank):
            return [_place(ascending[::-1], rank - 1, shape)]
        case Median():
            number = _sum(ascending, shape)
            return [_place(ascending, middle, shape) for middle in ((number - 1) // 2, number // 2)]
        case _:
            return ascending


def _sum(several: Iterable[Counts | Mask], shape: Shape) -> Counts:
    result: Counts = np.zeros(shape, np.int64)
    for counts in several:
        result += counts
    return result


def _total(values: ByValue, shape: Shape) -> Counts | None:
    """The sum of all values, less the smallest such sum; None unless they are integers that are not too large."""
    integers = {value: counts for value, counts in values.items() if isinstance(value, int)}
    most = sum(abs(value) * int(counts.max(initial=0)) for value, counts in integers.items())
    if len(integers) < len(values) or most > _LARGEST_SUM:
        return None
    total = _sum((np.multiply(counts, value, dtype=np.int64) for value, counts in integers.items()), shape)
    total -= total.min(initial=0)
    return total


def _place(sorted_: Sequence[Counts], n: int | Counts, shape: Shape) -> Counts:
    """Which value is the nth of all occurrences, counted from 0; their number if there are fewer occurrences."""
    place: Counts = np.zeros(shape, np.int64)
    before: Counts = np.zeros(shape, np.int64)
    for counts in sorted_:
        before += counts
        place += before <= n
    return place
