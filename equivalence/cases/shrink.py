"""Make a failing case small, by making the choices it was generated from fewer and smaller.

One case is simpler than another if it is generated from fewer choices or, if both have as many, if the first choice
that differs is smaller.

Guarantees, as long as the trials last:
- The result fails, and is never less simple than the case to begin with.
- Every case that is tried comes from the generator, so its types, order and constraints are right.
- No candidate of any pass is a simpler failure than the result. Among the candidates are: without up to 8 choices in a
  row, with one choice set to 0 or lowered by one, with two equal choices lowered together, with neighbours swapped.
- No sequence of choices is tried twice, and the same failure always shrinks to the same result.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, islice, product
from typing import Final, Generic, TypeVar

from equivalence.cases.choices import Choices, ReplayedChoices

T = TypeVar("T")
ChoiceSequence = tuple[int, ...]
FindFailure = Callable[[Choices], T | None]
"""Generates a case from choices, and returns its failure, or None."""

SHRINK_TRIALS: Final = 12000
"""Cases tried before shrinking ends. What is found by then is small, but need not be the smallest."""


def shrink(find: FindFailure[T], choices: ChoiceSequence, failure: T, trials: int = SHRINK_TRIALS) -> T:
    """The simplest failure that the passes reach from this one, within this many trials."""
    shrinker = Shrinker(find, choices, failure, trials)
    # A list, not a generator: every pass has its turn in each round, for what one leaves another may shorten.
    while any([shrinker.run(shorten) for shorten in PASSES]):
        pass
    return shrinker.failure


class Shrinker(Generic[T]):
    """The simplest failure so far, and the choices it came from."""

    def __init__(self, find: FindFailure[T], choices: ChoiceSequence, failure: T, trials: int = SHRINK_TRIALS) -> None:
        self._find = find
        self._trials = trials
        self._tried: set[ChoiceSequence] = set()
        self.choices = choices
        self.failure = failure

    def run(self, candidates: Callable[[ChoiceSequence], Iterator[ChoiceSequence]]) -> bool:
        """Accept every simpler candidate that fails, too, and go on with the candidates that come after its place.

        Starting over would try the places again that just led nowhere; the next round does that once.
        """
        before, tried = self.choices, 0
        while (better := self._first_better(islice(candidates(self.choices), tried, None))) is not None:
            tried += better
        return self.choices != before

    def _first_better(self, candidates: Iterator[ChoiceSequence]) -> int | None:
        return next((i for i, candidate in enumerate(candidates) if self._improves(candidate)), None)

    def _improves(self, candidate: ChoiceSequence) -> bool:
        if candidate in self._tried or len(self._tried) >= self._trials:
            return False
        self._tried.add(candidate)
        replayed = ReplayedChoices(candidate)
        failure = self._find(replayed)
        used = tuple(replayed.made)
        if failure is None or not _simpler(used, self.choices):
            return False
        self.choices, self.failure = used, failure
        return True


def _simpler(these: ChoiceSequence, than: ChoiceSequence) -> bool:
    return (len(these), these) < (len(than), than)


def _without_a_part(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    """Long parts first, late ones first: what comes late depends on what came before."""
    for length in (32, 16, 8, 7, 6, 5, 4, 3, 2, 1):
        for start in range(len(choices) - length, -1, -1):
            yield choices[:start] + choices[start + length :]


def _without_a_part_and_one_less(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    """A part can often go only if the number before it that announced it is lowered."""
    for length in (8, 7, 6, 5, 4, 3, 2, 1):
        for start in range(len(choices) - length, 0, -1):
            for before in range(start - 1, max(start - 4, -1), -1):
                if choices[before]:
                    less = (*choices[:before], choices[before] - 1, *choices[before + 1 : start])
                    yield less + choices[start + length :]


def _without_two_and_one_less_before(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    """An element loses its interval if the choice of the kind of stream, a little before it, is lowered."""
    for i in [i for i, choice in enumerate(choices) if choice]:
        for start in range(i + 4, min(i + 8, len(choices) - 1)):
            yield (*choices[:i], choices[i] - 1, *choices[i + 1 : start], *choices[start + 2 :])


def _zeroed_without_what_follows(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    """The simplest of several kinds often needs no further choices."""
    for i in [i for i, choice in enumerate(choices) if choice]:
        for length in range(8, 0, -1):
            yield (*choices[:i], 0, *choices[i + 1 + length :])


def _zeroed(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    for length in (8, 4, 2, 1):
        for start in range(len(choices) - length + 1):
            if any(choices[start : start + length]):
                yield choices[:start] + (0,) * length + choices[start + length :]


def _below(choice: int) -> list[int]:
    """The smallest numbers, and some on the way to them: most choices that are large stand for few things."""
    return sorted({*range(min(choice, 5)), *(choice - 2**k for k in range(choice.bit_length()))})


def _lowered(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    for i, choice in enumerate(choices):
        for lower in _below(choice):
            yield (*choices[:i], lower, *choices[i + 1 :])


def _lowered_together(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    """Two choices are often one value in two places, and stay a failure only if both change."""
    positive = [i for i, choice in enumerate(choices) if choice]
    for i, j in combinations(positive, 2):
        for lower in _below(choices[i]) if choices[i] == choices[j] else (0,):
            yield (*choices[:i], lower, *choices[i + 1 : j], lower, *choices[j + 1 :])


def _lowered_everywhere(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    """An instant or a value that several streams share; or every second one, where "one more" looks the same."""
    for value in sorted(set(choices)):
        where = [i for i, choice in enumerate(choices) if choice == value]
        for chosen, lower in product((where, where[::2], where[1::2]), _below(value)):
            yield tuple(lower if i in chosen else choice for i, choice in enumerate(choices))


def _several_one_less(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    """Instants often matter by their distances only, and move to the front together."""
    positive = [i for i, choice in enumerate(choices) if choice][:12]
    for chosen in (*combinations(positive, 2), *combinations(positive, 3)):
        yield tuple(choice - (i in chosen) for i, choice in enumerate(choices))


def _without_a_column(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    """One less, without what it announced and without its part in a few elements that follow."""
    for i in [i for i, choice in enumerate(choices) if choice]:
        rest = choices[i + 2 :]
        for start, stride, elements in product(range(len(rest)), range(4, 9), range(1, 4)):
            lost = range(start, start + stride * elements, stride)
            yield (*choices[:i], choices[i] - 1, *(choice for k, choice in enumerate(rest) if k not in lost))


def _swapped(choices: ChoiceSequence) -> Iterator[ChoiceSequence]:
    """Neighbouring parts of the same length in order: so elements of a stream come sorted."""
    for length in (8, 7, 6, 5, 4, 3, 2, 1):
        for start in range(len(choices) - 2 * length + 1):
            first, second = choices[start : start + length], choices[start + length : start + 2 * length]
            if second < first:
                yield choices[:start] + second + first + choices[start + 2 * length :]


PASSES: Final = (
    _without_a_part,
    _zeroed,
    _zeroed_without_what_follows,
    _lowered_everywhere,
    _without_a_part_and_one_less,
    _lowered,
    _without_two_and_one_less_before,
    _lowered_together,
    _several_one_less,
    _swapped,
    _without_a_column,
)
