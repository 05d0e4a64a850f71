"""Look for a counterexample among generated cases, and make the first failure small.

Case number n of seed s depends on s and n alone, so a case can be generated again without those before it, and a longer
search begins with the cases of a shorter one. Free and directed cases are numbered apart: a search that has directed
cases, too, examines the same free ones in the same order.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import islice
from typing import Final, Generic, TypeVar

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.shrink import SHRINK_TRIALS, shrink

T = TypeVar("T")
FURTHER_FAILURES_LOOKED_AT: Final = 60
"""Cases examined after the first failure. Shrinking starts from the failure with the fewest choices among them: it is
nearest to the smallest one, and a few more cases cost less than shrinking a long one."""
FURTHER_DIRECTED_FAILURES_LOOKED_AT: Final = 20
"""Directed cases cost more each, and more of them fail."""
FREE_CASES_FIRST: Final = 50
"""So many free cases come before the first directed one, then they take turns. What differs on small numbers is found
by a free case, and its counterexample is the smallest there is."""


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
    TOO_DENSE = "too_dense"
    """The result changes too often to be compared: windows over rows that last, or many copies."""


Examine = Callable[[Choices], T | CaseOutcome]
"""Generates a case from choices, and returns its failure or, if it did not fail, what was learned from it."""


@dataclass(frozen=True)
class Drawn(Generic[T]):
    """A numbered case of a seed, free or directed, with what examines it."""

    examine: Examine[T]
    seed: int
    number: int
    directed: bool

    def choices(self) -> SeededChoices:
        kind = "directed/" if self.directed else ""
        return SeededChoices(f"{self.seed}/{kind}{self.number}")

    def following(self) -> list["Drawn[T]"]:
        """This case, and some of the same kind that follow it."""
        further = FURTHER_DIRECTED_FAILURES_LOOKED_AT if self.directed else FURTHER_FAILURES_LOOKED_AT
        return [replace(self, number=self.number + i) for i in range(further)]


@dataclass
class SearchResult(Generic[T]):
    """The smallest failure, if there was one, and what was examined until then."""

    failure: T | None = None
    tally: dict[CaseOutcome, int] = field(default_factory=lambda: dict.fromkeys(CaseOutcome, 0))
    cases: int = 0
    """Cases examined, the failing one included."""
    directed: int | None = None
    """How many of them were directed; None if none could be."""
    failed: Drawn[T] | None = None
    """The case that failed, before it was made small."""

    @property
    def fired(self) -> int:
        return self.tally[CaseOutcome.FIRED]

    def evidence(self, seed: int) -> dict[str, object]:
        counts = {seen.value: n for seen, n in self.tally.items() if n or seen is CaseOutcome.FIRED}
        directed = {} if self.directed is None else {"directed": self.directed}
        return {"how": "sampled", "cases": self.cases, **counts, **directed, "seed": seed}


def search(
    examine: Examine[T],
    examples: int,
    seed: int,
    trials: int = SHRINK_TRIALS,
    enough: int | None = None,
    directed: Examine[T] | None = None,
    after: SearchResult[T] | None = None,
) -> SearchResult[T]:
    """Examine this many cases, stop at the first failure, and make it small in at most this many trials.

    With 0 trials the first failure is returned as it was found. The search also stops once `enough` cases have fired.
    Where there is an examination of directed cases, every second case is one, after the first free ones. A search that
    comes after a shorter one, of the same cases, goes on where that one ended.
    """
    found = SearchResult[T](directed=None if directed is None else 0)
    if after is not None and after.cases:
        found = replace(after, tally=dict(after.tally))
    for drawn in islice(_drawn(examine, directed, examples, seed), found.cases, None):
        if found.fired == enough:
            break
        outcome = drawn.examine(drawn.choices())
        found.cases += 1
        if found.directed is not None:
            found.directed += drawn.directed
        if isinstance(outcome, CaseOutcome):
            found.tally[outcome] += 1
        else:
            found.failed, found.failure = drawn, _smallest(drawn, trials) if trials else outcome
            break
    return found


def _drawn(free: Examine[T], directed: Examine[T] | None, examples: int, seed: int) -> Iterator[Drawn[T]]:
    """The cases of a search in their order."""
    if directed is None:
        yield from (Drawn(free, seed, number, directed=False) for number in range(examples))
        return
    first = min(FREE_CASES_FIRST, (examples + 1) // 2)
    yield from (Drawn(free, seed, number, directed=False) for number in range(first))
    for number in range(examples - first):
        odd = bool(number % 2)
        examine, before = (free, first) if odd else (directed, 0)
        yield Drawn(examine, seed, before + number // 2, directed=not odd)


def _smallest(first: Drawn[T], trials: int) -> T:
    """The result of shrinking the shortest failure among the first one and those that follow it."""
    failures = _failures(first.following())
    choices, failure = min(failures, key=lambda failure: len(failure[0]))
    return shrink(_failure(first.examine), choices, failure, trials)


def _failures(cases: list[Drawn[T]]) -> Iterator[tuple[tuple[int, ...], T]]:
    """The choices and outcomes of all cases that fail."""
    for case in cases:
        choices = case.choices()
        outcome = case.examine(choices)
        if not isinstance(outcome, CaseOutcome):
            yield tuple(choices.made), outcome


def _failure(examine: Examine[T]) -> Callable[[Choices], T | None]:
    def find(choices: Choices) -> T | None:
        outcome = examine(choices)
        return None if isinstance(outcome, CaseOutcome) else outcome

    return find
