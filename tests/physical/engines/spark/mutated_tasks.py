"""Mistakes that are easily made in what Spark calls of a continuous query."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch
from uuid import UUID

import numpy as np
from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import ExpiredTimerInfo, TimerValues

from physical.engines.interval.session import Session
from physical.engines.spark.continuous import session_bytes
from physical.engines.spark.continuous.processor import PartProcessor


class TakesTheWatermarkForPassed(PartProcessor):
    """What starts at the watermark is on time, and here it is late."""

    def _awake(self, number: int, watermark: int, rows: list[Row]) -> Iterator[Row]:
        return super()._awake(number, watermark + 1, rows)


class WakesUpTooEarly(PartProcessor):
    """The timer gives out what is known an instant later."""

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: TimerValues,  # noqa: N803
        expiredTimerInfo: ExpiredTimerInfo,  # noqa: N803, ARG002
    ) -> Iterator[Row]:
        return self._awake(key[0], timerValues.getCurrentWatermarkInMs() + 1, [])


class ForgetsWhatWaits(PartProcessor):
    """Of what waits at each entrance the last element is gone after a sleep."""

    def _awake(self, number: int, watermark: int, rows: list[Row]) -> Iterator[Row]:
        with patch("physical.engines.spark.continuous.part.remembered", forgetful):
            yield from super()._awake(number, watermark, rows)


class LosesWhatCameSince(PartProcessor):
    """A part that another worker had begins with its snapshot, and its log is not taken again."""

    def _awake(self, number: int, watermark: int, rows: list[Row]) -> Iterator[Row]:
        with patch.object(self.log, "get", lambda: iter(())):
            yield from super()._awake(number, watermark, rows)


class GoesOnWithAnOldPart(PartProcessor):
    """A worker takes the part that it has, though another one had it since."""

    def _awake(self, number: int, watermark: int, rows: list[Row]) -> Iterator[Row]:
        with patch("physical.engines.spark.continuous.part_store.uuid4", lambda: UUID(int=1)):
            yield from super()._awake(number, watermark, rows)


def forgetful(session: Session) -> bytes:
    for entrance in session.entrances.values():
        entrance.waiting = entrance.waiting.take(np.arange(max(len(entrance.waiting) - 1, 0)))
    return session_bytes.remembered(session)
