"""Engines: every built-in one passes the conformance suite."""

from collections.abc import Iterator

from equivalence.conform import conform
from equivalence.verification.effort import Effort
from equivalence.verification.outcome import Outcome
from physical.engine import ENGINES


def verify_engine(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    result = conform(ENGINES[name], cases=effort.engine_cases, seed=seed)
    evidence: dict[str, object] = {"cases": result.cases, "matrix": result.verdicts, "seed": seed}
    verdict = "agreed" if result.holds else "refuted"
    yield Outcome("engines", name, "conforms", result.holds, verdict, evidence, text=str(result))
