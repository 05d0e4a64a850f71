"""Does the conformance suite catch every mutant, and after how many cases?"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from statistics import median
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.in_process import InProcess
from equivalence.conformance.suite import attempt_in, endless_cells
from equivalence.mutants.mutant import Mutant
from equivalence.verdicts.finding import Finding
from semantics import Plan

CASES: Final = 2000
TIME_LIMIT: Final = 10.0


@dataclass(frozen=True)
class Kill:
    """How a mutant fared."""

    mutant: Mutant
    finding: Finding | None
    cases: int
    """Cases looked at, the failing one included."""


@dataclass(frozen=True)
class Killed:
    """How all mutants fared."""

    kills: tuple[Kill, ...]

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        return tuple(kill.mutant for kill in self.kills if kill.finding is None)

    @property
    def rate(self) -> float:
        return 1 - len(self.survivors) / len(self.kills) if self.kills else 0.0

    @property
    def median_cases(self) -> float | None:
        return median(kill.cases for kill in self.kills) if self.kills else None

    def to_json(self) -> dict[str, object]:
        return {
            "total": len(self.kills),
            "killed": len(self.kills) - len(self.survivors),
            "median_cases": self.median_cases,
            "survivors": [mutant.name for mutant in self.survivors],
        }


def kill_all(mutants: Iterable[Mutant], *, cases: int = CASES, seed: int = 0, time_limit: float = TIME_LIMIT) -> Killed:
    """Try to catch every mutant within so many cases each."""
    return Killed(tuple(kill(mutant, cases=cases, seed=seed, time_limit=time_limit) for mutant in mutants))


def kill(mutant: Mutant, *, cases: int = CASES, seed: int = 0, time_limit: float = TIME_LIMIT) -> Kill:
    """Examine the cases that the conformance suite would, until something is found."""
    with InProcess(mutant.engine, time_limit=time_limit) as subject:
        for number, (operator, situation) in enumerate(islice(endless_cells(subject, seed), cases)):
            outcome = judge(subject, _attempt(f"{seed}/{number}", (operator, situation.name)))
            if isinstance(outcome, Finding):
                return Kill(mutant, outcome, number + 1)
        return Kill(mutant, None, cases)


@lru_cache(maxsize=CASES)
def _attempt(seed: str, cell: tuple[type[Plan], str]) -> Attempt:
    """All mutants are tried on the same: what it is, and what is right, is found once."""
    operator, situation = cell
    return attempt_in(SeededChoices(seed), operator, SITUATIONS[situation])
