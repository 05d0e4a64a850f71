"""Slices of time for a DataFrame that nobody has looked at yet: where to cut is found by the job that needs it.

The cuts are a column, the same array in every row. A job may compute them more than once, so they must depend on the
rows alone, and not on their order or on chance: the sample has the starts with the lowest hashes.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from physical.engines.spark.frame import END, START
from physical.engines.spark.slices import SLICE, Slices, found_in_array
from physical.engines.spark.survey import cuts_at
from physical.engines.spark.worker_tasks import Batches
from physical.kernels.types import ENDLESS, Ints

CUTS: Final = "_cuts"
STARTS_OF_A_WORKER: Final = 4096
"""The different starts in a sample."""
SAMPLE: Final = "start bigint, rows bigint"
MIXER: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class LazySlices(Slices):
    """All of time, cut at instants that a DataFrame with one row has; a frame gets them with `with_cuts`."""

    found: DataFrame | None = None
    most: int = 1

    @classmethod
    def of(cls, data: DataFrame, number: int) -> "LazySlices":
        """About this many slices with about equally many starts of these rows; no job runs."""
        sample = data.select(f.col(START).alias("start"), f.lit(1).cast("long").alias("rows"))
        samples = sample.mapInArrow(LowestHashes(), SAMPLE).repartition(1)
        few = samples.mapInArrow(CutsOfSample(number), "cuts array<bigint>")
        none = few.sparkSession.createDataFrame(pa.table({"cuts": pa.array([[]], pa.list_(pa.int64()))}))
        # The maximum of both, because Spark leaves workers out, and with them their row, if there are no rows at all.
        return cls((), few.unionAll(none).agg(f.max("cuts").alias(CUTS)), number)

    @property
    def is_whole(self) -> bool:
        return False

    def with_cuts(self, data: DataFrame) -> DataFrame:
        assert self.found is not None
        return data.crossJoin(f.broadcast(self.found))

    def without_cuts(self, data: DataFrame) -> DataFrame:
        return data.drop(CUTS)

    def numbered(self, data: DataFrame, number: Column) -> tuple[DataFrame, Column]:
        """An exchange must not carry the cuts with every row, so the number is a column."""
        return self.without_cuts(self.with_cuts(data).withColumn(SLICE, number)), f.col(SLICE)

    def number(self, t: Column) -> Column:
        return found_in_array(t, f.col(CUTS), self.most)

    def bound(self, number: Column, side: int) -> Column:
        """Before the first cut is 0, and after the last one is no end."""
        at = f.get(f.col(CUTS), number.cast("int") - 1 + side)
        return f.coalesce(at, f.when(number + side == 0, f.lit(0)).otherwise(f.lit(ENDLESS)).cast("long"))

    def is_cut(self, t: Column) -> Column:
        return f.array_contains(f.col(CUTS), t)

    def rows(self, spark: SparkSession) -> DataFrame:  # noqa: ARG002  # it has one
        assert self.found is not None
        numbers = f.explode(f.sequence(f.lit(0), f.size(CUTS))).alias("c0")
        numbered = self.found.select(CUTS, numbers)
        bounds = [self.bound(f.col("c0"), side).alias(name) for side, name in enumerate((START, END))]
        return numbered.select(f.col("c0").cast("long").alias("c0"), *bounds)


@dataclass(frozen=True)
class LowestHashes:
    """The starts with the lowest hashes, and how many rows have each: of a worker's rows, or of several samples."""

    most: int = STARTS_OF_A_WORKER

    def __call__(self, batches: Batches) -> Batches:
        starts, rows = self.lowest(batches)
        yield pa.RecordBatch.from_arrays([pa.array(starts), pa.array(rows)], ["start", "rows"])

    def lowest(self, batches: Batches) -> tuple[Ints, Ints]:
        starts = rows = np.zeros(0, np.int64)
        for batch in batches:
            more = [column.to_numpy() for column in batch.columns]
            starts, rows = self._both(np.concatenate([starts, more[0]]), np.concatenate([rows, more[1]]))
        return starts, rows

    def _both(self, starts: Ints, rows: Ints) -> tuple[Ints, Ints]:
        different, places = np.unique(starts, return_inverse=True)
        counts = np.bincount(places, rows, len(different)).astype(np.int64)
        if len(different) <= self.most:
            return different, counts
        low = np.sort(np.argpartition(_hashes(different), self.most)[: self.most])
        return different[low], counts[low]


def _hashes(starts: Ints) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    """A number for each start that has nothing to do with its size; different for different starts."""
    mixed = starts.astype(np.uint64) * MIXER
    mixed = (mixed ^ (mixed >> np.uint64(32))) * MIXER
    return mixed ^ (mixed >> np.uint64(29))


@dataclass(frozen=True)
class CutsOfSample:
    """One worker has the samples of all others, and says where to cut."""

    number: int

    def __call__(self, batches: Batches) -> Batches:
        starts, rows = LowestHashes().lowest(batches)
        cuts = np.array(cuts_at(starts, rows.astype(np.float64), self.number), np.int64)
        yield pa.RecordBatch.from_arrays([pa.ListArray.from_arrays([0, len(cuts)], pa.array(cuts))], ["cuts"])
