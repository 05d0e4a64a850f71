"""What Spark calls for every part and batch: with new rows, or when a timer shows that the watermark has moved."""

# ruff: noqa: N802, N803, ARG002  # Spark has chosen these names and calls by them

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

from physical.engines.spark.continuous.part_task import PartTask


class PartProcessor(StatefulProcessor):
    """Wakes a part up for every batch, and saves it afterwards.

    Instants are milliseconds of event time. A timer is set one millisecond after the watermark, so the part is called
    as soon as the watermark moves.
    """

    def __init__(self, job: PartTask, tables: Sequence[Mapping[str, bytes]]) -> None:
        self.job = job
        self.tables = tables
        """The rows of every table that each part has."""
        self.name = uuid4().hex
        """Tells parts of this query from those of others in the same worker."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.head = handle.getValueState("head", "token string, entries int, logged long, snapshot long")
        self.memory = handle.getValueState("memory", "memory binary, opened binary")
        self.log = handle.getListState("log", "watermark long, rows binary")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: TimerValues) -> Iterator[Row]:
        """Treat the new rows of this part."""
        yield from self._awake(key[0], timerValues.getCurrentWatermarkInMs(), list(rows))

    def handleExpiredTimer(
        self, key: Any, timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo
    ) -> Iterator[Row]:
        """Give out the results that are known now that the watermark has moved."""
        yield from self._awake(key[0], timerValues.getCurrentWatermarkInMs(), [])

    def close(self) -> None:
        """Nothing to close."""

    def _awake(self, number: int, watermark: int, rows: list[Row]) -> Iterator[Row]:
        # Imported here, because a query waits at its start for a Python that only loads this class and calls init.
        from physical.engines.spark.continuous.part_store import PartStore
        from physical.engines.spark.continuous.worker_step import run_step

        store = PartStore(self.job, (self.name, number), self.head, self.memory, self.log)
        output = run_step(store, self.tables[number], rows, watermark)
        self.handle.registerTimer(watermark + 1)
        yield from output
