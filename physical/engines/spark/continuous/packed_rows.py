"""Elements travel to the parts, and results from them, as many rows packed into one in Arrow's format.

Spark's exchange and state functions pass packed rows on untouched. No value is converted on the way, so NULL and NaN
stay different, and whole numbers keep all their digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

PART: Final = "_part"
PACKED: Final = "_packed"
LATE: Final = "_late"
COUNT: Final = "_count"
CHANGE: Final = "_change"
Batches = Iterator[pa.RecordBatch]

PACKED_COLUMNS: Final = f"{PART} int, {PACKED} binary"
OUTPUT_COLUMNS: Final = f"{PACKED} binary, {LATE} string, {COUNT} long"
"""The output of a part: packed results, how many elements of a source came too late, or a measure of the part."""
STATE_ROWS: Final = " state rows"
WATERMARK: Final = " watermark"
MEASURES: Final = (STATE_ROWS, WATERMARK)
"""What a part says about itself, in the place of the name of a source; no name begins with a blank."""


def written(table: pa.Table) -> bytes:
    """A table as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]  # bytes


def read(data: Any) -> pa.Table:
    """The table from its bytes."""
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()


def pack(batches: Batches) -> Batches:
    """Pack the rows of each part and batch into one row."""
    for batch in batches:
        parts = pc.unique(batch.column(PART))
        rows = [_of_part(batch, part) for part in parts]
        yield pa.record_batch([parts.cast(pa.int32()), pa.array(rows, pa.binary())], [PART, PACKED])


def _of_part(batch: pa.RecordBatch, part: pa.Scalar) -> bytes:
    return written(pa.Table.from_batches([batch.filter(pc.equal(batch.column(PART), part))]))


@dataclass(frozen=True)
class Unpack:
    """Unpacks the output of parts: results or changes, and counts of late elements with the name of their source."""

    schema: pa.Schema

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for packed, late, count in zip(*(batch.column(name) for name in (PACKED, LATE, COUNT)), strict=True):
                given = read(packed.as_buffer()) if packed.is_valid else _one_row(self.schema, count.as_py())
                yield from given.append_column(LATE, pa.array([late.as_py()] * len(given), pa.string())).to_batches()


def _one_row(schema: pa.Schema, count: int) -> pa.Table:
    """A row of NULLs that is valid at 0, because an interval must not be NULL."""
    numbers = {"_start": pa.array([0], pa.int64()), "_end": pa.array([1], pa.int64()), COUNT: pa.array([count])}
    return pa.table({f.name: numbers.get(f.name, pa.nulls(1, f.type)) for f in schema})
