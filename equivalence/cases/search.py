"""Look for a counterexample among generated cases: many from one seed, the first that fails made small."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Generic, TypeVar

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.shrink import SHRINK_TRIALS, shrink

T = TypeVar("T")
FURTHER_FAILURES_LOOKED_AT: Final = 60
"""So many cases after the first failure are looked at for a shorter one."""


class CaseOutcome(Enum):
    """What a case without a failure was worth."""

    FIRED = "fired"
    """There was something to be wrong about: some output held a row."""
    EMPTY = "empty"
    """Both sides were empty throughout."""
    UNMET = "unmet"
    """A side condition did not hold for what was chosen."""
    UNCHANGED = "unchanged"
    """What was to be tested did nothing."""
    OVERFLOW = "overflow"
    """Arithmetic left the range of its type, so that there is no result to compare."""
    UNSUPPORTED = "unsupported"
    """The engine says that it cannot run the plan."""


Examine = Callable[[Choices], T | CaseOutcome]
"""Generates a case from choices, and says what is wrong with it or, if nothing is, what it was worth."""


@dataclass
class SearchResult(Generic[T]):
    """The smallest failure, if there was one, and what was looked at until then."""

    failure: T | None = None
    tally: dict[CaseOutcome, int] = field(default_factory=lambda: dict.fromkeys(CaseOutcome, 0))
    cases: int = 0
    """Cases looked at, the failing one included."""

    @property
    def fired(self) -> int:
        return self.tally[CaseOutcome.FIRED]

    def evidence(self, seed: int) -> dict[str, object]:
        counts = {seen.value: n for seen, n in self.tally.items() if n or seen is CaseOutcome.FIRED}
        return {"how": "sampled", "cases": self.cases, **counts, "seed": seed}


def search(
    examine: Examine[T], examples: int, seed: int, trials: int = SHRINK_TRIALS, enough: int | None = None
) -> SearchResult[T]:
    """Examine so many cases, each from its own seed so that it can be had again alone; stop at the first failure.

    What is made small, in so many trials at most, is the shortest of that and some further failures, since it is
    nearest to the smallest; without trials any failure will do. If enough have fired, that is enough.
    """
    found = SearchResult[T]()
    for number in range(examples):
        if found.fired == enough:
            break
        choices = SeededChoices(f"{seed}/{number}")
        outcome = examine(choices)
        found.cases += 1
        if isinstance(outcome, CaseOutcome):
            found.tally[outcome] += 1
        else:
            found.failure = _smallest(examine, seed, number, trials) if trials else outcome
            break
    return found


def _smallest(examine: Examine[T], seed: int, first: int, trials: int) -> T:
    """The simplest failure that can be reached from the shortest of those from the first on."""
    failures = _failures(examine, range(first, first + FURTHER_FAILURES_LOOKED_AT), seed)
    choices, failure = min(failures, key=lambda failure: len(failure[0]))
    return shrink(_failure(examine), choices, failure, trials)


def _failures(examine: Examine[T], numbers: range, seed: int) -> Iterator[tuple[tuple[int, ...], T]]:
    """The choices and outcomes of all cases with these numbers that fail."""
    for number in numbers:
        choices = SeededChoices(f"{seed}/{number}")
        outcome = examine(choices)
        if not isinstance(outcome, CaseOutcome):
            yield tuple(choices.made), outcome


def _failure(examine: Examine[T]) -> Callable[[Choices], T | None]:
    def find(choices: Choices) -> T | None:
        outcome = examine(choices)
        return None if isinstance(outcome, CaseOutcome) else outcome

    return find
