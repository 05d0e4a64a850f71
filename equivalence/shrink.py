"""Make a failing case small, by making the choices it was generated from fewer and smaller.

A case is simpler than another if it is generated from fewer choices, or from as many that are smaller, the first
difference deciding. Whatever the generator guarantees (types, order, constraints) holds for every case that is tried.
"""

from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar

from equivalence.generate.choices import Choices, Replayed

T = TypeVar("T")
Sequence = tuple[int, ...]
Find = Callable[[Choices], T | None]
"""Generates a case from choices and says what is wrong with it; None if nothing is."""

TRIALS: Final = 4000
"""Shrinking ends after so many tries; what is found by then is small, if perhaps not the smallest."""


def shrink(find: Find[T], choices: Sequence, failure: T, trials: int = TRIALS) -> T:
    """The simplest failure that can be reached from this one, within so many tries."""
    shrinker = Shrinker(find, choices, failure, trials)
    while any([shrinker.run(shorten) for shorten in PASSES]):
        pass
    return shrinker.failure


class Shrinker(Generic[T]):
    """The simplest failure so far, and the choices it came from."""

    def __init__(self, find: Find[T], choices: Sequence, failure: T, trials: int = TRIALS) -> None:
        self._find = find
        self._trials = trials
        self._tried: set[Sequence] = set()
        self.choices = choices
        self.failure = failure

    def run(self, candidates: Callable[[Sequence], Iterator[Sequence]]) -> bool:
        """Take the first candidate that fails too, and go on from there until none does."""
        before = self.choices
        while any(self._improves(candidate) for candidate in candidates(self.choices)):
            pass
        return self.choices != before

    def _improves(self, candidate: Sequence) -> bool:
        if candidate in self._tried or len(self._tried) >= self._trials:
            return False
        self._tried.add(candidate)
        replayed = Replayed(candidate)
        failure = self._find(replayed)
        used = tuple(replayed.made)
        if failure is None or not _simpler(used, self.choices):
            return False
        self.choices, self.failure = used, failure
        return True


def _simpler(these: Sequence, than: Sequence) -> bool:
    return (len(these), these) < (len(than), than)


def _without_a_part(choices: Sequence) -> Iterator[Sequence]:
    """Long parts first, late ones first: what comes late depends on what came before."""
    for length in (32, 16, 8, 7, 6, 5, 4, 3, 2, 1):
        for start in range(len(choices) - length, -1, -1):
            yield choices[:start] + choices[start + length :]


def _without_a_part_and_one_less(choices: Sequence) -> Iterator[Sequence]:
    """A part can often go only if the number before it that announced it is lowered."""
    for length in (8, 7, 6, 5, 4, 3, 2, 1):
        for start in range(len(choices) - length, 0, -1):
            for before in range(start - 1, max(start - 4, -1), -1):
                if choices[before]:
                    less = (*choices[:before], choices[before] - 1, *choices[before + 1 : start])
                    yield less + choices[start + length :]


def _zeroed(choices: Sequence) -> Iterator[Sequence]:
    for length in (8, 4, 2, 1):
        for start in range(len(choices) - length + 1):
            if any(choices[start : start + length]):
                yield choices[:start] + (0,) * length + choices[start + length :]


def _lowered(choices: Sequence) -> Iterator[Sequence]:
    for i, choice in enumerate(choices):
        for lower in range(choice):
            yield (*choices[:i], lower, *choices[i + 1 :])


def _lowered_together(choices: Sequence) -> Iterator[Sequence]:
    """Two equal choices are often one value in two places, and stay a failure only if both change."""
    for i, choice in enumerate(choices):
        for j in range(i + 1, len(choices)) if choice else ():
            if choices[j] == choice:
                for lower in range(choice):
                    yield (*choices[:i], lower, *choices[i + 1 : j], lower, *choices[j + 1 :])


def _swapped(choices: Sequence) -> Iterator[Sequence]:
    """Neighbouring parts of the same length in order: so elements of a stream come sorted."""
    for length in (8, 7, 6, 5, 4, 3, 2, 1):
        for start in range(len(choices) - 2 * length + 1):
            first, second = choices[start : start + length], choices[start + length : start + 2 * length]
            if second < first:
                yield choices[:start] + second + first + choices[start + 2 * length :]


PASSES: Final = (_without_a_part, _without_a_part_and_one_less, _zeroed, _lowered, _lowered_together, _swapped)
