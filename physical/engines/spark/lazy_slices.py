"""Slices of time for a DataFrame that nobody has looked at yet: the cuts are a column, the same array in every row."""

from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from physical.engines.spark.frame import END, START
from physical.engines.spark.slices import SLICE, Slices, found_in_array
from physical.kernels.types import ENDLESS

CUTS: Final = "_cuts"
HEAVY: Final = "_heavy"
"""The hashes of the keys that are cut, if not all are."""


@dataclass(frozen=True)
class LazySlices(Slices):
    """All of time, cut at instants that a DataFrame with one row has; a frame gets them with `with_cuts`."""

    found: DataFrame | None = None
    most: int = 1

    @property
    def is_whole(self) -> bool:
        return False

    @property
    def most_slices(self) -> int:
        """How many there are at most; of those that there are not, the bounds are without end."""
        return self.most

    def with_cuts(self, data: DataFrame) -> DataFrame:
        assert self.found is not None
        return data.crossJoin(f.broadcast(self.found))

    def without_cuts(self, data: DataFrame) -> DataFrame:
        return data.drop(CUTS, HEAVY)

    def numbered(self, data: DataFrame, number: Column) -> tuple[DataFrame, Column]:
        """An exchange must not carry the cuts with every row, so the number is a column."""
        return self.without_cuts(self.with_cuts(data).withColumn(SLICE, number)), f.col(SLICE)

    def number(self, t: Column) -> Column:
        return found_in_array(t, f.col(CUTS), self.most)

    def bound(self, number: Column, side: int) -> Column:
        """Before the first cut is 0, and after the last one is no end."""
        at = f.get(f.col(CUTS), number.cast("int") - 1 + side)
        return f.coalesce(at, f.when(number + side == 0, f.lit(0)).otherwise(f.lit(ENDLESS)).cast("long"))

    def is_cut(self, name: str) -> Column:
        return f.array_contains(f.col(CUTS), f.col(name))

    def rows(self, spark: SparkSession) -> DataFrame:  # noqa: ARG002  # it has one
        assert self.found is not None
        numbers = f.explode(f.sequence(f.lit(0), f.size(CUTS))).alias("c0")
        numbered = self.found.select(CUTS, numbers)
        bounds = [self.bound(f.col("c0"), side).alias(name) for side, name in enumerate((START, END))]
        return numbered.select(f.col("c0").cast("long").alias("c0"), *bounds)
