"""What Spark calls for every part and batch: rows that have come, and the timer that says how far time has."""

# ruff: noqa: N802, N803, ARG002  # Spark has chosen these names and calls by them

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

from physical.engines.spark.continuous.part_task import PartTask


class PartProcessor(StatefulProcessor):
    """Wakes up a part with what the state store has, and puts it back after every batch.

    Instants are milliseconds of event time, and the watermark says how many have passed. A timer one millisecond
    ahead of it wakes the part as soon as it moves.
    """

    def __init__(self, job: PartTask, tables: Sequence[Mapping[str, bytes]]) -> None:
        self.job = job
        self.tables = tables
        """What each part has of every table."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.memory = handle.getValueState("memory", "memory binary, opened binary")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: TimerValues) -> Iterator[Row]:
        """Take what has come for this part."""
        yield from self._awake(key[0], timerValues.getCurrentWatermarkInMs(), list(rows))

    def handleExpiredTimer(
        self, key: Any, timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo
    ) -> Iterator[Row]:
        """The watermark has moved: give out what is known by now."""
        yield from self._awake(key[0], timerValues.getCurrentWatermarkInMs(), [])

    def close(self) -> None:
        """Nothing is left open."""

    def _awake(self, number: int, watermark: int, rows: list[Row]) -> Iterator[Row]:
        # Imported here: a query waits at its start for a Python that loads this class and calls nothing but init.
        from physical.engines.spark.continuous.worker_step import output_rows, run_step

        part = run_step(self.job, self.memory.get(), self.tables[number], rows, watermark)
        self.memory.update((part.memory(), part.opened()))
        self.handle.registerTimer(watermark + 1)
        yield from output_rows(part)
