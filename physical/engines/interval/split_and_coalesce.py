"""Split and coalesce: they change intervals, but no snapshot."""

import numpy as np

from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream, in_order
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.kernels import pieces
from physical.kernels.types import ENDLESS
from semantics import Schema, StreamError


class IntervalSplit(SlicedOperator):
    """Cuts every interval into pieces of at most this length; windows take pieces of length 1."""

    def __init__(self, schema: Schema, length: int = 1, horizon: int = ENDLESS) -> None:
        super().__init__("Split", (schema,), schema)
        self.length = length
        self.horizon = horizon

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:  # noqa: ARG002
        part = parts[0].take(parts[0].start < self.horizon)
        ends = np.minimum(part.end, self.horizon)
        if bool((ends == ENDLESS).any()):
            raise StreamError("Split: an element that is valid for ever has no end of pieces; give a horizon")
        element, start, end = pieces.split(part.start, ends, self.length)
        return in_order(part.take(element).valid_during(start, end))


class IntervalCoalesce(SlicedOperator):
    """Merges equal rows with adjacent intervals, as long as the result is no longer than the limit.

    The end of a slice cuts what could be merged across it. So unless a heartbeat asks for results, slices are long.
    """

    patience = 4096

    def __init__(self, schema: Schema, longest: int = ENDLESS) -> None:
        super().__init__("Coalesce", (schema,), schema)
        self.longest = longest

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:  # noqa: ARG002
        (part,) = parts
        keys, first = row_numbers(part.columns)
        element, start, end = pieces.coalesced(keys, len(first), part.start, part.end, self.longest)
        return in_order(part.take(element).valid_during(start, end))
