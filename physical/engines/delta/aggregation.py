"""Scalar, total and grouped aggregation: when a group changes, its old row goes and its new row comes."""

import numpy as np

from physical.aggregation.fused_sweep import swept_segments
from physical.aggregation.request import AggregationRequest
from physical.aggregation.segments import Segments, aggregate_timeline
from physical.aggregation.timeline import GroupTimeline
from physical.columns.interval_bounds import Bounds
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.delta.convert import to_deltas
from physical.engines.delta.delta_stream import DeltaStream
from physical.engines.delta.operator import RetractingOperator
from physical.engines.delta.row_lifetimes import HELD_INSTANT, Lives
from physical.kernels import deltas as kernel
from physical.kernels.types import ENDLESS, Ints
from semantics.plan import Aggregation, Grouping


class DeltaAggregation(RetractingOperator):
    """α and γ: a positive element enters its group, a negative one leaves it."""

    def __init__(self, node: Aggregation | Grouping) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.request = AggregationRequest.of(node)
        self.begun = False

    @property
    def answers_no_input(self) -> bool:
        return self.request.on_empty and not self.begun

    def changes_of(self, lives: list[Lives], since: int, until: int) -> DeltaStream:  # noqa: ARG002  # all that is due
        rows = self.rows(lives[0])
        rows = self._with_gaps(rows) if self.request.on_empty else rows
        self.begun = True
        return to_deltas(rows).until(HELD_INSTANT)[1]  # rows that were shown before are not given out again

    def rows(self, lives: Lives) -> PhysicalStream:
        """The row of every group between two of its changes; rows of groups held already start at HELD_INSTANT."""
        stream = lives.stream
        groups, first = self.request.groups(stream)
        found = self._swept(stream, groups, len(first)) or self._followed(lives, groups, len(first))
        group_columns = [stream.columns[key].take(first).take(found.group) for key in self.request.keys]
        return PhysicalStream(self.schema, (*group_columns, *found.columns), found.start, found.end)

    def _swept(self, stream: DeltaStream, groups: Ints, count: int) -> Segments | None:
        """In one sweep along the elements, which are in the order of time already."""
        happens: Bounds = (stream.time, np.arange(len(stream)) << 1 | stream.negative)
        return swept_segments(
            self.request.aggregates,
            self.request.arguments(stream),
            groups,
            count,
            happens=lambda: happens,
            in_order=lambda values: kernel.leave_as_they_came(groups, count, values, stream.negative),
        )

    def _followed(self, lives: Lives, groups: Ints, count: int) -> Segments:
        """By a script in which lives enter and leave."""
        groups = groups[lives.births]
        script = kernel.scripted(groups, count, lives.stream.time, lives.codes)
        timeline = GroupTimeline(groups, count, lives.born.time, lives.death, *script)
        return aggregate_timeline(self.request.aggregates, self.request.arguments(lives.born), timeline)

    def _with_gaps(self, rows: PhysicalStream) -> PhysicalStream:
        """The rows, and the aggregates of an empty snapshot where there is none; before the first time, from 0 on."""
        starts = np.concatenate([[HELD_INSTANT if self.begun else 0], rows.end])
        ends = np.concatenate([rows.start, [ENDLESS]])
        gaps = starts < ends
        nothing = self.request.of_nothing(int(gaps.sum()))
        return in_order(joined([rows, PhysicalStream(self.schema, nothing, starts[gaps], ends[gaps])]))
