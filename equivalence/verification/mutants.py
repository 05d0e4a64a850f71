"""Bite: every mutant is caught, be it an operator, an engine, an optimizer or a store."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from equivalence.mutants import MUTANTS, STORES, kill, kill_store
from equivalence.mutants.wrong_rewrites import WRONG_REWRITES, first_step
from equivalence.optimizer.check_optimizer import check_optimizer
from equivalence.verification.effort import Effort
from equivalence.verification.outcome import Outcome, outcome_of

WRONG: Final = {rewrite.name: rewrite for rewrite in WRONG_REWRITES}
ENGINES: Final = {mutant.name: mutant for mutant in MUTANTS}
WRONG_STORES: Final = {mutant.name: mutant for mutant in STORES}
NAMES: Final = [*ENGINES, *WRONG, *WRONG_STORES]
REWRITE_CASES: Final = 20_000
"""Most of these cases cost nothing: the rewrite does not apply."""


def verify_mutant(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    """A mutant's claim is that it is caught."""
    if NAMES.index(name) % effort.every_mutant:
        return
    if name in WRONG:
        optimizer = partial(first_step, WRONG[name])
        checked = check_optimizer(optimizer, examples=REWRITE_CASES, seed=seed, trials=0)
        yield outcome_of("mutants", name, "optimizer", checked, checked.kind == "refuted")
        return
    if name in WRONG_STORES:
        killed_store = kill_store(WRONG_STORES[name], cases=effort.mutant_cases, seed=seed)
        evidence: dict[str, object] = {
            "cases": killed_store.cases,
            "finding": killed_store.failure and killed_store.failure.message,
        }
        verdict = "agreed" if killed_store.failure is None else "refuted"
        yield Outcome("mutants", name, "store", killed_store.failure is not None, verdict, evidence)
        return
    killed = kill(ENGINES[name], cases=effort.mutant_cases, seed=seed)
    caught = killed.finding is not None
    evidence = {"cases": killed.cases, "finding": killed.finding.name if killed.finding else None}
    yield Outcome("mutants", name, killed.mutant.family, caught, "refuted" if caught else "agreed", evidence)
