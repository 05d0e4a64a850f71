"""How much is examined: everything well, or everything a little."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Effort:
    """So many cases for each thing that is verified."""

    plans: int
    """Plans for each operator against SQLite."""
    firings: int
    """A rule that fired less often falls short."""
    rule_cases: int
    """Cases in which a rule may reach its firings, or a false rule has to be refuted."""
    engine_cases: int
    """Cases for each built-in engine."""
    relation_cases: int
    """Cases for each metamorphic relation and built-in engine."""
    optimizer_cases: int
    mutant_cases: int
    """Cases within which a mutant has to be caught."""
    every_mutant: int
    """Of so many mutants one is tried."""
    every_proof: int
    """Of so many rules one is proved or refuted."""
    probes: tuple[tuple[int, int, int], ...]
    """The soundness probe: plans of up to so many operators, so many pairs of alike ones, so many of near ones."""
    every_term: int
    """Of so many plans of up to two operators one is compared with its terms."""


QUICK: Final = Effort(10, 20, 1_000, 400, 20, 600, 2_000, 2, 40, ((1, 1_000, 100),), 100)
FULL: Final = Effort(100, 300, 12_000, 6_000, 600, 6_000, 2_000, 1, 1, ((2, 150, 200), (3, 100, 60)), 1)
