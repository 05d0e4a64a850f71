"""Slices of time: where time is cut, and how rows are cut there."""

from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from physical.engines.spark.frame import END, START
from physical.kernels.types import ENDLESS

SLICE: Final = "_slice"


@dataclass(frozen=True)
class Slices:
    """All of time, cut at these instants."""

    cuts: tuple[int, ...]

    @property
    def bounds(self) -> list[tuple[int, int]]:
        return list(pairwise((0, *self.cuts, ENDLESS)))

    def number(self, t: Column) -> Column:
        """The number of the slice of an instant."""
        return reduce(lambda total, cut: total + (t >= cut).cast("int"), self.cuts, f.lit(0))

    def cut(self, data: DataFrame, where: Column | None = None) -> DataFrame:
        """The rows `where`, cut at the bounds, each piece with its slice number; other rows uncut, in slice 0."""
        first, last = self.number(f.col(START)), self.number(f.col(END) - 1)
        chosen = f.sequence(first, last)
        if where is not None:
            chosen = f.when(where, chosen).otherwise(f.array(f.lit(0)))
        pieces = data.withColumn(SLICE, f.explode(chosen))
        inside = f.lit(True) if where is None else where
        start = f.greatest(f.col(START), self.bound(f.col(SLICE), 0))
        end = f.least(f.col(END), self.bound(f.col(SLICE), 1))
        return pieces.withColumns(
            {START: f.when(inside, start).otherwise(f.col(START)), END: f.when(inside, end).otherwise(f.col(END))}
        )

    def bound(self, number: Column, side: int) -> Column:
        """Where the slice with a number begins (side 0) or ends (side 1)."""
        listed = f.array(*(f.lit(bound[side]).cast("long") for bound in self.bounds))
        return f.element_at(listed, number.cast("int") + 1)

    def rows(self, spark: SparkSession) -> DataFrame:
        """One row for each slice, valid during the slice."""
        listed = [(number, *bound) for number, bound in enumerate(self.bounds)]
        return spark.createDataFrame(listed, f"c0 long, {START} long, {END} long")
