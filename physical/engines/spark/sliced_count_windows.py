"""Windows over the last rows, cut over time: a slice also gets the earlier rows that its windows may show.

These are few: for each group, as many as a window holds. The number of the slice is an extra key of the window, so that
one worker may have several slices.
"""

from typing import Final

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from physical.engines.spark.exchange import Spread, key_hash, place, placed
from physical.engines.spark.frame import END, START, Frame, names, spark_schema
from physical.engines.spark.last_rows import (
    BLOCKS_OF_A_BLOCK,
    AnyRows,
    LastRows,
    LastRowsOfSlices,
    RowsBeforeBlocks,
    keys_of,
    with_new_columns,
)
from physical.engines.spark.slices import Slices
from physical.engines.spark.worker_tasks import source
from semantics import Schema
from semantics.plan import PartitionedWindow

ALL_OF_TIME: Final = -1
"""The slice number of rows that are not cut."""


def can_be_cut(plan: AnyRows) -> bool:
    """Does the window depend only on the last rows, and not on how many rows there were before?"""
    return plan.slide == 1


def with_the_past(frame: Frame, plan: AnyRows, slices: Slices, where: SparkColumn, spread: Spread) -> Frame:
    """The input of a window; every row has its slice number, and comes again for each later slice that may show it.

    Only rows `where` are cut; the others have the slice number ALL_OF_TIME.
    """
    last = LastRows.of(plan)
    number = f.when(where, slices.number(f.col(START))).otherwise(f.lit(ALL_OF_TIME)).cast("long")
    numbered = names(last.schema)[-1]
    own = slices.with_cuts(frame.data).select(*names(frame.schema), number.alias(numbered), START, END)
    before = rows_before(own.where(f.col(numbered) != ALL_OF_TIME), last, slices.most_slices, spread)
    return Frame(own.unionAll(before), last.schema, chronons=True)


def rows_before(rows: DataFrame, last: LastRows, slices: int, spread: Spread) -> DataFrame:
    """For each slice the rows before it that its windows may show, from rows with their slice number."""
    climbing = spark_schema(last.climbing)
    *kept, number, stop, climbs = names(last.climbing)
    found = last_of_slices(rows, last, spread).select(
        *kept, number, (f.col(number) + 1).alias(stop), f.lit(1).cast("long").alias(climbs), START, END
    )
    width = 1
    while width < slices:
        parents = f.floor(f.col(number) / (width * BLOCKS_OF_A_BLOCK))
        found = _exchanged(found, last, parents, spread).mapInArrow(
            RowsBeforeBlocks(last, width, slices, BLOCKS_OF_A_BLOCK), climbing
        )
        width *= BLOCKS_OF_A_BLOCK
    given = found.where((f.col(climbs) == 0) & (f.col(number) < f.col(stop)))
    return given.select(*kept, f.explode(f.sequence(f.col(number), f.col(stop) - 1)).alias(number), START, END)


def last_of_slices(rows: DataFrame, last: LastRows, spread: Spread) -> DataFrame:
    """The last rows of each group and slice: every worker's own, and then those of all workers."""
    schema, number = spark_schema(last.schema), f.col(names(last.schema)[-1])
    tails = rows.mapInArrow(LastRowsOfSlices(last), schema)
    return _exchanged(tails, last, number, spread).mapInArrow(LastRowsOfSlices(last), schema)


def _exchanged(rows: DataFrame, last: LastRows, number: SparkColumn, spread: Spread) -> DataFrame:
    """Rows of the same group and number together, and successive numbers on different partitions."""
    hashed = key_hash(last.schema, last.keys) if last.keys else f.lit(0)
    return placed(rows, place(hashed, spread, number.cast("int")), spread)


def with_slices(plan: AnyRows) -> PartitionedWindow:
    """The window over rows with a slice number, which is an extra key."""
    numbered = with_new_columns(plan.schema, "slice")
    return PartitionedWindow(source(0, numbered), (*keys_of(plan), len(plan.schema)), plan.rows, ties=plan.ties)


def within_slices(frame: Frame, slices: Slices, schema: Schema) -> Frame:
    """The results of such a window, cut to their slice and without the slice number."""
    number = f.col(names(frame.schema)[-1])
    lower, upper = (slices.bound(number, side) for side in (0, 1))
    start = f.when(number == ALL_OF_TIME, f.col(START)).otherwise(f.greatest(f.col(START), lower))
    end = f.when(number == ALL_OF_TIME, f.col(END)).otherwise(f.least(f.col(END), upper))
    inside = slices.with_cuts(frame.data).withColumns({START: start, END: end}).where(f.col(START) < f.col(END))
    return Frame(inside.select(*names(schema), START, END), schema)
