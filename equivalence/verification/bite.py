"""Bite: every mutant is caught, be it an operator, an engine or an optimizer."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from equivalence.mutants import MUTANTS, kill
from equivalence.mutants.wrong_rewrites import WRONG_REWRITES, first_step
from equivalence.optimizers import check_optimizer
from equivalence.verification.effort import Effort
from equivalence.verification.outcome import Outcome, outcome_of

WRONG: Final = {rewrite.rule: rewrite for rewrite in WRONG_REWRITES}
ENGINES: Final = {mutant.name: mutant for mutant in MUTANTS}
NAMES: Final = [*ENGINES, *WRONG]
REWRITE_CASES: Final = 20_000
"""Most of these cases cost nothing: the rewrite does not apply."""


def verify_mutant(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    """A mutant's claim is that it is caught."""
    if NAMES.index(name) % effort.every_mutant:
        return
    if name in WRONG:
        optimizer = partial(first_step, WRONG[name])
        verdict = check_optimizer(optimizer, examples=REWRITE_CASES, seed=seed, trials=0)
        yield outcome_of("mutants", name, "optimizer", verdict, verdict.kind == "refuted")
        return
    killed = kill(ENGINES[name], cases=effort.mutant_cases, seed=seed)
    caught = killed.finding is not None
    evidence: dict[str, object] = {"cases": killed.cases, "finding": killed.finding.name if killed.finding else None}
    yield Outcome("mutants", name, killed.mutant.family, caught, "refuted" if caught else "agreed", evidence)
