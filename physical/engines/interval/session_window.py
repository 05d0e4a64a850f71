"""Sessions: rows wait until their session has ended, and are valid from its first instant on.

Results go out in the order of their starts. So a session that has ended also waits for those that began before it and
are still open: until then the snapshots since they began are not final.
"""

import numpy as np

from physical.columns.column import ColumnVector
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.operator import IntervalOperator
from physical.engines.interval.stateless import check_chronons
from physical.kernels import frames
from physical.kernels.types import ENDLESS, Bools, Ints
from semantics import ArithmeticOverflow, Type
from semantics.plan import SessionWindow


class IntervalSessionWindow(IntervalOperator):
    """ω^gap_P on chronons."""

    def __init__(self, node: SessionWindow, horizon: int = ENDLESS) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.keys = node.keys
        self.gap = node.gap
        self.horizon = horizon
        self.apart = min(node.gap + node.touching, ENDLESS)
        self.waiting = [PhysicalStream.empty(node.input.schema)]
        self.fresh = 0
        self.due = ENDLESS
        """Before the watermark has come so far, nothing can go out."""

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # there is one port only
        check_chronons(self.name, batch)
        if len(batch):
            self.waiting.append(batch)
            self.fresh += len(batch)
            self.due = min(self.due, int(batch.start[0]) + self.apart)

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:
        held = sum(map(len, self.waiting)) - self.fresh
        if (watermark < self.due and watermark < self.horizon) or (not force and self.waits(self.fresh, held)):
            return PhysicalStream.empty(self.schema), min([watermark, *self._earliest()])
        whole = joined(self.waiting)
        first, last = self.sessions(whole)
        ended = self.ended(last, watermark)
        # At the horizon nothing changes any more: what is open then never ends, and nothing waits for it.
        final = watermark >= self.horizon or bool(ended.all())
        open_since = ENDLESS if final else int(first[~ended].min())
        out = ended & (first <= open_since)
        if out.all():
            self._hold(PhysicalStream.empty(whole.schema), last[:0])
            return self.given_out(whole, first, last), min(watermark, open_since)
        self._hold(whole.take(~out), last[~out])
        return self.given_out(whole.take(out), first[out], last[out]), min(watermark, open_since)

    def ended(self, last: Ints, watermark: int) -> Bools:
        """Which of the sessions with these last instants can get no more rows."""
        known = min(watermark, self.horizon)
        return np.full(len(last), True) if known == ENDLESS else last <= known - self.apart

    def sessions(self, rows: PhysicalStream) -> tuple[Ints, Ints]:
        """The first and the last instant of the session of each row, as far as it is known."""
        groups, different = self.groups(rows)
        return frames.session_bounds(rows.start, groups, different, self.apart)

    def groups(self, rows: PhysicalStream) -> tuple[Ints, int]:
        if not self.keys or not len(rows):
            return np.zeros(len(rows), np.int64), 1
        numbers, first = row_numbers([rows.columns[key] for key in self.keys])
        return numbers, len(first)

    def given_out(self, rows: PhysicalStream, first: Ints, last: Ints) -> PhysicalStream:
        if len(last) and int(last.max()) > ENDLESS - self.gap:
            raise ArithmeticOverflow(f"SessionWindow must fit into 64 bits, got {int(last.max()) + self.gap}")
        end = last + self.gap
        columns = (*rows.columns, ColumnVector(Type.INT, first), ColumnVector(Type.INT, end))
        return in_order(PhysicalStream(self.schema, columns, first, end))

    def _hold(self, rows: PhysicalStream, last: Ints) -> None:
        self.waiting, self.fresh = [rows], 0
        self.due = int(last[0]) + self.apart if len(rows) else ENDLESS

    def _earliest(self) -> list[int]:
        """When the first of the waiting rows came."""
        return [int(batch.start[0]) for batch in self.waiting if len(batch)][:1]

    def held(self) -> list[PhysicalStream]:
        return self.waiting
