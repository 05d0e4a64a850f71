"""What Flink's OVER remembers of each key, and which rows come too late for it.

A row is held until the watermark reaches it. Then it is the last one of its key, and what comes at or before its time
is lost. A key whose windows are all over is forgotten, and after that it takes anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from physical.kernels.types import Bools
from semantics import Instant, Row


@dataclass
class KeyTime:
    """One key: rows that wait for the watermark, the last one that it has reached, and when the key is forgotten."""

    waiting: list[Instant] = field(default_factory=list)
    last: Instant | None = None
    forgotten: Instant | None = None

    def advance(self, watermark: Instant) -> None:
        reached = [t for t in self.waiting if t <= watermark]
        if reached:
            self.last = max([*reached, *([] if self.last is None else [self.last])])
            self.waiting = [t for t in self.waiting if t > watermark]
        if self.forgotten is not None and self.forgotten <= watermark and not self.waiting:
            self.last = self.forgotten = None

    def take(self, t: Instant, held: int | None) -> bool:
        """Is a row at this time taken? Then it waits."""
        if self.last is not None and t <= self.last:
            return False
        self.waiting.append(t)
        if held is not None and (self.forgotten is None or self.forgotten < t + held + 1):
            self.forgotten = t + held + held // 2 + 1
        return True


@dataclass
class KeyTimes:
    """All keys; `held` is how far back windows look, None if they have no end."""

    held: int | None = None
    keys: dict[Row, KeyTime] = field(default_factory=dict)

    def accepted(self, keys: Sequence[Row], times: Sequence[Instant], watermarks: Sequence[Instant]) -> Bools:
        """Which rows are taken, in the order in which they came."""
        taken = np.empty(len(times), np.bool_)
        for i, (key, t, watermark) in enumerate(zip(keys, times, watermarks, strict=True)):
            state = self.keys.setdefault(key, KeyTime())
            state.advance(watermark)
            taken[i] = state.take(t, self.held)
        return taken
