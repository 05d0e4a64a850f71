"""A run in parts of time: each takes the elements that can matter to its instants, and gives the result for them.

Streams are ordered by time, so a part is a slice of every input: nothing is copied or moved, as it would be if rows
were spread by key. Only what lived before a part is handed to it in addition. The parts are the same for any number of
threads, and so is the result.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.columns.stream_parts import cuts_in_time, part_in_time
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Plan
from semantics import plan as op
from semantics.dataclass_on_use import dataclass


def reach(plan: Plan) -> int | None:
    """How many instants back a snapshot of the result depends on snapshots of the sources; None: without a bound."""
    below = [reach(child) for child in plan.inputs]
    deepest = None if None in below else max((r for r in below if r is not None), default=0)
    own = _own_reach(plan)
    return None if own is None or deepest is None else own + deepest


def _own_reach(plan: Plan) -> int | None:
    match plan:
        case op.TimeWindow(size=size, slide=slide):
            return None if size == FOREVER else int(size) + slide
        case op.LandmarkWindow(reset=reset):
            return reset
        case op.CountWindow() | op.PartitionedWindow() | op.SessionWindow() | op.Over():
            return None
        case op.Istream() | op.Dstream():
            return 1
        case _:
            return 0


@dataclass(frozen=True)
class TimePart:
    """Instants since … until − 1, and the instant from which on source elements matter to them."""

    first: int
    since: int
    until: int

    def batches(self, stream: PhysicalStream, longest: int) -> list[PhysicalStream]:
        """The elements of a source that matter, none of which lives longer than `longest`."""
        return part_in_time(stream, self.first, self.until, longest)

    def own(self, result: PhysicalStream) -> PhysicalStream:
        """The part of a result that lies in these instants."""
        if len(result) and result.start[0] < self.since:
            late = result.take(result.end > self.since)
            result = late.valid_during(np.maximum(late.start, self.since), late.end)
        if len(result) and self.until < ENDLESS and int(result.end.max()) > self.until:
            early = result.take(result.start < self.until)
            result = early.valid_during(early.start, np.minimum(early.end, self.until))
        return result


def time_parts(
    plan: Plan, inputs: Mapping[str, PhysicalStream], longest: int, size: int, horizon: int
) -> list[TimePart]:
    """Parts with about this many elements of the longest input each; one part if cutting would not pay.

    No element lives longer than `longest`.
    """
    back, starts = reach(plan), max((stream.start for stream in inputs.values()), key=len)
    cuts = [] if back is None else cuts_in_time(starts, back + longest, size)
    return [TimePart(max(since - (back or 0), 0), since, until) for since, until in pairwise([0, *cuts, horizon])]
