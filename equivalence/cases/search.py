"""Look for a counterexample among generated cases, and make the first failure small.

Case number n of seed s depends on s and n alone, so a case can be generated again without those before it, and a longer
search begins with the cases of a shorter one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Generic, TypeVar

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.shrink import SHRINK_TRIALS, shrink

T = TypeVar("T")
FURTHER_FAILURES_LOOKED_AT: Final = 60
"""Cases examined after the first failure. Shrinking starts from the failure with the fewest choices among them: it is
nearest to the smallest one, and a few more cases cost less than shrinking a long one."""


class CaseOutcome(Enum):
    """What was learned from a case that did not fail; only cases that FIRED count as evidence."""

    FIRED = "fired"
    """Some output held a row, so the case could have failed."""
    EMPTY = "empty"
    """Both sides were empty throughout."""
    UNMET = "unmet"
    """A side condition did not hold for what was chosen."""
    UNCHANGED = "unchanged"
    """The optimizer or rewrite under test did not change the plan."""
    OVERFLOW = "overflow"
    """Arithmetic left the range of its type, so that there is no result to compare."""
    UNSUPPORTED = "unsupported"
    """The engine says that it cannot run the plan."""


Examine = Callable[[Choices], T | CaseOutcome]
"""Generates a case from choices, and returns its failure or, if it did not fail, what was learned from it."""


@dataclass
class SearchResult(Generic[T]):
    """The smallest failure, if there was one, and what was examined until then."""

    failure: T | None = None
    tally: dict[CaseOutcome, int] = field(default_factory=lambda: dict.fromkeys(CaseOutcome, 0))
    cases: int = 0
    """Cases examined, the failing one included."""

    @property
    def fired(self) -> int:
        return self.tally[CaseOutcome.FIRED]

    def evidence(self, seed: int) -> dict[str, object]:
        counts = {seen.value: n for seen, n in self.tally.items() if n or seen is CaseOutcome.FIRED}
        return {"how": "sampled", "cases": self.cases, **counts, "seed": seed}


def search(
    examine: Examine[T], examples: int, seed: int, trials: int = SHRINK_TRIALS, enough: int | None = None
) -> SearchResult[T]:
    """Examine this many cases, stop at the first failure, and make it small in at most this many trials.

    With 0 trials the first failure is returned as it was found. The search also stops once `enough` cases have fired.
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
    """The result of shrinking the shortest failure among the first one and those that follow it."""
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
