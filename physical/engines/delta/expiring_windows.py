"""Sources and windows: they hold every row until it goes, and then give out its negative element.

The time-interval approach does not need this state: there, a window writes the end of a row into the element and
forgets it.
"""

import numpy as np

from physical.columns.stream import PhysicalStream, joined
from physical.engines.delta.delta_stream import DeltaStream
from physical.engines.interval.stateless import IntervalLandmarkWindow, IntervalTimeWindow
from physical.kernels.sort import merged, stable_order
from physical.kernels.types import ENDLESS, Ints
from physical.runtime.operator import Operator
from semantics import Schema
from semantics.plan import LandmarkWindow, TimeWindow


class ExpiringWindow(Operator[PhysicalStream, DeltaStream]):
    """Takes elements with intervals, by start; gives out +e when a start has come and −e when an end has."""

    def __init__(self, name: str, schema: Schema) -> None:
        super().__init__(name, (schema,), schema)
        self.live = PhysicalStream.empty(schema)
        self.shown = 0
        """How many of the live elements have been given out."""

    def spans(self, batch: PhysicalStream) -> PhysicalStream:
        """The elements with the intervals during which their rows are there."""
        return batch

    def promised(self, watermark: int) -> int:
        """Before this instant nothing more comes or goes."""
        return watermark

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # there is one port only
        new = self.spans(batch)
        self.live = joined([self.live, new.with_columns(self.schema, new.columns)])

    def release(self, watermark: int, force: bool) -> tuple[DeltaStream, int]:  # noqa: ARG002  # never waits
        until = self.promised(watermark)
        come = np.arange(self.shown, np.searchsorted(self.live.start, until, side="right"))
        gone = self.expired(until)
        time, codes = merged(self.live.start[come], come, self.live.end[gone], gone)
        output = DeltaStream.of_bounds(self.live, (time, codes))
        self._forget(gone, len(come))
        return output, until

    def expired(self, until: int) -> Ints:
        """The positions of the live elements that have ended by then, in the order of their ends."""
        gone = np.flatnonzero((self.live.end <= until) & (self.live.end < ENDLESS))
        return gone[stable_order(self.live.end[gone])]

    def held(self) -> list[PhysicalStream]:
        return [self.live]

    def _forget(self, gone: Ints, come: int) -> None:
        self.shown += come - len(gone)
        if len(gone) == 0:
            return
        if gone.max() == len(gone) - 1:  # the oldest ones, as in most windows: a slice does without a copy
            self.live = self.live.take(np.s_[len(gone) :])
            return
        kept = np.ones(len(self.live), np.bool_)
        kept[gone] = False
        self.live = self.live.take(kept)


class DeltaSource(ExpiringWindow):
    """A source of elements with intervals."""


class DeltaNowWindow(ExpiringWindow):
    """Occurrences as rows that are there for one instant each; an input without a window gets this one."""

    def __init__(self, schema: Schema) -> None:
        super().__init__("Now", schema)


class DeltaWindow(ExpiringWindow):
    """ω_{w,s} and ω_[a,∞) on occurrences; the intervals are those that the time-interval windows set."""

    def __init__(self, node: TimeWindow | LandmarkWindow) -> None:
        super().__init__(node.operator, node.schema)
        self.window = IntervalTimeWindow(node) if isinstance(node, TimeWindow) else IntervalLandmarkWindow(node)

    def spans(self, batch: PhysicalStream) -> PhysicalStream:
        return self.window.apply(batch)

    def promised(self, watermark: int) -> int:
        return self.window.promised(watermark)
