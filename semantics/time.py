"""Discrete time: instants 0, 1, 2, … and half-open intervals, whose end may be FOREVER."""

import math
from dataclasses import dataclass
from typing import Final

from semantics.errors import StreamError
from semantics.value import brief

Instant = int
End = int | float
"""An instant, or FOREVER."""

FOREVER: Final[float] = math.inf
"""The end of an interval that never ends."""
MOST_INSTANTS: Final = 1_000_000
"""As many snapshots a logical stream may be asked for: it holds one for each instant."""


def check_instant(value: object, what: str) -> Instant:
    """Return value if it is an instant, else say what it should have been."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise StreamError(f"{what} must be an instant 0, 1, 2, …, got {brief(value)}")
    return value


def check_horizon(value: object, what: str) -> Instant:
    """Return value if it is a horizon up to which every instant can be looked at."""
    horizon = check_instant(value, what)
    if horizon > MOST_INSTANTS:
        expected = f"at most {MOST_INSTANTS}, one snapshot for each instant"
        raise StreamError(f"{what} must be {expected}, got {horizon}; evaluate_sparse takes any")
    return horizon


@dataclass(frozen=True, slots=True)
class Interval:
    """The instants from start up to but not including end.

    >>> 4 in Interval(1, 5), 5 in Interval(1, 5), 10**9 in Interval(3, FOREVER)
    (True, False, True)
    """

    start: Instant
    end: End

    def __post_init__(self) -> None:
        if type(self.start) is type(self.end) is int and 0 <= self.start < self.end:
            return  # as nearly all are, and very many are made
        check_instant(self.start, "Interval: start")
        if self.end != FOREVER:
            check_instant(self.end, "Interval: end")
        if self.end <= self.start:
            raise StreamError(f"Interval: end must be after start {self.start}, got {self.end}")

    def __contains__(self, instant: Instant) -> bool:
        return self.start <= instant < self.end
