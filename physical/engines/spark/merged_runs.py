"""Runs that were found slice by slice, put together at the cuts: so no worker needs all elements of one row.

Only runs that touch a cut can continue in another slice, and for each row there are at most two of them in a slice.
These come together by their row. All others stay apart.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as f

from physical.columns.stream import PhysicalStream
from physical.engines.spark.exchange import Spread, key_hash, place, placed
from physical.engines.spark.frame import END, START, Frame, from_batches, spark_schema, to_table
from physical.engines.spark.last_rows import groups_of
from physical.engines.spark.slices import SLICE, Slices
from physical.engines.spark.worker_tasks import Batches, failing_readably
from semantics import Schema


def whole_runs(runs: Frame, slices: Slices, spread: Spread) -> Frame:
    """The maximal runs, from those that are maximal within these slices; the count is the last column."""
    touches = slices.is_cut(START) | slices.is_cut(END)
    number = f.when(touches, f.lit(0)).otherwise(slices.number(f.col(START)))
    data, number = slices.numbered(runs.data, number)
    where = place(key_hash(runs.schema, tuple(range(len(runs.schema) - 1))), spread, number)
    made = placed(data, where, spread).drop(SLICE).mapInArrow(MergedRuns(runs.schema), spark_schema(runs.schema))
    return runs.of(made)


@dataclass(frozen=True)
class MergedRuns:
    """A worker's part of the runs, with their count as the last column."""

    schema: Schema

    def __call__(self, batches: Batches) -> Batches:
        return failing_readably(self._run, batches)

    def _run(self, batches: Batches) -> Batches:
        listed = list(batches)
        if listed:
            whole = from_batches(pa.Table.from_batches(listed), self.schema)
            yield from to_table(merged_runs(whole)).to_batches(1 << 17)


def merged_runs(runs: PhysicalStream) -> PhysicalStream:
    """Runs of the same row and count as one, if one starts where the other ends."""
    numbers = groups_of(runs, tuple(range(len(runs.schema) - 1)))
    order = np.lexsort((runs.start, numbers))
    runs, numbers = runs.take(order), numbers[order]
    counts = runs.columns[-1].values
    same = (numbers[1:] == numbers[:-1]) & (counts[1:] == counts[:-1])
    first = np.flatnonzero(np.append(True, ~(same & (runs.start[1:] == runs.end[:-1])))[: len(runs)])
    last = np.append(first[1:] - 1, len(runs) - 1)[: len(first)]
    return runs.take(first).valid_during(runs.start[first], runs.end[last])
