"""Difference and intersection: concatenation plus compensation. A basic window is kept as counts of its rows."""

import numpy as np

from physical.columns.column import ColumnVector
from physical.engines.incremental.expiring_rows import ExpiringRows
from physical.engines.incremental.grouping import StoringNode
from physical.engines.incremental.partial import PartialResult, part_of
from physical.engines.incremental.partial_layout import PartialFlow, PartialLayout
from physical.kernels.types import Ints
from semantics import Type
from semantics import plan as op
from semantics.expression import Constant

LEFT_COUNT, RIGHT_COUNT = PartialFlow("count", None), PartialFlow("count", Constant(True, Type.BOOL))
"""Row counts of both sides. Equal flows would be one, so the right one counts the constant TRUE to be different."""


class CountNode(StoringNode):
    """− and ∩: the sums of the counts on both sides determine how often a row is in the result."""

    def __init__(self, plan: op.Difference | op.Intersection) -> None:
        self.width = len(plan.schema)
        self.counted = PartialLayout(self.width, (PartialFlow("count", None),), ())
        self.common = isinstance(plan, op.Intersection)
        super().__init__(PartialLayout(self.width, (LEFT_COUNT, RIGHT_COUNT), ()), plan.schema, range(self.width))

    def absorb(self, port: int, rows: ExpiringRows, start: int) -> None:
        summary = part_of(self.counted, range(self.width), rows).summary
        *keys, count = summary.columns
        none = ColumnVector(Type.INT, np.zeros(len(summary), np.int64))
        counts = (count, none) if port == 0 else (none, count)
        self.store.add(PartialResult(summary.with_columns([*keys, *counts])), start)

    def whole(self) -> ExpiringRows:
        rows = self.store.merged().summary
        left, right = (column.values for column in rows.columns[self.width :])
        count = np.minimum(left, right) if self.common else np.maximum(left - right, 0)
        return repeated(rows.with_columns(rows.columns[: self.width]), count)


def repeated(rows: ExpiringRows, count: Ints) -> ExpiringRows:
    """Every row as often as its count says."""
    return rows.take(np.repeat(np.arange(len(count)), count))
