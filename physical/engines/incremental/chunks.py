"""Chunks: a basic window is processed in m parts as they arrive, so that less is left to do after its last row.

More chunks leave less to do at the end, but more to merge. The best m depends on the query, the data and the machine,
so it is measured: m is increased as long as the response time falls, and set back to the best m when it rises. It is
doubled, or increased by the same number each time; or the range of all m is halved again and again.
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
    """Increases the number of chunks after every few slides, until the response time rises; then takes the best number.

    It is doubled, or with a step increased by the step.

    >>> pace = Adaptive(slides=1)
    >>> for seconds in (8.0, 5.0, 4.0, 6.0, 9.0):
    ...     pace.note(seconds)
    >>> pace.chunks
    4
    """

    slides: int = SLIDES_PER_TRIAL
    limit: int = 2**20
    step: int | None = None
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
        after = 2 * self.chunks if self.step is None else self.chunks + self.step
        if time <= best and after <= self.limit:
            self.chunks = after
            return
        self.settled = True
        self.chunks = min(self.tried, key=self.tried.__getitem__)


@dataclass
class Bisecting:
    """Halves the range 1 … limit of numbers of chunks: two neighbours in the middle say on which side the time falls.

    With one minimum and exact times it finds the best number.

    >>> pace = Bisecting(limit=64, slides=1)
    >>> while not pace.settled:
    ...     pace.note(abs(pace.chunks - 23))
    >>> pace.chunks
    23
    """

    limit: int
    slides: int = SLIDES_PER_TRIAL
    settled: bool = False
    low: int = 1
    tried: dict[int, float] = field(default_factory=dict)
    """The median response time of every m that was tried."""
    _times: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.high = self.limit
        self.chunks = self._next()

    def note(self, seconds: float) -> None:
        self._times.append(seconds)
        if not self.settled and len(self._times) == self.slides:
            self.tried[self.chunks], self._times = median(self._times), []
            self.chunks = self._next()

    def _next(self) -> int:
        """The next number to try; the best one if the range is down to one number."""
        while self.low < self.high:
            middle = (self.low + self.high) // 2
            if untried := [m for m in (middle, middle + 1) if m not in self.tried]:
                return untried[0]
            falls = self.tried[middle + 1] < self.tried[middle]
            self.low, self.high = (middle + 1, self.high) if falls else (self.low, middle)
        self.settled = True
        return min(self.tried, key=self.tried.__getitem__, default=self.low)
