"""One source of a session: elements are put in order, and only then go on to the operators."""

from collections import deque
from typing import Final

import numpy as np

from physical.columns.row_batch import RowBatch, rows_of
from physical.columns.stream import Element, PhysicalStream, in_order, joined
from physical.kernels.sort import stable_order
from physical.kernels.types import Ints
from physical.runtime.row_operator import FEW_ELEMENTS
from physical.runtime.run_whole import AnyStream
from semantics import IntervalStream, RawStream, Schema, StreamError

RECENT_ELEMENTS: Final = 2_000
"""At least so many elements are kept, so that somebody can look at what comes."""


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
        self.arrived = 0
        """How many elements have come in time."""
        self._recent: deque[PhysicalStream] = deque()
        self._kept = 0

    def at_once(self, stream: AnyStream) -> RowBatch | None:
        """The elements as rows, if they can go on as they came: they are few, and none is late or has to wait."""
        few = few_rows(stream) if self.slack == 0 and not len(self.waiting) else None
        return RowBatch(self.schema, few) if few is not None and self._in_order(few) else None

    def _in_order(self, elements: list[Element]) -> bool:
        """Is none late, and nothing wrong with any?"""
        latest = self.promised
        for _, start, end in elements:
            if start < latest or end <= start:
                return False
            latest = start
        return True

    def went_on(self, batch: RowBatch) -> None:
        """These elements have gone on."""
        self.latest = self.promised = batch.elements[-1][1]
        self.reached = max(self.reached, max(end for _, _, end in batch.elements))
        self._note(batch)

    @property
    def recent(self) -> PhysicalStream:
        """Some of the latest elements, in the order of time."""
        return in_order(joined([PhysicalStream.empty(self.schema), *self._recent]))

    def _note(self, batch: PhysicalStream) -> None:
        self.arrived += len(batch)
        self._recent.append(batch if len(batch) <= RECENT_ELEMENTS else batch.take(np.s_[-RECENT_ELEMENTS:]))
        self._kept += len(self._recent[-1])
        while self._kept - len(self._recent[0]) >= RECENT_ELEMENTS:
            self._kept -= len(self._recent.popleft())

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
            self._note(batch)
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


def few_rows(stream: AnyStream) -> list[Element] | None:
    """The elements as rows, if there are few of them, but not none."""
    if isinstance(stream, RawStream | IntervalStream):
        return rows_of(stream) if 0 < len(stream.elements) <= FEW_ELEMENTS else None
    if isinstance(stream, PhysicalStream) and 0 < len(stream) <= FEW_ELEMENTS:
        return stream.to_elements()
    return None
