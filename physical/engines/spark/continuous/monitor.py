"""How a continuous query fares, batch by batch: rows, late elements, state, watermark, throughput.

The figures are observed metrics of Spark's own progress, so any listener of streaming queries sees them, too: `snapeq`
for the query and `snapeq NAME` for each stream. Spark's own count of input rows is one of files, if our readers read
them, and its count of state rows is one of parts.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql.streaming.listener import StreamingQueryProgress

from physical.engines.spark.continuous.packed_rows import COUNT, LATE, MEASURES, STATE_ROWS, WATERMARK
from physical.engines.spark.frame import Frame
from semantics.how_many import how_many

METRICS: Final = "snapeq"
STATE_METRIC: Final = STATE_ROWS.strip()
WATERMARK_METRIC: Final = WATERMARK.strip()
ROWS: Final = "rows"
"""The metric of a stream: how many rows it had in a batch."""


def late_metric(stream: str) -> str:
    """The metric of the query that counts late elements of a stream."""
    return f"late {stream}"


@dataclass(frozen=True)
class BatchProgress:
    """What one batch has done, and what there was after it."""

    batch: int
    rows: Mapping[str, int]
    """The rows of each stream."""
    late: Mapping[str, int]
    """Those of them that were too late and are left out."""
    state_rows: int
    """How many rows all operators hold together."""
    watermark: int
    """No element before this instant was on time any more."""
    seconds: float

    @property
    def rows_per_second(self) -> float:
        return sum(self.rows.values()) / self.seconds if self.seconds else 0.0

    def __str__(self) -> str:
        streams = ", ".join(
            f"{name} {how_many(count, 'row')} ({self.late[name]:,} late)" for name, count in self.rows.items()
        )
        speed = f"{self.rows_per_second:,.0f} rows/s"
        state = how_many(self.state_rows, "row")
        return f"batch {self.batch}: {streams}; {speed}; state {state}; watermark {self.watermark}"


def counted_rows(name: str, frame: Frame) -> Frame:
    """The same frame; Spark's progress says how many rows it had."""
    return frame.of(frame.data.observe(f"{METRICS} {name}", f.count(f.lit(1)).alias(ROWS)))


def measured(output: DataFrame, streams: Iterable[str]) -> DataFrame:
    """The output of all parts without what they say about themselves, which goes into Spark's progress."""
    about = [f.sum(_of(STATE_ROWS)).alias(STATE_METRIC), f.max(_of(WATERMARK)).alias(WATERMARK_METRIC)]
    late = [f.sum(_of(name)).alias(late_metric(name)) for name in streams]
    kept = f.col(LATE).isNull() | ~f.col(LATE).isin(*MEASURES)
    return output.observe(METRICS, *about, *late).where(kept)


def _of(kind: str) -> Column:
    return f.when(f.col(LATE) == kind, f.col(COUNT))


def batches(progress: Iterable[StreamingQueryProgress], streams: Iterable[str]) -> Iterator[BatchProgress]:
    """What Spark reports, for batches in which any part was awake."""
    names = list(streams)
    for one in progress:
        found = {name: metrics.asDict() for name, metrics in one.observedMetrics.items()}  # without those that are NULL
        about = found.get(METRICS, {})
        if about.get(STATE_METRIC) is not None:
            yield BatchProgress(
                one.batchId,
                {name: found.get(f"{METRICS} {name}", {}).get(ROWS) or 0 for name in names},
                {name: about.get(late_metric(name)) or 0 for name in names},
                about[STATE_METRIC],
                about[WATERMARK_METRIC],
                one.durationMs["triggerExecution"] / 1000,
            )
