"""Windows in time, and what comes and goes: each row by itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from semantics.sparse.budget import Instants
from semantics.sparse.row_steps import Counts, Steps, Totals, glued, spans
from semantics.time import FOREVER, End, Instant


@dataclass(frozen=True)
class Course:
    """One row in a window: its count at any instant, and the only instants at which that may change."""

    instants: list[Instants]
    count: Callable[[Instant], int]

    def steps(self) -> Steps:
        instants = sorted({t for part in self.instants for t in part})
        return glued((t, self.count(t)) for t in instants)


def by_row(course: Callable[[Steps], Course], spend: Callable[[End], None], counts: Counts) -> Counts:
    """A window in which rows do not meet; its changes are counted before they are listed."""
    windowed = {}
    for row, steps in counts.items():
        found = course(steps)
        spend(sum(part.number for part in found.instants))
        windowed[row] = found.steps()
    return windowed


def time_window(size: End, slide: int, horizon: End, steps: Steps) -> Course:
    """ω_{w,s}: the sum over the last w instants, at the last multiple of s.

    The sum grows by n(t) − n(t − w) from one instant to the next. That stays the same between bends, the instants at
    which a change comes in or is w old: the sum either stays as it is or changes at every boundary up to the next bend.

    >>> time_window(3, 1, FOREVER, [(10, 1), (20, 0)]).steps()
    [(10, 1), (11, 2), (12, 3), (20, 2), (21, 1), (22, 0)]
    >>> time_window(5, 100, FOREVER, [(7, 1), (99, 0)]).steps()
    [(100, 3), (200, 0)]
    """
    totals = Totals(steps)

    def count(t: Instant) -> int:
        boundary = slide * (t // slide)
        return totals.until(boundary + 1) - totals.until(boundary + 1 - size)

    def boundaries(bend: Instant, end: End) -> Instants:
        first = -(-bend // slide) * slide
        if totals.at(bend) != totals.at(bend - size):
            return Instants(first, end, slide)
        # The sum stays from here on, but since the last boundary it may have moved before.
        return Instants(first, min(first + 1, end) if slide > 1 else first)

    bends = [*_bends(size, horizon, steps), horizon]
    return Course([boundaries(int(bend), end) for bend, end in pairwise(bends)], count)


def _bends(size: End, horizon: End, steps: Steps) -> list[End]:
    """Where the changes of a row come into a window, and where they leave it."""
    changes = [t for t, _ in steps]
    return sorted(t for t in {*changes, *(t + size for t in changes)} if t < horizon)


def landmark_window(start: Instant, reset: int | None, horizon: End, steps: Steps) -> Course:
    """ω_[a,∞): the sum since the last landmark; it grows while the row is there, and is 0 again at the next landmark.

    >>> landmark_window(0, 1000, FOREVER, [(10, 1), (12, 0)]).steps()
    [(10, 1), (11, 2), (1000, 0)]
    """
    totals = Totals(steps)

    def count(t: Instant) -> int:
        since = t - (t - start) % reset if reset else start
        return totals.until(t + 1) - totals.until(since) if t >= start else 0

    seen = [(max(interval.start, start), interval.end) for interval, _ in spans(steps, horizon) if interval.end > start]
    # With a landmark at every instant nothing adds up: a row that is there counts once.
    growing = [Instants(first, first + 1 if reset == 1 else end) for first, end in seen]
    return Course([*growing, *_emptied(start, reset, horizon, [end for _, end in seen])], count)


def _emptied(start: Instant, reset: int | None, horizon: End, ends: list[End]) -> Iterator[Instants]:
    """The first landmark after each of these ends."""
    for end in ends:
        if reset and end != FOREVER:
            landmark = start + reset * ((int(end) - 1 - start) // reset + 1)
            yield Instants(landmark, min(landmark + 1, horizon))


def differences(sign: int, horizon: End, steps: Steps) -> Steps:
    """Istream (sign 1) or Dstream (sign −1): by how much a count has risen or fallen since the instant before.

    >>> differences(1, FOREVER, [(3, 2), (4, 5), (9, 0)]), differences(-1, FOREVER, [(3, 2), (9, 0)])
    ([(3, 2), (4, 3), (5, 0)], [(9, 2), (10, 0)])
    """
    after = {t + 1: 0 for t, _ in steps}
    at = {t: max(sign * (n - before), 0) for (_, before), (t, n) in pairwise([(0, 0), *steps])}
    return glued((t, n) for t, n in sorted((after | at).items()) if t < horizon)
