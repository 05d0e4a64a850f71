"""Unnest: every element once for each element of an array in its row."""

import numpy as np

from physical.columns import expressions
from physical.columns.column import ColumnVector, from_values
from physical.columns.stream import PhysicalStream
from physical.engines.interval.operator import StatelessOperator
from physical.kernels.types import Ints
from semantics import Type
from semantics.plan import Unnest


class IntervalUnnest(StatelessOperator):
    """υ: arrays are coded, so each different one is taken apart once."""

    def __init__(self, node: Unnest) -> None:
        super().__init__("Unnest", (node.input.schema,), node.schema)
        self.node = node

    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        made = unnested_columns(self.node, batch.columns, len(batch))
        rows, columns = made
        taken = batch.take(rows)
        return taken.with_columns(self.schema, [*taken.columns, *columns])


def unnested_columns(node: Unnest, columns: tuple[ColumnVector, ...], length: int) -> tuple[Ints, list[ColumnVector]]:
    """Which row each row of the output comes from, and the columns that are new."""
    arrays = expressions.evaluate(node.array, columns, length)
    assert arrays.words is not None, "arrays are coded"
    assert node.array.type.element is not None
    sizes = np.fromiter(map(len, arrays.words), np.int64, len(arrays.words))
    first = np.cumsum(sizes) - sizes
    counts = np.where(arrays.mask(), sizes[arrays.values], 0) if length else np.zeros(0, np.int64)
    times = np.maximum(counts, 1) if node.outer else counts
    rows: Ints = np.repeat(np.arange(length), times)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
    there = place < counts[rows]
    parts = from_values([*(part for word in arrays.words for part in word), None], node.array.type.element)
    elements = parts.take(np.where(there, first[arrays.values[rows]] + place, len(parts) - 1))
    if not node.numbered:
        return rows, [elements]
    known = None if there.all() else there
    return rows, [elements, ColumnVector(Type.INT, np.where(there, place + 1, 0), known)]
