"""Scalar, total and grouped aggregation (Algorithm 3): one row for every interval in which a group does not change."""

import numpy as np

from physical.aggregation.fused_sweep import fused_segments
from physical.aggregation.request import AggregationRequest
from physical.aggregation.segments import aggregate_segments
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.slice_by_slice import SlicedOperator
from semantics.plan import Aggregation, Grouping


class IntervalAggregation(SlicedOperator):
    """α and γ over the elements of a slice."""

    def __init__(self, node: Aggregation | Grouping) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.request = AggregationRequest.of(node)

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:
        (part,) = parts
        groups, first = self.request.groups(part)
        request = (self.request.aggregates, self.request.arguments(part), groups, len(first))
        found = fused_segments(*request, part) or aggregate_segments(*request, part.start, part.end)
        group_columns = [part.columns[key].take(first).take(found.group) for key in self.request.keys]
        result = PhysicalStream(self.schema, (*group_columns, *found.columns), found.start, found.end)
        return self._with_gaps(result, since, until) if self.request.on_empty else result

    def _with_gaps(self, result: PhysicalStream, since: int, until: int) -> PhysicalStream:
        """The result, with the aggregates of an empty snapshot where nothing is valid."""
        starts = np.concatenate([[since], result.end])
        ends = np.concatenate([result.start, [until]])
        gaps = starts < ends
        nothing = self.request.of_nothing(int(gaps.sum()))
        return in_order(joined([result, PhysicalStream(self.schema, nothing, starts[gaps], ends[gaps])]))
