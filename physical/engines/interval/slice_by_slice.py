"""Operators that work slice by slice: a slice is all that is valid between the last watermark and the next one.

An element that is valid beyond the slice is cut at its end, and the rest waits for the next slice. So the state never
holds anything that ends before the watermark, and every output is out as soon as it is final. Old elements are treated
again in every slice. So with patience, a slice waits until it has as many new elements as old ones, unless a heartbeat
asks for results: then the cost of an element does not depend on how small the batches are.
"""

from abc import abstractmethod
from itertools import pairwise

import numpy as np

from physical.columns.stream import PhysicalStream, joined
from physical.columns.stream_parts import LARGE_SLICE, cuts_in_time, joined_by, look, part_in_time
from physical.columns.threads import workers
from physical.engines.interval.operator import IntervalOperator
from physical.kernels.types import ENDLESS
from semantics import Schema


class SlicedOperator(IntervalOperator):
    """Subclasses compute the output of one slice from the parts of their inputs that lie in it."""

    lookback = 0
    """How many instants before the slice its computation needs."""

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        super().__init__(name, inputs, schema)
        self.waiting = [[PhysicalStream.empty(input_)] for input_ in inputs]
        self.carried = 0
        self.fresh = 0

    @abstractmethod
    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:
        """The output valid at since … until − 1, ordered by start."""

    def accept(self, batch: PhysicalStream, port: int) -> None:
        self.waiting[port].append(batch)
        self.fresh += len(batch)

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:
        since = self.progress
        if watermark <= since or (not force and self.waits(self.fresh, self.carried)):
            return PhysicalStream.empty(self.schema), since
        parts = []
        for port, batches in enumerate(self.waiting):
            whole = joined(batches)
            parts.append(_before(whole, watermark))
            self.waiting[port] = [_from(whole, watermark - self.lookback)]
        self.carried = sum(len(batches[0]) for batches in self.waiting)
        self.fresh = 0
        return self._sliced(parts, since, watermark), watermark

    def _sliced(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:
        """The output of a slice; if it is large, several threads compute slices of it."""
        largest = max(parts, key=len)
        if self.threads == 1 or self.lookback or len(largest) < 2 * LARGE_SLICE:
            return self.slice(parts, since, until)
        with workers(self.threads) as team:
            longest = max(look(part, team)[2] for part in parts)
            size = max(-(-len(largest) // self.threads), LARGE_SLICE)
            cuts = [t for t in cuts_in_time(largest.start, longest, size) if since < t < until]
            if not cuts:
                return self.slice(parts, since, until)
            found = team.map(
                lambda bounds: self.slice([_between(part, *bounds, longest) for part in parts], *bounds),
                pairwise([since, *cuts, until]),
            )
            return joined_by(team, [PhysicalStream.empty(self.schema), *found])

    def hold(self, parts: list[PhysicalStream]) -> None:
        """Hold these elements of each port instead of others; none starts before the progress."""
        self.waiting = [[part] for part in parts]
        self.carried, self.fresh = sum(map(len, parts)), 0

    def held(self) -> list[PhysicalStream]:
        return [batch for batches in self.waiting for batch in batches]


def _between(stream: PhysicalStream, since: int, until: int, longest: int) -> PhysicalStream:
    """The part of a stream from since on, before until; no element lives longer than `longest`."""
    part = joined([PhysicalStream.empty(stream.schema), *part_in_time(stream, since, until, longest)])
    return part.valid_during(part.start, np.minimum(part.end, until))


def _before(stream: PhysicalStream, t: int) -> PhysicalStream:
    """The part of a stream before t."""
    if t == ENDLESS:
        return stream
    count = int(np.searchsorted(stream.start, t, side="left"))
    part = stream.take(np.s_[:count])
    return part.valid_during(part.start, np.minimum(part.end, t))


def _from(stream: PhysicalStream, t: int) -> PhysicalStream:
    """The part of a stream from t on."""
    rest = stream.take(stream.end > t)
    return rest.valid_during(np.maximum(rest.start, t), rest.end)
