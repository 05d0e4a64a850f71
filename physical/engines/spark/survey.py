"""The distribution of rows over keys and over time, from a sample, with one job for both."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from physical.engines.spark.errors import readable_errors
from physical.engines.spark.frame import START
from physical.engines.spark.slices import Slices
from physical.engines.spark.worker_tasks import Batches
from physical.kernels.types import Ints

KEY_BUCKETS: Final = 4096
"""Keys are counted by this many buckets of hashes: there may be too many keys to count each."""
STARTS_KEPT: Final = 4096
"""How many starts represent those of all rows, with equally many rows between two of them."""
SAMPLE_SEED: Final = 1
BUCKET: Final = "_bucket"
SURVEY_COLUMNS: Final = "counts array<bigint>, starts array<bigint>, rows bigint"


@dataclass(frozen=True)
class Survey:
    """The number of rows of each bucket of keys; and some ordered starts with the distribution of all starts."""

    counts: Ints
    starts: Ints
    rows: int

    def heavy(self, most: float) -> list[int]:
        """The buckets with more than this fraction of all rows."""
        return [int(bucket) for bucket in np.flatnonzero(self.counts > most * self.rows)]

    def slices(self, number: int) -> Slices:
        """About this many slices with about equally many starts."""
        if number < 2 or not len(self.starts):
            return Slices(())
        cuts = self.starts[np.arange(1, number) * len(self.starts) // number]
        return Slices(tuple(int(t) for t in np.unique(cuts) if t > 0))


def surveyed(data: DataFrame, part: float = 1.0, hashed: Column | None = None) -> Survey:
    """Survey a fraction of the rows, always the same for the same data; without a hash all are in one bucket."""
    bucket = f.lit(0) if hashed is None else f.pmod(hashed, f.lit(KEY_BUCKETS))
    sample = data if part >= 1 else data.sample(part, SAMPLE_SEED)
    parts = sample.select(bucket.cast("bigint").alias(BUCKET), START).mapInArrow(looked_at, SURVEY_COLUMNS)
    with readable_errors():
        table = parts.repartition(1).mapInArrow(put_together, SURVEY_COLUMNS).toArrow()
    return _merged(_surveys(table.to_batches()))


def in_buckets(hashed: Column, buckets: list[int]) -> Column:
    """Is a row's key in one of these buckets?"""
    return f.pmod(hashed, f.lit(KEY_BUCKETS)).isin(buckets)


def looked_at(batches: Batches) -> Batches:
    """A worker's survey of its part of the sample."""
    found = [_of_rows(batch.column(0).to_numpy(), batch.column(1).to_numpy()) for batch in batches]
    yield _batch(_merged(found))


def put_together(batches: Batches) -> Batches:
    """One worker merges the surveys of all others."""
    yield _batch(_merged(_surveys(batches)))


def _of_rows(buckets: Ints, starts: Ints) -> Survey:
    return Survey(
        np.bincount(buckets, minlength=KEY_BUCKETS), _points(np.sort(starts), np.ones(len(starts))), len(starts)
    )


def _merged(surveys: Iterable[Survey]) -> Survey:
    """One survey from several; a start has the weight of the rows that it represents in its survey."""
    all_ = [one for one in surveys if one.rows]
    counts = sum((one.counts for one in all_), np.zeros(KEY_BUCKETS, np.int64))
    starts = np.concatenate([np.zeros(0, np.int64), *(one.starts for one in all_)])
    weights = np.concatenate([np.zeros(0), *(np.full(len(one.starts), one.rows / len(one.starts)) for one in all_)])
    order = np.argsort(starts, kind="stable")
    return Survey(counts, _points(starts[order], weights[order]), sum(one.rows for one in all_))


def _points(starts: Ints, weights: NDArray[np.float64]) -> Ints:
    """At most STARTS_KEPT starts, with equal weight between two of them."""
    if len(starts) <= STARTS_KEPT and len(np.unique(weights)) <= 1:
        return starts
    reached = np.cumsum(weights)
    chosen: Ints = starts[np.searchsorted(reached, (np.arange(STARTS_KEPT) + 0.5) * reached[-1] / STARTS_KEPT)]
    return chosen


def _batch(survey: Survey) -> pa.RecordBatch:
    columns = [pa.array([survey.counts.tolist()]), pa.array([survey.starts.tolist()], pa.list_(pa.int64()))]
    return pa.RecordBatch.from_arrays([*columns, pa.array([survey.rows])], ["counts", "starts", "rows"])


def _surveys(batches: Iterable[pa.RecordBatch]) -> Iterator[Survey]:
    for batch in batches:
        for counts, starts, rows in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            yield Survey(np.array(counts, np.int64), np.array(starts, np.int64), rows)
