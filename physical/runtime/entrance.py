"""One source of a session: elements are put in order, and only then go on to the operators."""

import numpy as np

from physical.columns.stream import PhysicalStream, joined
from physical.kernels.sort import stable_order
from physical.kernels.types import Ints
from physical.runtime.row_operator import FEW_ELEMENTS
from semantics import IntervalStream, RawStream, Schema, StreamError


class Entrance:
    """One source of a session: it puts elements in order within the slack, and counts those that come too late."""

    def __init__(self, schema: Schema, slack: int) -> None:
        self.schema = schema
        self.slack = slack
        self.waiting = PhysicalStream.empty(schema)
        self.pushes = np.empty(0, np.int64)
        """The number of the push with which each waiting element came."""
        self.latest = 0
        self.reached = 0
        """No element that came so far is valid at this instant or later."""
        self.promised = 0
        self.late = 0

    def passes(self, stream: RawStream | IntervalStream) -> bool:
        """Can the elements go on as they came? If they are few, none is late, and none has to wait for others."""
        few = 0 < len(stream.elements) <= FEW_ELEMENTS and self.slack == 0 and not len(self.waiting)
        return few and _first_start(stream) >= self.promised

    def went_on(self, start: int, end: int) -> None:
        """Elements have gone on that start at this instant or before, and end at that one or before."""
        self.latest = self.promised = start
        self.reached = max(self.reached, end)

    def take(self, batch: PhysicalStream, push: int, drop_late: bool) -> None:
        """Accept a batch in any order; late elements are dropped and counted, or the whole batch is refused."""
        late = batch.start < self.promised
        if late.any():
            if not drop_late:
                first = int(batch.start[int(np.argmax(late))])
                raise StreamError(f"push: elements must start at {self.promised} or later, got {first}")
            self.late += int(late.sum())
            batch = batch.take(~late)
        if len(batch):
            self.latest = max(self.latest, int(batch.start.max()))
            self.reached = max(self.reached, int(batch.end.max()))
            whole = joined([self.waiting, batch])
            order = stable_order(whole.start)
            self.waiting = whole.take(order)
            self.pushes = np.concatenate([self.pushes, np.full(len(batch), push)])[order]

    def release(self, t: int) -> tuple[PhysicalStream, Ints]:
        """The elements that start at t or before, and the push of each; from now on no earlier ones may come."""
        self.promised = max(self.promised, t)
        due = int(np.searchsorted(self.waiting.start, self.promised, side="right"))
        output, self.waiting = self.waiting.take(np.s_[:due]), self.waiting.take(np.s_[due:])
        pushes, self.pushes = self.pushes[:due], self.pushes[due:]
        return output, pushes


def _first_start(stream: RawStream | IntervalStream) -> int:
    if isinstance(stream, RawStream):
        return stream.elements[0][1]
    return stream.elements[0][1].start
