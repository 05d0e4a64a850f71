"""From work to response times: what drivers would wait for if reports came so fast that the Baseline is nearly busy."""

from dataclasses import dataclass
from typing import Final

from benchmarks.storage.road import Outcome

LATE: Final = 5.0
"""Seconds of traffic after which an alert is too late."""
LOAD: Final = 0.8
"""The part of the time in which the Baseline is at work."""


@dataclass(frozen=True)
class Response:
    """Of all toll alerts, in seconds of traffic."""

    work: float
    """Microseconds of the processor for each report."""
    average: float
    longest: float
    late: int
    alerts: int

    @property
    def late_share(self) -> float:
        return self.late / self.alerts


def work_of(outcome: Outcome) -> float:
    """Seconds of the processor in all."""
    return sum(seconds for _, seconds, _ in outcome.instants)


def waits_of(outcome: Outcome, speed: float) -> list[tuple[int, float, int]]:
    """For every instant how long its alerts take, and how many there are.

    One processor takes instant after instant; a second of its work lasts so many seconds of traffic as `speed` says.
    """
    free, waits = 0.0, []
    for time, seconds, tolls in outcome.instants:
        free = max(free, time) + seconds * speed
        waits.append((time, free - time, tolls))
    return waits


def response_of(outcome: Outcome, speed: float, reports: int) -> Response:
    """What all drivers together wait."""
    waits = waits_of(outcome, speed)
    alerts = sum(tolls for _, _, tolls in waits)
    return Response(
        work=work_of(outcome) / reports * 1e6,
        average=sum(wait * tolls for _, wait, tolls in waits) / alerts,
        longest=max(wait for _, wait, tolls in waits if tolls),
        late=sum(tolls for _, wait, tolls in waits if wait > LATE),
        alerts=alerts,
    )


def by_minute(outcome: Outcome, speed: float) -> list[tuple[float, float]]:
    """The average wait in every minute that has alerts."""
    sums: dict[int, list[float]] = {}
    for time, wait, tolls in waits_of(outcome, speed):
        sums.setdefault(time // 60, []).extend([wait] * tolls)
    return [(minute, sum(waits) / len(waits)) for minute, waits in sums.items() if waits]


def speed_for(outcome: Outcome) -> float:
    """Seconds of traffic for every second of work, so that the work of this outcome fills so much of the time."""
    first, last = outcome.instants[0][0], outcome.instants[-1][0]
    return LOAD * (last - first) / work_of(outcome)
