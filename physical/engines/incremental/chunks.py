"""Chunks: a basic window is processed in m parts as they arrive, so that less is left to do after its last row.

More chunks leave less to do at the end, but more to merge. The best m depends on the query, the data and the machine,
so it is measured: m is doubled as long as the response time falls, and set back to the best m when it rises.
"""

from dataclasses import dataclass, field
from statistics import median
from typing import Final, Protocol

SLIDES_PER_TRIAL: Final = 5
"""The slides that are measured before m changes."""


class Pace(Protocol):
    """Decides how many chunks a basic window has."""

    @property
    def chunks(self) -> int: ...

    def note(self, seconds: float) -> None:
        """Take the response time of a slide."""


@dataclass(frozen=True)
class Fixed:
    """Always the same number of chunks."""

    chunks: int = 1

    def note(self, seconds: float) -> None:
        pass


@dataclass
class Adaptive:
    """Doubles the number of chunks after every few slides, until the response time rises; then takes the best number.

    >>> pace = Adaptive(slides=1)
    >>> for seconds in (8.0, 5.0, 4.0, 6.0, 9.0):
    ...     pace.note(seconds)
    >>> pace.chunks
    4
    """

    slides: int = SLIDES_PER_TRIAL
    limit: int = 2**20
    chunks: int = 1
    settled: bool = False
    tried: dict[int, float] = field(default_factory=dict)
    """The median response time of every m that was tried."""
    _times: list[float] = field(default_factory=list)

    def note(self, seconds: float) -> None:
        self._times.append(seconds)
        if not self.settled and len(self._times) == self.slides:
            self._decide(median(self._times))
            self._times = []

    def _decide(self, time: float) -> None:
        best = min(self.tried.values(), default=time)
        self.tried[self.chunks] = time
        if time <= best and 2 * self.chunks <= self.limit:
            self.chunks *= 2
            return
        self.settled = True
        self.chunks = min(self.tried, key=self.tried.__getitem__)
