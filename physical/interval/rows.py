"""Count windows, of the whole stream or of each group: an occurrence is valid until enough others have come."""

import numpy as np

from physical.column import Bools, Ints
from physical.interval.operator import Operator
from physical.interval.stateless import check_chronons
from physical.kernels import rows as kernel
from physical.kernels.sweep import bucketed
from physical.keys import row_numbers, row_order
from physical.stream import PhysicalStream, in_order, joined
from semantics.plan import CountWindow, PartitionedWindow


class RowsOperator(Operator):
    """ω^rows on chronons. What is known by the watermark is given out up to there, the rest of it later."""

    def __init__(self, node: CountWindow | PartitionedWindow) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.rows, self.slide, self.ties = node.rows, node.slide, node.ties
        self.keys = node.keys if isinstance(node, PartitionedWindow) else ()
        self.waiting = PhysicalStream.empty(node.schema)
        self.window = PhysicalStream.empty(node.schema)
        self.number, self.enter, self.leave = (np.empty(0, np.int64) for _ in range(3))

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # there is one port only
        check_chronons(self.name, batch)
        self.waiting = joined([self.waiting, batch])

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:
        since = self.progress
        if watermark <= since or (len(self.waiting) <= max(len(self.window), self.patience) and not force):
            return PhysicalStream.empty(self.schema), since
        due = int(np.searchsorted(self.waiting.start, watermark, side="left"))
        self._admit(self.waiting.take(np.s_[:due]))
        self.waiting = self.waiting.take(np.s_[due:])
        order, begin = self._grouped()
        kernel.enter_and_leave(
            order, begin, self.number, self.window.start, self.rows, self.slide, self.ties, self.enter, self.leave
        )
        output = self._visible(since, watermark)
        self._forget(kernel.needed(order, begin, self.leave, watermark))
        return output, watermark

    def held(self) -> list[PhysicalStream]:
        return [self.waiting, self.window]

    def _admit(self, new: PhysicalStream) -> None:
        """Put new occurrences into the window's order, still without a number."""
        new = new.take(row_order(new.columns, new.start))
        unknown = np.full(len(new), kernel.UNKNOWN, np.int64)
        self.window = joined([self.window, new])
        self.number = np.concatenate([self.number, unknown])
        self.enter = np.concatenate([self.enter, unknown])
        self.leave = np.concatenate([self.leave, unknown])

    def _grouped(self) -> tuple[Ints, Ints]:
        """Number all occurrences; their positions by group, and where each group begins."""
        groups, count = np.zeros(len(self.window), np.int64), 1
        if self.keys:
            groups, first = row_numbers([self.window.columns[key] for key in self.keys])
            count = len(first)
        kernel.number_occurrences(groups, count, self.number)
        return bucketed(groups, count)

    def _visible(self, since: int, until: int) -> PhysicalStream:
        """What is in the window at since … until − 1."""
        start = np.maximum(self.enter, since)
        end = np.where(self.leave < 0, until, np.minimum(self.leave, until))
        shown = (self.enter >= 0) & (start < end)
        return in_order(self.window.valid_during(start, end).take(shown))

    def _forget(self, keep: Bools) -> None:
        self.window = self.window.take(keep)
        self.number, self.enter, self.leave = self.number[keep], self.enter[keep], self.leave[keep]
