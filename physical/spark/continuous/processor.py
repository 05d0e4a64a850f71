"""What Spark calls for every part and batch: rows that have come, and the timer that says how far time has."""

# ruff: noqa: N802, N803, ARG002  # Spark has chosen these names and calls by them

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import pyarrow.compute as pc
from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

from physical.spark.continuous.job import Job
from physical.spark.continuous.wire import COUNT, LATE, PACKED, read, written
from physical.spark.errors import marked
from physical.spark.local import TAG, Failure, apart
from semantics import SnapeqError

if TYPE_CHECKING:
    from physical.spark.continuous.part import Part

START: Final = "_start"

END_TAG: Final = -1
"""Marks the row that says that the streams are over."""


class PartProcessor(StatefulProcessor):
    """Wakes up a part with what the state store has, and puts it back after every batch.

    Instants are milliseconds of event time, and the watermark says how many have passed. A timer one millisecond
    ahead of it wakes the part as soon as it moves.
    """

    def __init__(self, job: Job, tables: Sequence[Mapping[str, bytes]]) -> None:
        self.job = job
        self.tables = tables
        """What each part has of every table."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.memory = handle.getValueState("memory", "memory binary, opened binary")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: TimerValues) -> Iterator[Row]:
        """Take what has come for this part; it is over if one of the rows says so."""
        batches = [batch for row in rows for batch in read(row[PACKED]).to_batches()]
        watermark = timerValues.getCurrentWatermarkInMs()
        yield from self._awake(key[0], watermark, batches)

    def handleExpiredTimer(
        self, key: Any, timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo
    ) -> Iterator[Row]:
        """The watermark has moved: give out what is known by now."""
        yield from self._awake(key[0], timerValues.getCurrentWatermarkInMs(), [])

    def close(self) -> None:
        """Nothing is left open."""

    def _awake(self, number: int, watermark: int, batches: list[Any]) -> Iterator[Row]:
        try:
            part = self._stepped(number, watermark, batches)
        except SnapeqError as error:
            raise Failure(marked(error)) from None
        self.memory.update((part.memory(), part.opened()))
        self.handle.registerTimer(watermark + 1)
        if len(given := part.given()):
            yield Row(**{PACKED: written(given), LATE: None, COUNT: 1})
        for source, count in part.late().items():
            yield Row(**{PACKED: None, LATE: source, COUNT: count})

    def _stepped(self, number: int, watermark: int, batches: list[Any]) -> "Part":
        from physical.spark.continuous.part import Part  # numba takes time to import; not all processes need it
        from physical.spark.frame import from_batches

        known = self.memory.get()
        part = self._part(number) if known is None else Part(self.job, bytes(known[0]), opened=bytes(known[1]))
        schemas = [schema for _, schema in self.job.streams]
        tables = apart([batch.filter(pc.not_equal(batch.column(TAG), END_TAG)) for batch in batches], schemas)
        streams = [from_batches(table, schema) for table, schema in zip(tables, schemas, strict=True)]
        part.take({name: stream for (name, _), stream in zip(self.job.streams, streams, strict=True)}, watermark)
        for until in _ends(batches):
            part.end(until)
        return part

    def _part(self, number: int) -> "Part":
        """A part that wakes up for the first time."""
        from physical.spark.continuous.part import Part
        from physical.spark.frame import from_batches

        mine = self.tables[number]
        return Part(self.job, None, {name: from_batches(read(mine[name]), schema) for name, schema in self.job.tables})


def _ends(batches: list[Any]) -> list[int]:
    """The instants at which rows say that the streams are over."""
    ends = [batch.filter(pc.equal(batch.column(TAG), END_TAG)).column(START) for batch in batches]
    return [until for column in ends for until in column.to_pylist()]
