"""Filters that keep one instant of every so many, panes for example: other instants cost nothing."""

import numpy as np

from physical.columns.stream import PhysicalStream, in_order
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.engines.interval.stateless import IntervalFilter
from physical.kernels import pieces
from physical.kernels.types import ENDLESS
from semantics import StreamError
from semantics.periods_of_now import sampling
from semantics.plan import Filter


class IntervalSample(SlicedOperator):
    """σ with `MOD(now + c, s) = d`: every element at the instants of the period that it lives through."""

    def __init__(self, node: Filter, horizon: int = ENDLESS) -> None:
        super().__init__("Sample", (node.input.schema,), node.schema)
        found = sampling(node.predicate)
        assert found is not None
        self.period = found.period
        self.of_samples = IntervalFilter(node)
        self.horizon = horizon

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:  # noqa: ARG002
        part = parts[0].take(parts[0].start < self.horizon)
        ends = np.minimum(part.end, self.horizon)
        if bool((ends == ENDLESS).any()):
            raise StreamError("Sample: an element that is valid for ever has samples without end; give a horizon")
        element, at = pieces.sampled(part.start, ends, self.period.step, self.period.first)
        return self.of_samples.apply(in_order(part.take(element).valid_during(at, at + 1)))
