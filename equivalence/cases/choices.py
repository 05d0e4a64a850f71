"""Where generators take their choices from: a seed, a recording, or Hypothesis. They are written once, over this."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Choices(ABC):
    """A sequence of small numbers; the smaller and the fewer they are, the simpler is what is made of them."""

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
        """True in so many of so many cases; False is simpler."""
        return self.below(of) >= of - hits


class SeededChoices(Choices):
    """Choices from a seed, the same on every machine; what was chosen is kept."""

    def __init__(self, seed: object) -> None:
        self._random = Random(str(seed)).random
        self.made: list[int] = []

    def below(self, n: int) -> int:
        chosen = int(self._random() * n)
        self.made.append(chosen)
        return chosen


class ReplayedChoices(Choices):
    """Choices made before; where they end, the simplest. What was really used is kept."""

    def __init__(self, choices: Sequence[int]) -> None:
        self._rest = iter(choices)
        self.made: list[int] = []

    def below(self, n: int) -> int:
        chosen = min(next(self._rest, 0), n - 1)
        self.made.append(chosen)
        return chosen
