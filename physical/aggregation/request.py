"""What an aggregation computes: its groups, its arguments, and its value where there is nothing."""

from dataclasses import dataclass

import numpy as np

from physical.aggregation.timeline import Given, given_of
from physical.columns import expressions
from physical.columns.batch import Batch
from physical.columns.column import ColumnVector, from_values
from physical.columns.row_numbers import row_numbers
from physical.kernels.types import Ints
from semantics import Multiset
from semantics.aggregate import Aggregate, aggregate, arguments_of
from semantics.plan import Aggregation, Grouping


@dataclass(frozen=True)
class AggregationRequest:
    """The group columns and the aggregates; with on_empty there is a row even where nothing is valid."""

    keys: tuple[int, ...]
    aggregates: tuple[Aggregate, ...]
    on_empty: bool

    @classmethod
    def of(cls, node: Aggregation | Grouping) -> "AggregationRequest":
        if isinstance(node, Grouping):
            return cls(node.keys, node.aggregates, on_empty=False)
        return cls((), node.aggregates, node.on_empty)

    def groups(self, batch: Batch) -> tuple[Ints, Ints]:
        """The group of every element, and the first element of each group."""
        if not self.keys:
            return np.zeros(len(batch), np.int64), np.zeros(min(len(batch), 1), np.int64)
        return row_numbers([batch.columns[key] for key in self.keys])

    def arguments(self, batch: Batch) -> list[Given]:
        """What each aggregate is given; equal expressions are evaluated once."""
        wanted = [arguments_of(aggregate) for aggregate in self.aggregates]
        known = {x: expressions.evaluate(x, batch.columns, len(batch)) for several in wanted for x in several}
        return [given_of([known[x] for x in several]) for several in wanted]

    def of_nothing(self, times: int) -> tuple[ColumnVector, ...]:
        """The aggregates of an empty snapshot, repeated this many times."""
        return tuple(
            from_values([aggregate(function, Multiset())] * times, function.type) for function in self.aggregates
        )
