"""Scalar, total and grouped aggregation (Algorithm 3): one row for every stretch in which nothing changes."""

import numpy as np

from physical import columns
from physical.aggregates import aggregate_segments
from physical.column import Column, Ints, from_values
from physical.fused import fused_segments
from physical.interval.sliced import Sliced
from physical.keys import row_numbers
from physical.stream import PhysicalStream, in_order, joined
from semantics import Multiset
from semantics.aggregate import aggregate
from semantics.plan import Aggregation, Grouping


class AggregationOperator(Sliced):
    """α and γ over the elements of a slice."""

    def __init__(self, node: Aggregation | Grouping) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.aggregates = node.aggregates
        self.keys = node.keys if isinstance(node, Grouping) else ()
        self.on_empty = isinstance(node, Aggregation) and node.on_empty

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:
        (part,) = parts
        groups, first = self._groups(part)
        arguments = self._arguments(part)
        found = fused_segments(self.aggregates, arguments, groups, len(first), part)
        found = found or aggregate_segments(self.aggregates, arguments, groups, len(first), part.start, part.end)
        group_columns = [part.columns[key].take(first).take(found.group) for key in self.keys]
        result = PhysicalStream(self.schema, (*group_columns, *found.columns), found.start, found.end)
        return self._with_gaps(result, since, until) if self.on_empty else result

    def _groups(self, part: PhysicalStream) -> tuple[Ints, Ints]:
        """The group of every element, and the first element of each group."""
        if not self.keys:
            return np.zeros(len(part), np.int64), np.zeros(min(len(part), 1), np.int64)
        return row_numbers([part.columns[key] for key in self.keys])

    def _arguments(self, part: PhysicalStream) -> list[Column | None]:
        """What each aggregate takes in; the same expression is evaluated once."""
        wanted = [aggregate.argument for aggregate in self.aggregates]
        known = {x: columns.evaluate(x, part.columns, len(part)) for x in wanted if x is not None}
        return [None if x is None else known[x] for x in wanted]

    def _with_gaps(self, result: PhysicalStream, since: int, until: int) -> PhysicalStream:
        """The result, and the aggregates of nothing where nothing is valid."""
        starts = np.concatenate([[since], result.end])
        ends = np.concatenate([result.start, [until]])
        gaps = starts < ends
        row = [aggregate(function, Multiset()) for function in self.aggregates]
        nothing = [from_values([value] * int(gaps.sum()), t) for value, t in zip(row, self.schema.types, strict=True)]
        return in_order(joined([result, PhysicalStream(self.schema, tuple(nothing), starts[gaps], ends[gaps])]))
