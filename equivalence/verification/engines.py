"""Engines: every built-in one passes the conformance suite, and agrees with itself as the metamorphic relations say."""

from collections.abc import Iterator

from equivalence.conformance.metamorphic import RELATIONS, check_relation
from equivalence.conformance.suite import conform
from equivalence.verification.claim_outcome import Outcome, outcome_of
from equivalence.verification.effort import Effort
from physical.engine import ENGINES


def verify_engine(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    """Where the cases cover all pairs of dimension values, an empty cell is a failure."""
    covered = name in effort.covered_engines
    result = conform(ENGINES[name], cases=effort.engine_cases, seed=seed, coverage=covered)
    evidence: dict[str, object] = {"cases": result.cases, "matrix": result.verdicts, "seed": seed}
    verdict = "agreed" if result.holds else "refuted"
    yield Outcome("engines", name, "conforms", result.holds, verdict, evidence, text=str(result))
    if result.coverage is not None:
        empty = result.coverage.empty_cells
        counts = {"rows": result.coverage.rows, "pairs": result.coverage.pairs, "empty": sum(map(len, empty.values()))}
        found: dict[str, object] = {**counts, "seed": seed}
        text = "\n".join(" ".join(line) for line in result.coverage.lines())
        complete = result.coverage.complete
        verdict = "agreed" if complete else "refuted"
        yield Outcome("engines", f"{name} coverage", "is complete", complete, verdict, found, text=text)


def verify_relation(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    for engine in ENGINES.values():
        verdict = check_relation(engine, RELATIONS[name], examples=effort.relation_cases, seed=seed)
        yield outcome_of("engines", f"{engine.name} {name}", "agrees with itself", verdict)
