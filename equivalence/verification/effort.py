"""How much is examined: everything a little, everything as far as it tells most, or everything in depth."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Effort:
    """How many cases each thing gets that is verified."""

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
    """One mutant of this many is tried."""
    every_proof: int
    """One rule of this many is proved or refuted."""
    probes: tuple[tuple[int, int, int], ...]
    """The soundness probe: the most operators of a plan, how many pairs of alike plans, how many of similar ones."""
    every_term: int
    """One plan of this many, among those of up to two operators, is compared with its terms."""
    machine_mutants: int
    """Machine-made mutants that are tried."""
    machine_trials: float
    """The share of all trials that they are tried on."""


QUICK: Final = Effort(10, 20, 1_000, 400, 20, 600, 2_000, 2, 40, ((1, 1_000, 100),), 100, 20, 0.1)
USUAL: Final = Effort(40, 60, 4_000, 3_000, 60, 1_500, 2_000, 1, 4, ((2, 40, 60),), 10, 100, 1.0)
FULL: Final = Effort(100, 300, 12_000, 6_000, 600, 6_000, 2_000, 1, 1, ((2, 150, 200), (3, 100, 60)), 1, 100, 1.0)
