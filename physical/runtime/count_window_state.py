"""What a count window remembers: the last occurrences of each group, and when each of them enters and leaves.

An occurrence leaves when enough later ones have come, so its end is unknown until then.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from physical.columns.row_numbers import row_numbers, row_order
from physical.columns.stream import PhysicalStream, joined
from physical.kernels import count_windows as kernel
from physical.kernels.multiplicity import bucketed
from physical.kernels.types import Bools, Ints
from semantics.plan import CountWindow, PartitionedWindow


def _none() -> Ints:
    return np.empty(0, np.int64)


@dataclass(eq=False)
class CountWindowState:
    """Occurrences in the window's order: by time, then by row; −1 stands for a time that is not known yet."""

    node: CountWindow | PartitionedWindow
    rows: PhysicalStream
    number: Ints = field(default_factory=_none)
    enter: Ints = field(default_factory=_none)
    leave: Ints = field(default_factory=_none)

    @classmethod
    def of(cls, node: CountWindow | PartitionedWindow) -> "CountWindowState":
        return cls(node, PhysicalStream.empty(node.schema))

    def admit(self, new: PhysicalStream) -> tuple[Ints, Ints]:
        """Take new occurrences, none earlier than those held: the positions by group, and where each group begins."""
        new = new.take(row_order(new.columns, new.start))
        unknown = np.full(len(new), kernel.UNKNOWN, np.int64)
        self.rows = joined([self.rows, new])
        self.number = np.concatenate([self.number, unknown])
        self.enter = np.concatenate([self.enter, unknown])
        self.leave = np.concatenate([self.leave, unknown])
        order, begin = self._grouped()
        size = (self.node.rows, self.node.slide, self.node.ties)
        kernel.enter_and_leave(order, begin, self.number, self.rows.start, *size, self.enter, self.leave)
        return order, begin

    def keep(self, kept: Bools) -> None:
        """Keep these occurrences and forget the others."""
        self.rows = self.rows.take(kept)
        self.number, self.enter, self.leave = self.number[kept], self.enter[kept], self.leave[kept]

    def copy(self) -> "CountWindowState":
        """A copy to try something on: `admit` writes into the arrays of times."""
        return replace(self, number=self.number.copy(), enter=self.enter.copy(), leave=self.leave.copy())

    def _grouped(self) -> tuple[Ints, Ints]:
        groups, count = np.zeros(len(self.rows), np.int64), 1
        if isinstance(self.node, PartitionedWindow):
            groups, first = row_numbers([self.rows.columns[key] for key in self.node.keys])
            count = len(first)
        kernel.number_occurrences(groups, count, self.number)
        return bucketed(groups, count)
