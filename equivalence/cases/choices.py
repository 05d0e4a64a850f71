"""Where generators take their choices from: a seed, a recording, or Hypothesis.

Every generator is written once, as a function of `Choices`. A generator that is given the same choices again makes the
same thing again, on every machine and every version of Python: that is all that a seed, a replay and shrinking need.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Choices(ABC):
    """A sequence of small numbers.

    Generators keep one rule: fewer and smaller choices make something simpler. Shrinking knows nothing else about them.
    """

    @abstractmethod
    def below(self, n: int) -> int:
        """One of 0 … n-1."""

    def between(self, low: int, high: int) -> int:
        """One of low … high, both included."""
        return low + self.below(high - low + 1)

    def of(self, options: Sequence[T]) -> T:
        """One of the options; the first is the simplest."""
        return options[self.below(len(options))]

    def chance(self, hits: int, of: int) -> bool:
        """True in `hits` of `of` cases; False is simpler."""
        return self.below(of) >= of - hits


class SeededChoices(Choices):
    """Choices from a seed, the same on every machine; `made` records them."""

    # random() is the one method of Random whose results are guaranteed to stay the same from version to version, so
    # randrange is not used. The bias of scaling a double is far below what any test could see.

    def __init__(self, seed: object) -> None:
        self._random = Random(str(seed)).random
        self.made: list[int] = []

    def below(self, n: int) -> int:
        chosen = int(self._random() * n)
        self.made.append(chosen)
        return chosen


class ReplayedChoices(Choices):
    """Choices made before, and the simplest ones after they end; `made` records what was really used."""

    def __init__(self, choices: Sequence[int]) -> None:
        self._rest = iter(choices)
        self.made: list[int] = []

    def below(self, n: int) -> int:
        chosen = min(next(self._rest, 0), n - 1)
        self.made.append(chosen)
        return chosen
