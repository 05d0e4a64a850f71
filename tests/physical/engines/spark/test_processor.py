"""What Spark calls for a part, called without Spark: the cases of the continuous run, and mistakes that they find."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import Row

from equivalence.cases.case_column import lift, lift_cases, unlift
from equivalence.cases.random_cases import CASE_HORIZON
from physical.columns.stream import PhysicalStream, joined
from physical.engines.spark.continuous.packed_rows import LATE, MEASURES, PACKED, read, written
from physical.engines.spark.continuous.part_task import PartTask
from physical.engines.spark.continuous.processor import PartProcessor
from physical.engines.spark.continuous.query_frame import sources_of
from physical.engines.spark.continuous.worker_step import END_TAG
from physical.engines.spark.frame import ARROW_TYPES, END, START, from_batches, to_table
from physical.engines.spark.worker_tasks import TAG, all_slots, slots
from semantics import LogicalStream
from tests.physical.engines.spark.lifted import reference
from tests.physical.engines.spark.mutated_tasks import ForgetsWhatWaits, TakesTheWatermarkForPassed, WakesUpTooEarly
from tests.physical.engines.spark.test_continuous import MIXED, mixed_cases

LIFTED = lift(MIXED)
JOB = PartTask(LIFTED, tuple(sources_of(LIFTED).items()), allow_unbounded=True)
SLOTS = all_slots([schema for _, schema in JOB.streams])
MIDDLE = 3
"""What starts before comes first, and then the timer says that this instant has come."""


@dataclass
class Spark:
    """As much of Spark as a part sees: a state that holds what it was given last, and how far time has come."""

    watermark: int = 0
    held: tuple[bytes, bytes] | None = None
    timers: list[int] = field(default_factory=list)

    def getValueState(self, name: str, schema: str) -> "Spark":  # noqa: N802, ARG002
        return self

    def get(self) -> tuple[bytes, bytes] | None:
        return self.held

    def update(self, held: tuple[bytes, bytes]) -> None:
        self.held = held

    def registerTimer(self, instant: int) -> None:  # noqa: N802
        self.timers.append(instant)

    def getCurrentWatermarkInMs(self) -> int:  # noqa: N802
        return self.watermark


def packed(table: pa.Table, tag: int) -> Row:
    """Rows as they travel: every column in its slot, and nothing in the others."""
    for slot in [slot for slot in SLOTS if slot not in table.column_names]:
        table = table.append_column(slot, pa.nulls(len(table), ARROW_TYPES[SLOTS[slot]]))
    return Row(**{PACKED: written(table.append_column(TAG, pa.array([tag] * len(table), pa.int32())))})


def arrived(*, early: bool) -> Iterator[Row]:
    """What starts before the middle, or all else, of each source and in disorder."""
    random, whole = Random(3), lift_cases(MIXED, mixed_cases())
    for tag, (name, schema) in enumerate(JOB.streams):
        stream = PhysicalStream.of(whole[name])
        mine = np.flatnonzero((stream.start < MIDDLE) == early).tolist()
        table = to_table(stream.take(np.array(random.sample(mine, len(mine)), np.int64)))
        yield packed(table.rename_columns([*slots(schema), START, END]), tag)


def over() -> Iterator[Row]:
    """The row that says that the streams are over."""
    instant = pa.array([CASE_HORIZON], pa.int64())
    yield packed(pa.table({START: instant, END: instant}), END_TAG)


def played(kind: type[PartProcessor], spark: Spark) -> tuple[list[LogicalStream], int]:
    """What comes of each case, and of how many sources something was late."""
    processor: Any = kind(JOB, [{}])
    processor.init(spark)
    said = list(processor.handleInputRows((0,), arrived(early=True), spark))
    spark.watermark = MIDDLE
    said += processor.handleExpiredTimer((0,), spark, None)
    said += processor.handleInputRows((0,), arrived(early=False), spark)
    said += processor.handleInputRows((0,), over(), spark)
    said = [one for one in said if one[LATE] not in MEASURES]
    given = [from_batches(read(one[PACKED]), LIFTED.schema) for one in said if one[LATE] is None]
    whole = joined([PhysicalStream.empty(LIFTED.schema), *given]).to_logical(CASE_HORIZON)
    return list(unlift(whole, MIXED.schema, len(mixed_cases()))), len(said) - len(given)


def right() -> list[LogicalStream | None]:
    return [reference(MIXED, case) for case in mixed_cases()]


def test_oracle_a_part_that_spark_calls() -> None:
    spark = Spark()
    assert played(PartProcessor, spark) == (right(), 0)
    assert spark.timers == [1, *[MIDDLE + 1] * 3], "it is woken up as soon as time moves"


@pytest.mark.parametrize("wrong", [TakesTheWatermarkForPassed, WakesUpTooEarly, ForgetsWhatWaits])
def test_a_planted_fault_is_caught(wrong: type[PartProcessor]) -> None:
    found, late = played(wrong, Spark())
    assert found != right()
    assert bool(late) == (wrong is not ForgetsWhatWaits)
