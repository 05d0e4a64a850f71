"""Windows over the last rows, cut over time: a slice also gets the earlier rows that its windows may show.

These are few: for each group, as many as a window holds. First every worker finds the last rows of each slice among its
own rows; then, for every slice, the last rows before it are found among these. The number of the slice is an extra key
of the window, so that one worker may have several slices.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
from pyspark.sql import Column as SparkColumn
from pyspark.sql import functions as f

from physical.columns.column import ColumnVector
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream, joined
from physical.engines.spark.exchange import Spread, key_hash, place, placed
from physical.engines.spark.frame import END, START, Frame, from_batches, names, spark_schema, to_table
from physical.engines.spark.partition_keys import Keys
from physical.engines.spark.slices import Slices
from physical.engines.spark.worker_tasks import Batches, failing_readably, source
from physical.kernels.sort import stable_order
from semantics import Schema, Type
from semantics import schema as schemas
from semantics.plan import CountWindow, PartitionedWindow

AnyRows = CountWindow | PartitionedWindow
ALL_OF_TIME: Final = -1
"""The slice number of rows that are not cut."""
ROWS_AT_ONCE: Final = 1 << 18
"""The rows that a worker treats at once: this bounds its memory."""


def can_be_cut(plan: AnyRows) -> bool:
    """Does the window depend only on the last rows, and not on how many rows there were before?"""
    return plan.slide == 1


@dataclass(frozen=True)
class LastRows:
    """The last rows of each group, all that a window needs of the past; the slice number is the last column."""

    schema: Schema
    keys: Keys
    rows: int

    @classmethod
    def of(cls, plan: AnyRows) -> "LastRows":
        return cls(_numbered(plan.schema), keys_of(plan), plan.rows)

    @property
    def slice(self) -> int:
        """The position of the slice number."""
        return len(self.schema) - 1

    def kept(self, stream: PhysicalStream, keys: Keys) -> PhysicalStream:
        """The last rows of each group, and those at the same instant as the first of them; more rows do no harm."""
        by_time = stream.take(stable_order(stream.start))
        groups = row_numbers([by_time.columns[k] for k in keys])[0] if keys else np.zeros(len(by_time), np.int64)
        order = stable_order(groups)
        start, groups = by_time.start[order], groups[order]
        begin, end = (np.searchsorted(groups, groups, side) for side in ("left", "right"))
        return by_time.take(order[start >= start[np.maximum(end - self.rows, begin)]])

    def in_slice(self, stream: PhysicalStream, number: int) -> PhysicalStream:
        """The same rows with another slice number."""
        there = ColumnVector(Type.INT, np.full(len(stream), number, np.int64))
        return stream.with_columns(self.schema, (*stream.columns[:-1], there))


@dataclass(frozen=True)
class LastRowsOfSlices:
    """A worker's first step: the last rows of each group and slice among its rows."""

    last: LastRows

    def __call__(self, batches: Batches) -> Batches:
        return failing_readably(self._run, batches)

    def _run(self, batches: Batches) -> Batches:
        kept = PhysicalStream.empty(self.last.schema)
        for more in _streams(batches, self.last.schema):
            kept = self.last.kept(joined([kept, more]), (*self.last.keys, self.last.slice))
        yield from to_table(kept).to_batches()


@dataclass(frozen=True)
class RowsBeforeSlices:
    """A worker's second step: for every slice, the last rows before it, among the last rows of earlier slices."""

    last: LastRows
    slices: int

    def __call__(self, batches: Batches) -> Batches:
        return failing_readably(self._run, batches)

    def _run(self, batches: Batches) -> Batches:
        past = PhysicalStream.empty(self.last.schema)
        kept = joined([past, *_streams(batches, self.last.schema)])
        slices = kept.columns[self.last.slice].values
        for number in range(1, self.slices):
            past = self.last.kept(joined([past, kept.take(slices == number - 1)]), self.last.keys)
            yield from to_table(self.last.in_slice(past, number)).to_batches()


def with_the_past(frame: Frame, plan: AnyRows, slices: Slices, where: SparkColumn, spread: Spread) -> Frame:
    """The input of a window; every row has its slice number, and comes again for each later slice that may show it.

    Only rows `where` are cut; the others have the slice number ALL_OF_TIME.
    """
    last = LastRows.of(plan)
    number = f.when(where, slices.number(f.col(START))).otherwise(f.lit(ALL_OF_TIME)).cast("long")
    numbered = names(last.schema)[-1]
    own = frame.data.select(*names(frame.schema), number.alias(numbered), START, END)
    tails = own.where(f.col(numbered) != ALL_OF_TIME).mapInArrow(LastRowsOfSlices(last), spark_schema(last.schema))
    hashed = key_hash(last.schema, last.keys) if last.keys else None
    together = tails.repartition(1) if hashed is None else placed(tails, place(hashed, spread), spread)
    before = together.mapInArrow(RowsBeforeSlices(last, len(slices.bounds)), spark_schema(last.schema))
    return Frame(own.unionAll(before), last.schema, chronons=True)


def with_slices(plan: AnyRows) -> PartitionedWindow:
    """The window over rows with a slice number, which is an extra key."""
    return PartitionedWindow(
        source(0, _numbered(plan.schema)), (*keys_of(plan), len(plan.schema)), plan.rows, ties=plan.ties
    )


def within_slices(frame: Frame, slices: Slices, schema: Schema) -> Frame:
    """The results of such a window, cut to their slice and without the slice number."""
    number = f.col(names(frame.schema)[-1])
    lower, upper = (slices.bound(number, side) for side in (0, 1))
    start = f.when(number == ALL_OF_TIME, f.col(START)).otherwise(f.greatest(f.col(START), lower))
    end = f.when(number == ALL_OF_TIME, f.col(END)).otherwise(f.least(f.col(END), upper))
    inside = frame.data.withColumns({START: start, END: end}).where(f.col(START) < f.col(END))
    return Frame(inside.select(*names(schema), START, END), schema)


def keys_of(plan: AnyRows) -> Keys:
    return plan.keys if isinstance(plan, PartitionedWindow) else ()


def _numbered(schema: Schema) -> Schema:
    """The schema with one more column, whose name is new."""
    name = next(name for i in range(len(schema) + 1) if (name := f"slice{i}") not in schema.names)
    return Schema((*schema.columns, schemas.Column(name, Type.INT)))


def _streams(batches: Batches, schema: Schema) -> Iterator[PhysicalStream]:
    """The rows of several batches at once."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(map(len, waiting)) >= ROWS_AT_ONCE:
            yield from_batches(pa.Table.from_batches(waiting), schema)
            waiting = []
    if waiting:
        yield from_batches(pa.Table.from_batches(waiting), schema)
