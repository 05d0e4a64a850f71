"""From work to response times: what drivers would wait for if traffic were so fast that the Baseline just copes."""

from dataclasses import dataclass
from typing import Final

from benchmarks.storage.road import Outcome

LATE_SECONDS: Final = 5.0
"""Seconds of traffic after which an alert is too late."""
BASELINE_LATE_SHARE: Final = 0.134
"""The part of alerts that came too late in the paper's Baseline: traffic is made so fast that it is so in ours, too."""


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

    One processor treats instant after instant; a second of its work lasts `speed` seconds of traffic.
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
        late=sum(tolls for _, wait, tolls in waits if wait > LATE_SECONDS),
        alerts=alerts,
    )


def by_minute(outcome: Outcome, speed: float) -> list[tuple[float, float]]:
    """The average wait in every minute that has alerts."""
    sums: dict[int, list[float]] = {}
    for time, wait, tolls in waits_of(outcome, speed):
        sums.setdefault(time // 60, []).extend([wait] * tolls)
    return [(minute, sum(waits) / len(waits)) for minute, waits in sums.items() if waits]


def speed_for(outcome: Outcome) -> float:
    """The speed of traffic with this share of late alerts, found by bisection: faster traffic delays all alerts."""
    slow, fast = 0.0, 2 * outcome.instants[-1][0] / work_of(outcome)
    for _ in range(40):
        middle = (slow + fast) / 2
        slow, fast = (middle, fast) if late_share(outcome, middle) < BASELINE_LATE_SHARE else (slow, middle)
    return fast


def late_share(outcome: Outcome, speed: float) -> float:
    """The part of the alerts that come too late."""
    waits = waits_of(outcome, speed)
    return sum(tolls for _, wait, tolls in waits if wait > LATE_SECONDS) / sum(tolls for _, _, tolls in waits)


def busy(outcome: Outcome, speed: float) -> float:
    """The part of the time in which there is work."""
    return work_of(outcome) * speed / outcome.instants[-1][0]
