"""Does the conformance suite catch every mutant, and after how many cases?"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from statistics import median
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import attempt_in, cells_of, endless_cells
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.in_process import InProcess
from equivalence.mutants.mutant import Mutant
from equivalence.verdicts.finding import Finding
from semantics import FOREVER, Plan

CASES: Final = 3500
"""As many as `conform` tries by default."""
TIME_LIMIT: Final = 10.0


@dataclass(frozen=True)
class KillResult:
    """What the suite found against a mutant, if anything."""

    mutant: Mutant
    finding: Finding | None
    cases: int
    """Cases examined, the failing one included."""


@dataclass(frozen=True)
class KillSummary:
    """The results for several mutants."""

    results: tuple[KillResult, ...]

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        return tuple(result.mutant for result in self.results if result.finding is None)

    @property
    def rate(self) -> float:
        return 1 - len(self.survivors) / len(self.results) if self.results else 0.0

    @property
    def median_cases(self) -> float | None:
        return median(result.cases for result in self.results) if self.results else None

    def to_json(self) -> dict[str, object]:
        return {
            "total": len(self.results),
            "killed": len(self.results) - len(self.survivors),
            "median_cases": self.median_cases,
            "survivors": [mutant.name for mutant in self.survivors],
        }


def kill_all(
    mutants: Iterable[Mutant], *, cases: int = CASES, seed: int = 0, time_limit: float = TIME_LIMIT
) -> KillSummary:
    """Try to catch each mutant within this number of cases."""
    return KillSummary(tuple(kill(mutant, cases=cases, seed=seed, time_limit=time_limit) for mutant in mutants))


def kill(mutant: Mutant, *, cases: int = CASES, seed: int = 0, time_limit: float = TIME_LIMIT) -> KillResult:
    """Examine the cases of the conformance suite until something is found."""
    with InProcess(mutant.engine, time_limit=time_limit) as subject:
        for number, (operator, situation) in enumerate(islice(endless_cells(cells_of(subject), seed), cases)):
            attempt = _attempt(f"{seed}/{number}", (operator, situation.name))
            if attempt.horizon > getattr(mutant.engine, "latest", FOREVER):
                continue
            outcome = judge(subject, attempt)
            if isinstance(outcome, Finding):
                return KillResult(mutant, outcome, number + 1)
        return KillResult(mutant, None, cases)


@lru_cache(maxsize=CASES)
def _attempt(seed: str, cell: tuple[type[Plan], str]) -> Attempt:
    """The case and its right answer: computed once, as all mutants are tried on the same cases."""
    operator, situation = cell
    return attempt_in(SeededChoices(seed), operator, SITUATIONS[situation])
