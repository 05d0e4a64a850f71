"""Rows of a log, grouped: in each group in the order in which they were written."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physical.columns.column import ColumnVector
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream
from physical.kernels.types import Bools, Ints
from semantics import Type


@dataclass(frozen=True, eq=False)
class Grouped:
    """Elements by group, then by the number of their row; and which of them are the first and the last of a group."""

    rows: PhysicalStream
    first: Bools
    last: Bools

    @property
    def numbers(self) -> Ints:
        """The numbers of the rows in the log."""
        return np.asarray(self.rows.columns[-2].values)

    @property
    def signs(self) -> Ints:
        return np.asarray(self.rows.columns[-1].values)

    def sums(self) -> Ints:
        """The signed counts of each group, added up from its first row on."""
        total = np.cumsum(self.signs)
        begins = np.flatnonzero(self.first)
        before = (total - self.signs)[begins]
        return np.asarray(total - np.repeat(before, np.diff(np.append(begins, len(total)))))


def grouped(rows: PhysicalStream, by: Sequence[int], *, in_time: bool) -> Grouped:
    """Rows that agree in the columns `by`, and with `in_time` also in their start, are a group."""
    columns = [rows.columns[i] for i in by] + ([ColumnVector(Type.INT, rows.start)] if in_time else [])
    groups = row_numbers(columns)[0] if columns else np.zeros(len(rows), np.int64)
    order = np.lexsort((rows.columns[-2].values, groups))  # it is stable: what an update takes back stays first
    groups = groups[order]
    steps = np.diff(groups) != 0
    return Grouped(rows.take(order), np.append(True, steps)[: len(rows)], np.append(steps, True)[-len(rows) :])
