"""Distinct, difference, intersection, Istream and Dstream: operators on the multiplicity of rows."""

import numpy as np

from physical.columns.column import concatenated, taken
from physical.columns.interval_bounds import bounds
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.kernels import multiplicity
from physical.kernels.sort import merged
from physical.kernels.types import Ints
from semantics.plan import Difference, Distinct, Dstream, Intersection, Istream


class IntervalDistinct(SlicedOperator):
    """δ: every row once, for as long as it has an element."""

    def __init__(self, node: Distinct) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:  # noqa: ARG002
        (part,) = parts
        keys, first = row_numbers(part.columns)
        key, start, end = multiplicity.covered_runs(keys, len(first), part.start, part.end)
        return PhysicalStream(self.schema, taken(taken(part.columns, first), key), start, end)


class IntervalSetOperation(SlicedOperator):
    """− and ∩: combines the multiplicities of a row on both sides."""

    def __init__(self, node: Difference | Intersection) -> None:
        super().__init__(node.operator, tuple(child.schema for child in node.inputs), node.schema)
        self.operation = multiplicity.SURPLUS if isinstance(node, Difference) else multiplicity.COMMON

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:  # noqa: ARG002
        left, right = parts
        columns = [concatenated(pair) for pair in zip(left.columns, right.columns, strict=True)]
        keys, first = row_numbers(columns)
        happens = merged(*bounds(keys[: len(left)], left), *bounds(keys[len(left) :], right))
        key, start, end, count = multiplicity.runs(self.operation, len(first), *happens, 2)
        return repeated(PhysicalStream(self.schema, taken(taken(columns, first), key), start, end), count)


class IntervalChanges(SlicedOperator):
    """Istream and Dstream: the rows whose multiplicity rises or falls, at the instant when it does."""

    lookback = 1

    def __init__(self, node: Istream | Dstream) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.rising = isinstance(node, Istream)

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:
        (part,) = parts
        keys, first = row_numbers(part.columns)
        key, instant, count = multiplicity.changes(self.rising, len(first), *bounds(keys, part), since)
        due = instant < until
        rows = taken(taken(part.columns, first), key[due])
        return repeated(PhysicalStream(self.schema, rows, instant[due], instant[due] + 1), count[due])


def repeated(stream: PhysicalStream, count: Ints) -> PhysicalStream:
    """Every element, repeated as often as its count says."""
    return stream if bool((count == 1).all()) else stream.take(np.repeat(np.arange(len(count)), count))
