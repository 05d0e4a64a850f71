"""Streams as tables with a row for every tuple and instant, and back."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from physical.columns.arrow import to_arrow
from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS, Ints
from semantics import Interval, Schema

INSTANT: Final = "t"
Tables = Mapping[str, pa.Table]


def snapshot_table(stream: PhysicalStream, horizon: int) -> pa.Table:
    """The columns t, c0, c1, …: one row for each tuple and each instant before the horizon."""
    elements, instants = _exploded(stream, horizon)
    plain = [_plain(column) for column in to_arrow(stream.take(elements)).columns[: len(stream.schema)]]
    names = [f"c{i}" for i in range(len(plain))]
    return pa.table([pa.array(instants), *plain], names=[INSTANT, *names])


def instants_table(horizon: int) -> pa.Table:
    """All instants before the horizon."""
    return pa.table({INSTANT: pa.array(np.arange(horizon, dtype=np.int64))})


def last_bound(stream: PhysicalStream) -> int:
    """The last instant at which it changes."""
    bounds = np.concatenate([stream.start, stream.end[stream.end != ENDLESS]])
    return int(bounds.max(initial=0))


def from_snapshot_rows(rows: Iterable[tuple[Any, ...]], schema: Schema) -> PhysicalStream:
    """The chronon stream that rows with an instant in front stand for."""
    ordered = sorted(rows, key=lambda row: row[0])
    elements = ((schema.row(values, "row of the result"), Interval(t, t + 1)) for t, *values in ordered)
    return PhysicalStream.from_elements(schema, elements)


def _exploded(stream: PhysicalStream, horizon: int) -> tuple[Ints, Ints]:
    """For every row of the table, the position of its element, and its instant."""
    lengths = np.maximum(np.minimum(stream.end, horizon) - stream.start, 0)
    elements = np.repeat(np.arange(len(stream)), lengths)
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return elements, stream.start[elements] + np.arange(len(elements)) - first


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column without a dictionary, and without −0.0, which is the same value as 0.0 but not to every engine."""
    if pa.types.is_dictionary(column.type):
        return column.cast(pa.string())
    return pc.add(column, 0.0) if pa.types.is_floating(column.type) else column
