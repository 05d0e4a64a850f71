"""One step of a part in a worker: it wakes up, treats the rows of a batch, is saved, and gives out what is new."""

from collections.abc import Iterator, Mapping, Sequence

from pyspark.sql import Row

from physical.engines.spark.continuous.packed_rows import COUNT, LATE, PACKED, STATE_ROWS, WATERMARK, written
from physical.engines.spark.continuous.part import QueryPart
from physical.engines.spark.continuous.part_store import PartStore
from physical.engines.spark.errors import marked
from physical.engines.spark.worker_tasks import WorkerFailure
from semantics import SnapeqError


def run_step(store: PartStore, tables: Mapping[str, bytes], rows: Sequence[Row], watermark: int) -> list[Row]:
    """The output of a part for a batch, after which it is saved; it has ended if one of the rows says so."""
    try:
        part, packed = store.awake(tables), [bytes(row[PACKED]) for row in rows]
        part.take_packed(packed, watermark)
        output = list(output_rows(part, watermark))
        store.save(part, packed, watermark)
        return output
    except SnapeqError as error:
        raise WorkerFailure(marked(error)) from None


def output_rows(part: QueryPart, watermark: int) -> Iterator[Row]:
    """The output of the part, how many elements of each source came too late, and how the part fares."""
    if len(given := part.given()):
        yield Row(**{PACKED: written(given), LATE: None, COUNT: 1})
    for source, count in part.late().items():
        yield Row(**{PACKED: None, LATE: source, COUNT: count})
    for measure, value in ((STATE_ROWS, part.state_rows), (WATERMARK, watermark)):
        yield Row(**{PACKED: None, LATE: measure, COUNT: value})
