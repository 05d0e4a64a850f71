"""In which order the rows of streams come to a streaming job, and in which micro-batches."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal
from zlib import crc32

import numpy as np

from equivalence.cases.random_cases import Case
from equivalence.recordings.panes import time_windows
from physical.columns.stream import PhysicalStream
from physical.kernels.types import Ints
from semantics import FOREVER, Plan, RawStream, SnapeqError
from semantics.constraint import elements_of

BATCHES: Final = 3
"""Micro-batches of rows that come in the order of time."""
BORDERS_IN_DISORDER: Final = 4
"""Rows that come in disorder matter where a batch ends between them.

An empty batch follows there: Spark drops what is later than the watermark of the batch before the last one.
"""
LATE_SHARE: Final = 0.5
EXTREME_SHARE: Final = 0.75
LatePolicy = Literal["dropped", "counted"]
POLICIES: Final[dict[str, LatePolicy]] = {"dropped": "dropped", "counted": "counted"}


@dataclass(frozen=True)
class ArrivedBatches:
    """The rows of a stream, batch by batch, and those that come when every watermark has passed them."""

    on_time: list[PhysicalStream]
    late: PhysicalStream | None = None


@dataclass(frozen=True)
class Arrival:
    """How far rows may come after later ones, which every watermark must wait for; and what becomes of later rows.

    With `dropped`, copies of some rows come when every watermark has passed them, and must change nothing. With
    `counted`, some rows come only then, and the answer must be as if they had come before.
    """

    slack: int = 0
    late: LatePolicy | None = None
    seed: int = 0

    def check(self, streaming: bool) -> None:
        """Raise an error unless it makes sense."""
        if self.slack < 0:
            raise SnapeqError(f"check_job: the slack must not be negative, got {self.slack}")
        if self.late is not None and self.late not in POLICIES:
            raise SnapeqError(f"check_job: late is {self.late}; expected one of: {', '.join(POLICIES)}")
        if not streaming and (self.slack or self.late):
            raise SnapeqError("check_job: slack and late are only for streaming inputs")

    def batches(self, streams: Mapping[str, PhysicalStream], horizon: int, step: int = 1) -> dict[str, ArrivedBatches]:
        """All streams in batches that end at the same time of arrival; at multiples of the step, windows end."""
        chances = {name: np.random.default_rng([self.seed, crc32(name.encode())]) for name in streams}
        late = {name: self._late(len(stream), chances[name]) for name, stream in streams.items()}
        waits = self.late == "counted"
        on_time = {name: stream.take(~late[name]) if waits else stream for name, stream in streams.items()}
        arrivals = {name: self._arrivals(stream.start, chances[name], step) for name, stream in on_time.items()}
        borders = self._borders(arrivals, on_time, horizon, step)
        return {
            name: ArrivedBatches(
                _cut(stream, arrivals[name], borders), streams[name].take(late[name]) if self.late else None
            )
            for name, stream in on_time.items()
        }

    def _late(self, rows: int, chance: np.random.Generator) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        return chance.random(rows) < (LATE_SHARE if self.late else 0.0)

    def _arrivals(self, starts: Ints, chance: np.random.Generator, step: int) -> Ints:
        """When each row comes: at most the slack after its time, so nothing comes that much after a later row.

        Most rows shortly before the end of a window come as late as may be, and most others at once: that is where a
        watermark that is too short shows.
        """
        delays = chance.integers(0, self.slack + 1, len(starts))
        at_random = chance.integers(0, 2, len(starts)) == 1
        before_an_end = (starts + self.slack) // step > starts // step if step > self.slack else at_random
        extremes = np.where(before_an_end, self.slack, 0)
        return starts + np.where(chance.random(len(starts)) < EXTREME_SHARE, extremes, delays)

    def _borders(
        self, arrivals: Mapping[str, Ints], streams: Mapping[str, PhysicalStream], horizon: int, step: int
    ) -> Ints:
        none = np.zeros(0, np.int64)
        starts = np.concatenate([none, *(stream.start for stream in streams.values())])
        if not self.slack:
            return borders_within(starts, horizon, step)
        arrived = np.concatenate([none, *arrivals.values()])
        return np.repeat(worst_borders(arrived, starts, step, np.random.default_rng(self.seed)), 2)


IN_ORDER: Final = Arrival()


def across_an_end(case: Case, plan: Plan, slack: int) -> Case:
    """The case with all rows of raw streams by turns just before a pane ends and nearly the slack later.

    Only rows so far apart, with an end between them, tell how long a job waits.
    """
    end = min((int(window.size) for window in time_windows(plan) if window.size != FOREVER), default=0)
    if not end:
        return case
    times = (end - 1, end - 2 + slack)  # the first may come after the second
    return {
        name: _at_turns(stream, times) if isinstance(stream, RawStream) else stream for name, stream in case.items()
    }


def _at_turns(stream: RawStream, times: tuple[int, int]) -> RawStream:
    moved = [(row, times[number % 2]) for number, (row, _) in enumerate(elements_of(stream))]
    return RawStream(stream.schema, sorted(moved, key=lambda element: element[1]))


def borders_within(starts: Ints, horizon: int, step: int) -> Ints:
    """Where batches end that come in order: between rows of one case and one pane, which a job may take for two."""
    times = np.unique(starts)
    gaps = np.diff(times)
    if not len(gaps):
        return np.array([horizon * edge // BATCHES for edge in range(1, BATCHES)], np.int64)
    near = gaps <= np.median(gaps)
    one_pane = near & (times[1:] // step == times[:-1] // step)
    found: Ints = times[1:][one_pane if one_pane.any() else near]
    return found[[len(found) * edge // BATCHES for edge in range(1, BATCHES)]]


def worst_borders(arrivals: Ints, starts: Ints, step: int, chance: np.random.Generator) -> Ints:
    """The times of arrival at which a new batch hurts most: a row after it is much earlier than one before it.

    It hurts more if a window ends between the two.
    """
    order = np.argsort(arrivals, kind="stable")
    arrivals, starts = arrivals[order], starts[order]
    latest_before = np.maximum.accumulate(starts)[:-1]
    first_after = np.minimum.accumulate(starts[::-1])[::-1][1:]
    disorder = latest_before - first_after + chance.random(max(len(starts) - 1, 0))
    worst = np.lexsort((-disorder, first_after // step - latest_before // step))[:BORDERS_IN_DISORDER]
    found: Ints = np.unique(arrivals[1:][worst])
    return found


def _cut(stream: PhysicalStream, arrivals: Ints, borders: Ints) -> list[PhysicalStream]:
    """The rows of each batch, in the order in which they come."""
    order = np.argsort(arrivals, kind="stable")
    numbers = np.searchsorted(borders, arrivals[order], "right")
    return [stream.take(order[numbers == number]) for number in range(len(borders) + 1)]
