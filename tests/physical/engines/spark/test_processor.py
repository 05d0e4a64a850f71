"""What Spark calls for a part, called without Spark: the cases of the continuous run, and mistakes that they find."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import Row

from equivalence.cases.case_column import lift, lift_cases, unlift
from equivalence.cases.random_cases import CASE_HORIZON
from physical.columns.arrow_types import arrow_type
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.spark.continuous import part_store
from physical.engines.spark.continuous.ahead import AheadBound
from physical.engines.spark.continuous.packed_rows import LATE, MEASURES, PACKED, read, written
from physical.engines.spark.continuous.part import END_TAG
from physical.engines.spark.continuous.part_task import PartTask
from physical.engines.spark.continuous.processor import PartProcessor
from physical.engines.spark.continuous.query_frame import sources_of
from physical.engines.spark.frame import END, START, from_batches, to_table
from physical.engines.spark.worker_tasks import TAG, WorkerFailure, all_slots, slots
from semantics import LogicalStream
from tests.physical.engines.spark.lifted import reference
from tests.physical.engines.spark.mutated_tasks import (
    ForgetsWhatWaits,
    GoesOnWithAnOldPart,
    LosesWhatCameSince,
    TakesTheWatermarkForPassed,
    WakesUpTooEarly,
)
from tests.physical.engines.spark.test_continuous import MIXED, mixed_cases

LIFTED = lift(MIXED)
JOB = PartTask(LIFTED, tuple(sources_of(LIFTED).items()), allow_unbounded=True)
SLOTS = all_slots([schema for _, schema in JOB.streams])
MIDDLE = 3
"""What starts before comes first, and then the timer says that this instant has come."""
ALL = frozenset(range(4))


@dataclass
class Value:
    """A state that holds what it was given last."""

    held: tuple[Any, ...] | None = None
    updates: int = 0

    def get(self) -> tuple[Any, ...] | None:
        return self.held

    def update(self, held: tuple[Any, ...]) -> None:
        self.held, self.updates = held, self.updates + 1


@dataclass
class Listed:
    """A state that holds all that was appended since it was cleared."""

    held: list[tuple[Any, ...]] = field(default_factory=list)

    def get(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.held)

    def appendValue(self, value: tuple[Any, ...]) -> None:  # noqa: N802
        self.held.append(value)

    def clear(self) -> None:
        self.held.clear()


@dataclass
class Spark:
    """As much of Spark as a part sees: its state, and how far time has come."""

    watermark: int = 0
    values: dict[str, Value] = field(default_factory=dict)
    lists: dict[str, Listed] = field(default_factory=dict)
    timers: list[int] = field(default_factory=list)

    def getValueState(self, name: str, schema: str) -> Value:  # noqa: N802, ARG002
        return self.values.setdefault(name, Value())

    def getListState(self, name: str, schema: str) -> Listed:  # noqa: N802, ARG002
        return self.lists.setdefault(name, Listed())

    def registerTimer(self, instant: int) -> None:  # noqa: N802
        self.timers.append(instant)

    def getCurrentWatermarkInMs(self) -> int:  # noqa: N802
        return self.watermark


def packed(table: pa.Table, tag: int) -> Row:
    """Rows as they travel: every column in its slot, and nothing in the others."""
    for slot in [slot for slot in SLOTS if slot not in table.column_names]:
        table = table.append_column(slot, pa.nulls(len(table), arrow_type(SLOTS[slot])))
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


def played(
    kind: type[PartProcessor], spark: Spark, other_worker: frozenset[int] = frozenset()
) -> tuple[list[LogicalStream], int]:
    """What comes of each case, and of how many sources something was late; some steps are in another worker."""
    processor: Any = kind(JOB, [{}])
    processor.init(spark)
    steps: list[Callable[[], Iterator[Row]]] = [
        lambda: processor.handleInputRows((0,), arrived(early=True), spark),
        lambda: processor.handleExpiredTimer((0,), spark, None),
        lambda: processor.handleInputRows((0,), arrived(early=False), spark),
        lambda: processor.handleInputRows((0,), over(), spark),
    ]
    said: list[Row] = []
    for number, step in enumerate(steps):
        mine = dict(part_store._LIVE)
        if number in other_worker:
            part_store._LIVE.clear()
        said += step()
        if number in other_worker:
            part_store._LIVE.clear()
            part_store._LIVE.update(mine)
        spark.watermark = MIDDLE
    said = [one for one in said if one[LATE] not in MEASURES]
    given = [from_batches(read(one[PACKED]), LIFTED.schema) for one in said if one[LATE] is None]
    whole = in_order(joined([PhysicalStream.empty(LIFTED.schema), *given])).to_logical(CASE_HORIZON)
    return list(unlift(whole, MIXED.schema, len(mixed_cases()))), len(said) - len(given)


def right() -> list[LogicalStream | None]:
    return [reference(MIXED, case) for case in mixed_cases()]


@pytest.mark.parametrize("other_worker", [frozenset(), frozenset({1}), frozenset({2}), frozenset({1, 3}), ALL], ids=str)
@pytest.mark.parametrize("entries", [0, 2, 30])
def test_oracle_a_part_that_spark_calls(
    other_worker: frozenset[int], entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often its whole state is written, and whichever worker has it."""
    monkeypatch.setattr(part_store, "MAX_LOG_ENTRIES", entries)
    spark = Spark()
    assert played(PartProcessor, spark, other_worker) == (right(), 0)
    assert spark.timers == [1, *[MIDDLE + 1] * 3], "it is woken up as soon as time moves"
    assert spark.values["memory"].updates == {0: 4, 2: 2, 30: 1}[entries]
    assert len(spark.lists["log"].held) == {0: 0, 2: 0, 30: 3}[entries]


@pytest.mark.parametrize("wrong", [LosesWhatCameSince, GoesOnWithAnOldPart])
def test_a_planted_fault_is_caught_if_another_worker_goes_on(wrong: type[PartProcessor]) -> None:
    assert played(wrong, Spark(), frozenset({2}))[0] != right()


def test_a_batch_that_fails_leaves_no_part_behind() -> None:
    spark = Spark()
    processor: Any = PartProcessor(replace(JOB, bounds=(("S", AheadBound(0)),)), [{}])
    processor.init(spark)
    with pytest.raises(WorkerFailure, match="units after the latest element before it"):
        list(processor.handleInputRows((0,), arrived(early=False), spark))
    assert not any(name == processor.name for name, _ in part_store._LIVE)
    assert spark.values["head"].get() is None


def test_a_long_log_is_replaced_by_a_snapshot_and_few_parts_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_store, "MIN_LOG_BYTES", 0)
    monkeypatch.setattr(part_store, "MAX_LIVE_PARTS", 2)
    for _ in range(3):
        spark = Spark()
        assert played(PartProcessor, spark)[0] == right()
        assert spark.values["memory"].updates > 1
    assert len(part_store._LIVE) == 2


@pytest.mark.parametrize("wrong", [TakesTheWatermarkForPassed, WakesUpTooEarly, ForgetsWhatWaits])
def test_a_planted_fault_is_caught(wrong: type[PartProcessor]) -> None:
    found, late = played(wrong, Spark())
    assert found != right()
    assert bool(late) == (wrong is not ForgetsWhatWaits)
