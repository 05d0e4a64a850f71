"""How often one row is there: a number that stays the same between few instants."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, pairwise

from semantics.time import End, Instant, Interval
from semantics.value import Row

Steps = list[tuple[Instant, int]]
"""From each instant on, how often the row is there; before the first one it is not there. Neighbours differ."""
Counts = Mapping[Row, Steps]
"""How often each row is there, over time."""


def glued(numbers: Iterable[tuple[Instant, int]]) -> Steps:
    """Only those that differ from the one before.

    >>> glued([(0, 0), (2, 5), (3, 5), (7, 0)])
    [(2, 5), (7, 0)]
    """
    steps: Steps = []
    for t, n in numbers:
        if n != (steps[-1][1] if steps else 0):
            steps.append((t, n))
    return steps


def summed(differences: Mapping[Instant, int], horizon: End) -> Steps:
    """Steps from what is added at each instant, as far as they lie before the horizon."""
    instants = sorted(t for t in differences if t < horizon)
    return glued(zip(instants, accumulate(differences[t] for t in instants), strict=True))


def spans(steps: Steps, horizon: End) -> Iterator[tuple[Interval, int]]:
    """The longest intervals in which a row is there equally often, and how often."""
    for (start, n), (end, _) in pairwise([*steps, (horizon, 0)]):
        if n:
            yield Interval(int(start), end), n


class Totals:
    """A row's count at an instant, and its sum over all instants before one: no instant has to be visited.

    >>> row = Totals([(10, 3), (10**9, 0)])
    >>> row.at(12), row.until(12), row.until(2 * 10**9)
    (3, 6, 2999999970)
    """

    def __init__(self, steps: Steps) -> None:
        self._instants = [t for t, _ in steps]
        self._counts = [n for _, n in steps]
        self._sums = [0, *accumulate(n * (end - start) for (start, n), (end, _) in pairwise(steps))]

    def at(self, t: End) -> int:
        step = bisect_right(self._instants, t) - 1
        return self._counts[step] if step >= 0 else 0

    def until(self, t: End) -> int:
        """Σ { n(u) : u < t }; the sum before all time, at −∞, is 0."""
        step = bisect_right(self._instants, t) - 1
        return self._sums[step] + self._counts[step] * (int(t) - self._instants[step]) if step >= 0 else 0
