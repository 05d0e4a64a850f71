"""Slices of time: where time is cut, and how rows are cut there."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from physical.engines.spark.frame import END, START
from physical.kernels.types import ENDLESS

SLICE: Final = "_slice"
FEW_CUTS: Final = 16
"""Up to this many cuts, nested conditions are fastest.

With more, the code that Spark generates for a row becomes longer than what Java compiles: with 49 cuts a row of a heavy
key took three times as long.
"""
LISTED: Final = 10_000
"""Up to this many cuts, Spark parses a list of them within a second."""
SHORT: Final = 64
"""Up to this many constants are sent one by one."""


@dataclass(frozen=True)
class Slices:
    """All of time, cut at these instants."""

    cuts: tuple[int, ...]

    @property
    def bounds(self) -> list[tuple[int, int]]:
        return list(pairwise((0, *self.cuts, ENDLESS)))

    @property
    def is_whole(self) -> bool:
        """Is it surely one slice?"""
        return not self.cuts

    @property
    def most_slices(self) -> int:
        """How many slices there are, at most."""
        return len(self.cuts) + 1

    def with_cuts(self, data: DataFrame) -> DataFrame:
        """Rows for which the other methods may be used."""
        return data

    def without_cuts(self, data: DataFrame) -> DataFrame:
        """The same rows with their own columns alone."""
        return data

    def numbered(self, data: DataFrame, number: Column) -> tuple[DataFrame, Column]:
        """Rows, and a number that was computed by other methods, as an expression that may be used for them."""
        return data, number

    def number(self, t: Column) -> Column:
        """The number of the slice of an instant.

        It is found by comparing with about as many cuts as the number of slices has binary digits. A sum with a term
        for each cut would be simpler, but from some hundred cuts on Spark could not plan it.
        """
        if len(self.cuts) <= FEW_CUTS:
            return _found_by_branches(t, self.cuts)
        return found_in_array(t, _constant(self.cuts), len(self.cuts))

    def cut(self, data: DataFrame, where: Column | None = None) -> DataFrame:
        """The rows `where`, cut at the bounds, each piece with its slice number; other rows uncut, in slice 0."""
        first, last = self.number(f.col(START)), self.number(f.col(END) - 1)
        chosen = f.sequence(first, last)
        if where is not None:
            chosen = f.when(where, chosen).otherwise(f.array(f.lit(0)))
        pieces = self.with_cuts(data).withColumn(SLICE, f.explode(chosen))
        inside = f.lit(True) if where is None else where
        start = f.greatest(f.col(START), self.bound(f.col(SLICE), 0))
        end = f.least(f.col(END), self.bound(f.col(SLICE), 1))
        cut = pieces.withColumns(
            {START: f.when(inside, start).otherwise(f.col(START)), END: f.when(inside, end).otherwise(f.col(END))}
        )
        return self.without_cuts(cut)

    def bound(self, number: Column, side: int) -> Column:
        """Where the slice with a number begins (side 0) or ends (side 1)."""
        return f.get(_constant([bound[side] for bound in self.bounds]), number.cast("int"))

    def is_cut(self, name: str) -> Column:
        """Is time cut at the instant in this column?

        A list in SQL becomes a set in which Spark looks once; constants that are sent one by one would take seconds.
        """
        if not self.cuts:
            return f.lit(False)
        if len(self.cuts) <= LISTED:
            return f.expr(f"{name} IN ({', '.join(f'{cut}L' for cut in self.cuts)})")
        return (f.col(name) > 0) & (self.bound(self.number(f.col(name)), 0) == f.col(name))

    def rows(self, spark: SparkSession) -> DataFrame:
        """One row for each slice, valid during the slice."""
        begins, ends = zip(*self.bounds, strict=True)
        return spark.createDataFrame(pa.table([range(len(begins)), begins, ends], ["c0", START, END]))


def _found_by_branches(t: Column, cuts: Sequence[int], before: int = 0) -> Column:
    """How many cuts are at t or before, by nested conditions, which Spark compiles; `before` are so in any case."""
    if not cuts:
        return f.lit(before)
    middle = len(cuts) // 2
    later = _found_by_branches(t, cuts[middle + 1 :], before + middle + 1)
    return f.when(t >= cuts[middle], later).otherwise(_found_by_branches(t, cuts[:middle], before))


def found_in_array(t: Column, array: Column, most: int) -> Column:
    """The same, by binary search in an array of at most this many cuts, for which code would be too long."""
    steps = [1 << bit for bit in reversed(range(most.bit_length()))]
    return f.aggregate(
        _constant(steps).cast("array<int>"),
        f.lit(0),
        lambda found, step: found + f.when(f.get(array, found + step - 1) <= t, step).otherwise(f.lit(0)),
    )


def _constant(numbers: Sequence[int]) -> Column:
    """An array; if it is long, it is one text that Spark converts once: many constants take long to send."""
    if len(numbers) <= SHORT:
        return f.array(*(f.lit(number).cast("bigint") for number in numbers))
    return f.split(f.lit(",".join(map(str, numbers))), ",").cast("array<bigint>")
