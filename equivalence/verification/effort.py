"""How much is examined: everything a little, everything as far as it tells most, or everything in depth."""

from dataclasses import dataclass
from typing import Final

from physical.engine import ENGINES

ALL_CLASSES: Final = 1 << 30


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
    covered_engines: tuple[str, ...]
    """Engines that are tried with all pairs of dimension values before."""
    relation_cases: int
    """Cases for each metamorphic relation and built-in engine."""
    optimizer_cases: int
    rewrite_firings: int
    """Changed plans with a result that are looked for with the rewrites of each rule."""
    mutant_cases: int
    """Cases within which a mutant has to be caught."""
    every_mutant: int
    """One mutant of this many is tried."""
    every_proof: int
    """One rule of this many is proved or refuted."""
    probes: tuple[tuple[int, int, int], ...]
    """The soundness probe: the most operators of a plan, how many pairs of alike plans, how many of similar ones."""
    probe_classes: int
    """Classes of plans that seem equal which the soundness probe compares on many cases."""
    declared_pairs: int
    """Pairs of each kind, for each set of constraints, in the probe over plans of two columns."""
    every_term: int
    """One plan of this many, among those of up to two operators, is compared with its terms."""
    machine_mutants: int
    """Machine-made mutants that are tried."""
    machine_trials: float
    """The share of all trials that they are tried on."""


QUICK: Final = Effort(
    plans=10,
    firings=20,
    rule_cases=1_000,
    engine_cases=400,
    covered_engines=(),
    relation_cases=20,
    optimizer_cases=600,
    rewrite_firings=100,
    mutant_cases=3_500,
    every_mutant=2,
    every_proof=40,
    probes=((1, 1_000, 100),),
    probe_classes=ALL_CLASSES,
    declared_pairs=10,
    every_term=100,
    machine_mutants=20,
    machine_trials=0.1,
)
USUAL: Final = Effort(
    plans=40,
    firings=40,
    rule_cases=4_000,
    engine_cases=500,
    covered_engines=("interval",),
    relation_cases=25,
    optimizer_cases=200,
    rewrite_firings=100,
    mutant_cases=3_500,
    every_mutant=4,
    every_proof=12,
    probes=((2, 40, 60),),
    probe_classes=400,
    declared_pairs=30,
    every_term=10,
    machine_mutants=100,
    machine_trials=0.25,
)
FULL: Final = Effort(
    plans=100,
    firings=300,
    rule_cases=12_000,
    engine_cases=6_000,
    covered_engines=tuple(ENGINES),
    relation_cases=600,
    optimizer_cases=6_000,
    rewrite_firings=300,
    mutant_cases=3_500,
    every_mutant=1,
    every_proof=1,
    probes=((2, 150, 200), (3, 100, 60)),
    probe_classes=ALL_CLASSES,
    declared_pairs=300,
    every_term=1,
    machine_mutants=100,
    machine_trials=1.0,
)
