"""Count windows, over the whole stream or per group: an occurrence is valid until enough later ones have come.

How long it is valid is known only then. To be out in time, a row is given out in pieces, each up to the watermark.
"""

import numpy as np

from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.operator import IntervalOperator
from physical.engines.interval.stateless import check_chronons
from physical.kernels import count_windows as kernel
from physical.kernels.types import Bools
from physical.runtime.count_window_state import CountWindowState
from semantics.plan import CountWindow, PartitionedWindow


class IntervalCountWindow(IntervalOperator):
    """ω^rows on chronons: at every watermark it gives out the part of each row that lies before the watermark."""

    def __init__(self, node: CountWindow | PartitionedWindow) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.waiting = PhysicalStream.empty(node.schema)
        self.last = CountWindowState.of(node)

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # there is one port only
        check_chronons(self.name, batch)
        self.waiting = joined([self.waiting, batch])

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:
        since = self.progress
        if watermark <= since or (not force and self.waits(len(self.waiting), len(self.last.rows))):
            return PhysicalStream.empty(self.schema), since
        due = int(np.searchsorted(self.waiting.start, watermark, side="left"))
        order, begin = self.last.admit(self.waiting.take(np.s_[:due]))
        self.waiting = self.waiting.take(np.s_[due:])
        output = self._visible(since, watermark)
        self.forget(kernel.needed(order, begin, self.last.leave, watermark))
        return output, watermark

    def held(self) -> list[PhysicalStream]:
        return [self.waiting, self.last.rows]

    def _visible(self, since: int, until: int) -> PhysicalStream:
        """The rows that are in the window at since … until − 1."""
        enter, leave = self.last.enter, self.last.leave
        start = np.maximum(enter, since)
        end = np.where(leave < 0, until, np.minimum(leave, until))
        shown = (enter >= 0) & (start < end)
        return in_order(self.last.rows.valid_during(start, end).take(shown))

    def forget(self, keep: Bools) -> None:
        """Keep these rows only: no later result needs the others."""
        self.last.keep(keep)
