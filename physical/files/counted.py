"""Result files as streams with a count, in the order of starts, whatever the order of the file."""

from collections.abc import Iterator

import numpy as np

from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.files.decode import DecodedBatch
from physical.files.layout import COUNT
from physical.files.reader import FileReader
from physical.files.spill import Spill
from semantics import Schema, Type
from semantics.schema import Column


def counted_schema(schema: Schema) -> Schema:
    """A schema with the count as its last column."""
    return Schema((*schema.columns, Column(COUNT, Type.INT)))


def counted(reader: FileReader, *, ordered: bool) -> Iterator[PhysicalStream]:
    """The rows of a file; if it is not in order it is sorted, on disk if it is large."""
    batches = map(_counted, reader.batches(ordered=ordered))
    if ordered:
        yield from batches
        return
    spill = Spill(counted_schema(reader.layout.schema), in_order)
    try:
        for batch in batches:
            spill.add(batch)
        yield from spill.rest()
    finally:
        spill.close()


def snapshot(batches: Iterator[PhysicalStream], t: int, schema: Schema) -> PhysicalStream:
    """The elements that are valid at t."""
    found = [PhysicalStream.empty(schema)]
    for batch in batches:
        found.append(batch.take((batch.start <= t) & (t < batch.end)))
        if len(batch) and batch.start[-1] > t:
            break
    return joined(found)


def _counted(batch: DecodedBatch) -> PhysicalStream:
    counts = np.ones(len(batch.elements), np.int64) if batch.counts is None else batch.counts
    columns = (*batch.elements.columns, ColumnVector(Type.INT, counts))
    return batch.elements.with_columns(counted_schema(batch.elements.schema), columns)
