"""A guard against elements far in the future: the watermark would follow them, and what comes after would be late."""

import time
from dataclasses import dataclass
from typing import Final

import numpy as np

from physical.kernels.types import Ints
from semantics import StreamError

DAY: Final = 86_400_000
"""Milliseconds that a timestamp may be ahead of the clock."""
ALWAYS_ALLOWED: Final = 1_000_000
"""Units that an instant may be ahead of the one before it, however little time there was before."""


@dataclass(frozen=True)
class AheadBound:
    """How far an element may be ahead: a timestamp of the clock, another instant of the latest element before it.

    What a unit means is not known for instants that are no timestamps. So a gap is refused if it is longer than all
    time before it: a stream that counts from 1970 would have to skip half a century.
    """

    units: int | None = None
    """The bound that was asked for; with None, a day, or as long as all time before."""
    unit: int | None = None
    """Milliseconds per unit, if instants are timestamps and count from 1970."""

    def check(self, source: str, starts: Ints, latest: int) -> None:
        """Raise an error if an element starts too far in the future; `latest` is the latest start before these."""
        limit, found = self._by_clock(starts) if self.unit else self._by_gaps(starts, latest)
        if found is not None:
            since = "the clock" if self.unit else "the latest element before it"
            problem = f"an element starts at {found}, {found - limit} units after {since}"
            effect = "the watermark would follow it, and all that comes after it would be late"
            remedy = f"a correct time, or --ahead {found - limit} if it is right"
            raise StreamError(f"continuous: source {source!r}: {problem}: {effect}; expected {remedy}")

    def _by_clock(self, starts: Ints) -> tuple[int, int | None]:
        unit = self.unit or 1
        now = int(time.time() * 1000) // unit
        allowed = max(1, DAY // unit) if self.units is None else self.units
        last = int(starts.max(initial=0))
        return now, last if last - now > allowed else None

    def _by_gaps(self, starts: Ints, latest: int) -> tuple[int, int | None]:
        """The start before the first gap that is too long, and the one after it."""
        later = np.sort(starts[starts > latest])
        ordered = np.concatenate([[latest], later]) if latest > 0 else later
        before, gaps = ordered[:-1], np.diff(ordered)
        allowed = np.maximum(before, ALWAYS_ALLOWED) if self.units is None else np.full(len(before), self.units)
        wrong = np.flatnonzero(gaps > allowed)
        return (int(before[wrong[0]]), int(ordered[wrong[0] + 1])) if len(wrong) else (latest, None)
