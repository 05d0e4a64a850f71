"""Bite: every mutant is caught, be it an operator, an engine, an optimizer or a store."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from equivalence.mutants import MUTANTS, STORES, kill, kill_store
from equivalence.mutants.wrong_rewrites import WRONG_REWRITES, first_step
from equivalence.optimizer.check_optimizer import check_optimizer
from equivalence.verification.claim_outcome import Outcome, outcome_of
from equivalence.verification.effort import Effort

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
        store_result = kill_store(WRONG_STORES[name], cases=effort.mutant_cases, seed=seed)
        failure = store_result.failure
        evidence: dict[str, object] = {"cases": store_result.cases, "finding": failure and failure.message}
        yield Outcome("mutants", name, "store", failure is not None, "refuted" if failure else "agreed", evidence)
        return
    result = kill(ENGINES[name], cases=effort.mutant_cases, seed=seed)
    caught = result.finding is not None
    evidence = {"cases": result.cases, "finding": result.finding.name if result.finding else None}
    yield Outcome("mutants", name, result.mutant.family, caught, "refuted" if caught else "agreed", evidence)
