"""A survey that the job makes which needs it: where to cut time, and which keys are heavy.

A job may make it more than once, so it must depend on the rows alone, and not on their order or on chance. The sample
has those pairs of a key and a start whose hashes are lowest, and how many rows each of them has. A key with many rows
at one instant has one pair: such rows cannot be cut over time anyway.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from physical.engines.spark.frame import START
from physical.engines.spark.lazy_slices import CUTS, HEAVY, LazySlices
from physical.engines.spark.survey import SURVEY_COLUMNS, Goal, Sample, Survey, list_batch, survey_batch
from physical.engines.spark.worker_tasks import Batches
from physical.kernels.types import Ints

PAIRS: Final = 4096
"""The different pairs of a key and a start in a sample."""
SAMPLE: Final = "key bigint, start bigint, rows bigint"
Hashes = NDArray[np.uint64]
MIXER: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class LazySurvey(Survey):
    """Which keys are heavy is in a column of the frame that the slices cut; there may be none."""

    @property
    def may_cut(self) -> bool:
        return True

    def is_heavy(self, hashed: Column) -> Column:
        return f.array_contains(f.col(HEAVY), hashed)


def lazily_surveyed(data: DataFrame, goal: Goal, hashed: Column | None = None) -> Survey:
    """What a job will find out about these rows; no job runs now."""
    key = f.lit(0) if hashed is None else hashed
    rows = data.select(key.cast("long").alias("key"), f.col(START).alias("start"), f.lit(1).cast("long").alias("rows"))
    samples = rows.mapInArrow(LowestHashes(), SAMPLE).repartition(1)
    few = samples.mapInArrow(SurveyOfSample(goal), SURVEY_COLUMNS)
    nothing = list_batch({name: np.zeros(0, np.int64) for name in few.columns})
    # The maximum of both, because Spark leaves workers out, and with them their row, if there are no rows at all.
    both = few.unionAll(few.sparkSession.createDataFrame(pa.Table.from_batches([nothing])))
    found = both.agg(*(f.max(name).alias(name) for name in few.columns))
    slices = LazySlices((), found.select(f.col("cuts").alias(CUTS)), goal.partitions)
    if hashed is None:
        return Survey((), slices, slices)
    of_heavy = found.select(f.col("heavy_cuts").alias(CUTS), f.col("heavy").alias(HEAVY))
    return LazySurvey((), slices, LazySlices((), of_heavy, goal.partitions))


@dataclass(frozen=True)
class LowestHashes:
    """The pairs with the lowest hashes, and how many rows have each: of a worker's rows, or of several samples."""

    most: int = PAIRS

    def __call__(self, batches: Batches) -> Batches:
        yield pa.RecordBatch.from_arrays([pa.array(one) for one in self.lowest(batches)], ["key", "start", "rows"])

    def lowest(self, batches: Batches) -> Ints:
        """Three rows: keys, starts, and how many rows have both."""
        kept, hashes = np.zeros((3, 0), np.int64), np.zeros(0, np.uint64)
        for batch in batches:
            more = np.stack([column.to_numpy() for column in batch.columns])
            new = _hashes(more)
            if len(hashes) == self.most:  # what is higher than all that is kept can never come in
                low = new <= hashes[-1]
                more, new = more[:, low], new[low]
            kept, hashes = self._lowest(np.concatenate([kept, more], axis=1), np.concatenate([hashes, new]))
        return kept

    def _lowest(self, pairs: Ints, hashes: Hashes) -> tuple[Ints, Hashes]:
        """Each pair once, in the order of the hashes."""
        different, first, places = np.unique(hashes, return_index=True, return_inverse=True)
        rows = np.bincount(places, pairs[2], len(different)).astype(np.int64)
        return np.stack([*pairs[:2, first], rows])[:, : self.most], different[: self.most]


def _hashes(pairs: Ints) -> Hashes:
    """A number for each pair that has nothing to do with its size; for one key, different ones for different starts."""
    return _mixed(_mixed(pairs[0].astype(np.uint64)) + pairs[1].astype(np.uint64))


def _mixed(numbers: Hashes) -> Hashes:
    mixed = numbers * MIXER
    mixed = (mixed ^ (mixed >> np.uint64(32))) * MIXER
    return mixed ^ (mixed >> np.uint64(29))


@dataclass(frozen=True)
class SurveyOfSample:
    """One worker has the samples of all others, and says which keys are heavy and where to cut."""

    goal: Goal

    def __call__(self, batches: Batches) -> Batches:
        keys, starts, rows = LowestHashes().lowest(batches)
        # A pair that is there has all of its rows; but if there may be others, every share is only that of the sample.
        part = rows.sum() / len(rows) if 0 < len(rows) < PAIRS else 0.0
        yield survey_batch(Sample(keys, starts, rows.astype(np.float64)).surveyed(self.goal, part))
