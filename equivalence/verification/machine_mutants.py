"""Bite that nobody tuned: of mutants that a machine makes from the source, most are killed."""

from collections.abc import Iterator
from typing import Final

from equivalence.mutants.machine.campaign import verify_machine_mutants
from equivalence.verification.claim_outcome import Outcome
from equivalence.verification.effort import Effort

LEAST_RATE: Final = 0.8
"""A sample of a hundred with fewer killed shows that a check has lost its bite. Mutants that change nothing count as
survivors until somebody has recorded them, so a fresh sample lies below the share of those that can be killed."""
LEAST_RATE_WITH_HALF: Final = 0.6
"""The same with half of the trials."""
LEAST_RATE_WITH_A_QUARTER: Final = 0.5
"""The same with a quarter of them; with fewer the share is a figure, and no claim."""
HALF: Final = 0.5
QUARTER: Final = 0.25


def verify_sample(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    """A sample drawn by the seed."""
    summary = verify_machine_mutants(effort.machine_mutants, seed, effort.machine_trials)
    holds = not summary.wrong_records and summary.rate >= least_rate(effort.machine_trials)
    evidence = {"cases": len(summary.outcomes), **summary.to_json(), "seed": seed}
    text = "\n".join(summary.lines())
    yield Outcome("machine mutants", name, "killed", holds, f"{summary.rate:.0%} killed", evidence, text=text)


def least_rate(trials: float) -> float:
    """The share that must be killed with this share of the trials."""
    if trials < QUARTER:
        return 0.0
    if trials < HALF:
        return LEAST_RATE_WITH_A_QUARTER
    return LEAST_RATE if trials >= 1 else LEAST_RATE_WITH_HALF
