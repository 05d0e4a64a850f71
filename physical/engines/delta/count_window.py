"""Count windows, over the whole stream or per group: an occurrence goes when enough later ones have come.

No operator has to know beforehand when that will be. At the latest instant more occurrences may still come, and ties
are ordered by row; so output at that instant is tentative, and corrected if more come.
"""

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.columns.stream import joined as joined_intervals
from physical.engines.delta.delta_stream import DeltaStream, in_order, joined
from physical.engines.delta.retraction import net
from physical.kernels import count_windows as kernel
from physical.kernels.types import Bools, Ints
from physical.runtime.count_window_state import CountWindowState
from physical.runtime.operator import Operator
from semantics.plan import CountWindow, PartitionedWindow


class DeltaCountWindow(Operator[PhysicalStream, DeltaStream]):
    """ω^rows on occurrences."""

    def __init__(self, node: CountWindow | PartitionedWindow) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.waiting = PhysicalStream.empty(node.schema)
        self.last = CountWindowState.of(node)
        self.tried = DeltaStream.empty(node.schema)
        """The tentative output at an instant that was not over."""

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # there is one port only
        self.waiting = joined_intervals([self.waiting, batch])

    def release(self, watermark: int, force: bool) -> tuple[DeltaStream, int]:
        if not force and self.waits(len(self.waiting), len(self.last.rows)):
            return DeltaStream.empty(self.schema), self.progress
        over, until = (int(np.searchsorted(self.waiting.start, watermark, side)) for side in ("left", "right"))
        settled, positions = changes(self.last, self.waiting.take(np.s_[:over]))
        self.forget(kernel.needed(*positions, self.last.leave, watermark))
        tried, _ = changes(self.last.copy(), self.waiting.take(np.s_[over:until]))
        self.waiting = self.waiting.take(np.s_[over:])
        output, self.tried = self._corrected(joined([settled, tried])), tried
        return output, watermark

    def held(self) -> list[PhysicalStream]:
        return [self.waiting, self.last.rows]

    def _corrected(self, output: DeltaStream) -> DeltaStream:
        if not len(self.tried):
            return output
        return net(joined([self.tried.with_sign(-self.tried.sign), output]))

    def forget(self, keep: Bools) -> None:
        """Keep these rows only: no later result needs the others."""
        self.last.keep(keep)


def changes(last: CountWindowState, new: PhysicalStream) -> tuple[DeltaStream, tuple[Ints, Ints]]:
    """The rows that enter and leave with new occurrences, and what `admit` gives.

    A row that enters and leaves at one instant does not appear.
    """
    unknown = np.full(len(new), kernel.UNKNOWN, np.int64)
    outside, inside = np.append(last.enter, unknown) < 0, np.append(last.leave, unknown) < 0
    positions = last.admit(new)
    seen = last.enter != last.leave
    come, gone = seen & outside & (last.enter >= 0), seen & inside & (last.leave >= 0)
    output = joined(
        [_signed(last.rows.take(gone), last.leave[gone], -1), _signed(last.rows.take(come), last.enter[come], 1)]
    )
    return in_order(output), positions


def _signed(rows: PhysicalStream, time: Ints, sign: int) -> DeltaStream:
    return DeltaStream(rows.schema, rows.columns, time, np.full(len(rows), sign, np.int8))
