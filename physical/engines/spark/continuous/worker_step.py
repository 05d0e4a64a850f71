"""One step of a part in a worker: restore it, let it treat the rows of a batch, give out what is new."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Row

from physical.engines.spark.continuous.packed_rows import (
    COUNT,
    LATE,
    PACKED,
    STATE_ROWS,
    WATERMARK,
    read,
    written,
)
from physical.engines.spark.continuous.part import QueryPart
from physical.engines.spark.continuous.part_task import PartTask
from physical.engines.spark.errors import marked
from physical.engines.spark.frame import START, from_batches
from physical.engines.spark.worker_tasks import TAG, WorkerFailure, apart
from semantics import SnapeqError

END_TAG: Final = -1
"""The tag of the row that says that the streams are over."""


def run_step(job: PartTask, known: Any, tables: Mapping[str, bytes], rows: Sequence[Row], watermark: int) -> QueryPart:
    """The part after this batch; it has ended if one of the rows says so."""
    try:
        part = _awake(job, known, tables)
        _take(part, [batch for row in rows for batch in read(row[PACKED]).to_batches()], watermark)
        return part
    except SnapeqError as error:
        raise WorkerFailure(marked(error)) from None


def _awake(job: PartTask, known: Any, tables: Mapping[str, bytes]) -> QueryPart:
    """The part with its saved state, or with its tables at the first batch."""
    if known is not None:
        return QueryPart(job, bytes(known[0]), opened=bytes(known[1]))
    return QueryPart(job, None, {name: from_batches(read(tables[name]), schema) for name, schema in job.tables})


def _take(part: QueryPart, batches: list[pa.RecordBatch], watermark: int) -> None:
    names, schemas = zip(*part.job.streams, strict=True)
    tables = apart([batch.filter(pc.not_equal(batch.column(TAG), END_TAG)) for batch in batches], schemas)
    streams = [from_batches(table, schema) for table, schema in zip(tables, schemas, strict=True)]
    part.take(dict(zip(names, streams, strict=True)), watermark)
    for until in _ends(batches):
        part.end(until)


def _ends(batches: list[pa.RecordBatch]) -> list[int]:
    """The instants at which the streams are over, from the rows that say so."""
    ends = [batch.filter(pc.equal(batch.column(TAG), END_TAG)).column(START) for batch in batches]
    return [until for column in ends for until in column.to_pylist()]


def output_rows(part: QueryPart, watermark: int) -> Iterator[Row]:
    """The output of the part, how many elements of each source came too late, and how the part fares."""
    if len(given := part.given()):
        yield Row(**{PACKED: written(given), LATE: None, COUNT: 1})
    for source, count in part.late().items():
        yield Row(**{PACKED: None, LATE: source, COUNT: count})
    for measure, value in ((STATE_ROWS, part.state_rows), (WATERMARK, watermark)):
        yield Row(**{PACKED: None, LATE: measure, COUNT: value})
