"""Bugs that need elements of one key that end one after the other, and another that comes alone in between.

Each changes a method of an operator of the interval engine, for as long as a test runs.
"""

from collections.abc import Callable, Mapping
from heapq import heappop
from typing import Any

import numpy as np

from physical.aggregation import running
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval import row_aggregation, row_join
from physical.engines.interval.count_window import IntervalCountWindow
from physical.engines.interval.semi_and_outer_join import IntervalOuterJoin, IntervalSemijoin
from physical.engines.interval.set_operations import IntervalChanges, IntervalDistinct, IntervalSetOperation
from physical.engines.interval.slice_by_slice import SlicedOperator
from semantics import Plan
from semantics import plan as op

Patch = tuple[type, str, Callable[..., Any]]


def dropped_early(self: row_join.KeyedElements, t: int) -> None:
    """When an element goes, those of its key that end an instant later go too."""
    while self._ends and self._ends[0][0] <= t:
        key = heappop(self._ends)[2]
        self.by_key[key] = [element for element in self.by_key.get(key, ()) if element[2] > t + 1]


def dropped_with_their_key(self: row_join.KeyedElements, t: int) -> None:
    """When an element goes, the oldest other one of its key goes too if it ends before the next instant but one."""
    while self._ends and self._ends[0][0] <= t:
        key = heappop(self._ends)[2]
        left = [element for element in self.by_key.get(key, ()) if element[2] > t]
        self.by_key[key] = left[1:] if left and left[0][2] <= t + 2 else left


def last_two_together(self: row_aggregation.RowAggregation, row: Any, sign: int) -> Any:
    """The last but one element that leaves a group takes the last one with it."""
    key = RIGHT_ENTER(self, row, sign)
    if sign < 0 and self.groups[key].count == 1:
        self.rows.pop(key, None)
        ends = [end for end, _, other in self.live if self._key(other) == key]
        if ends and min(ends) == self.operator.port_watermarks[0] + 1:
            self.groups[key].count = 0
            self.live[:] = [entry for entry in self.live if self._key(entry[2]) != key]
    return key


RIGHT_ENTER = row_aggregation.RowAggregation._enter
RIGHT_RELEASE = SlicedOperator.release


def forgetful(self: SlicedOperator, watermark: int, force: bool) -> tuple[PhysicalStream, int]:
    """When an element goes, the last instant is lost of those that have its first column and end one instant later."""
    before = [joined(batches) for batches in self.waiting]
    output = RIGHT_RELEASE(self, watermark, force)
    for port, (old, batches) in enumerate(zip(before, self.waiting, strict=True)):
        went = set(_keys(old.take(old.end == watermark)))
        rest = joined(batches)
        alike = np.array([key in went for key in _keys(rest)], bool)
        lost = alike & (rest.end == watermark + 1) & (rest.start <= watermark)
        self.waiting[port] = [rest.take(~lost)]
    return output


def _keys(stream: PhysicalStream) -> list[str]:
    return [repr(row[0]) for row, _ in stream.to_interval().elements]


def forgets_a_row(self: IntervalCountWindow, keep: Any) -> None:
    """When a row leaves a window, the one that entered an instant after it is forgotten too."""
    entered = set(self.last.enter[~keep].tolist())
    after = np.array([int(enter) - 1 in entered for enter in self.last.enter], bool)
    self.last.keep(keep & ~after)


BOUNDARY_BUGS: Mapping[str, tuple[type[Plan], Patch]] = {
    "row join drops early": (op.Join, (row_join.KeyedElements, "purge", dropped_early)),
    "row join drops two": (op.Join, (row_join.KeyedElements, "purge", dropped_with_their_key)),
    "row grouping forgets the last": (op.Grouping, (row_aggregation.RowAggregation, "_enter", last_two_together)),
    "row distinct forgets the last": (op.Distinct, (row_aggregation.RowAggregation, "_enter", last_two_together)),
    "semijoin forgets": (op.Semijoin, (IntervalSemijoin, "release", forgetful)),
    "antijoin forgets": (op.Antijoin, (IntervalSemijoin, "release", forgetful)),
    "left join forgets": (op.LeftJoin, (IntervalOuterJoin, "release", forgetful)),
    "right join forgets": (op.RightJoin, (IntervalOuterJoin, "release", forgetful)),
    "full join forgets": (op.FullJoin, (IntervalOuterJoin, "release", forgetful)),
    "difference forgets": (op.Difference, (IntervalSetOperation, "release", forgetful)),
    "intersection forgets": (op.Intersection, (IntervalSetOperation, "release", forgetful)),
    "distinct forgets": (op.Distinct, (IntervalDistinct, "release", forgetful)),
    "Istream forgets": (op.Istream, (IntervalChanges, "release", forgetful)),
    "rows window forgets": (op.CountWindow, (IntervalCountWindow, "forget", forgets_a_row)),
    "partitions forget": (op.PartitionedWindow, (IntervalCountWindow, "forget", forgets_a_row)),
}


def staying(odd: float) -> Callable[[running.RunningFloatSum, float], None]:
    """A number that is not finite enters a sum and never leaves it."""

    def remove(self: running.RunningFloatSum, value: float) -> None:
        self.count -= 1
        if not np.array_equal(value, odd, equal_nan=True):
            self._change(value, -1)

    return remove


def one_sign(self: running.RunningFloatSum) -> float | None:
    """-inf alone is taken for both infinities."""
    if self.nans or self.specials[-np.inf]:
        return np.nan
    return np.inf if self.specials[np.inf] else None


FLOAT_SUM_BUGS: Mapping[str, Patch] = {
    "NaN stays": (running.RunningFloatSum, "remove", staying(np.nan)),
    "inf stays": (running.RunningFloatSum, "remove", staying(np.inf)),
    "-inf stays": (running.RunningFloatSum, "remove", staying(-np.inf)),
    "-inf alone is NaN": (running.RunningFloatSum, "_special", one_sign),
}
