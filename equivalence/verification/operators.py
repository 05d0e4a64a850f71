"""Operators: the golden corpus, and the commuting square of every operator."""

from collections.abc import Iterator
from pathlib import Path

from equivalence.cases.random_plans import OPERATORS
from equivalence.reference_checks.golden import GoldenCase, corpus_folder, load_corpus
from equivalence.reference_checks.reducibility import check_irreducible, check_reducible
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from equivalence.verification.claim_outcome import Outcome, outcome_of
from equivalence.verification.effort import Effort
from semantics import SnapeqError, evaluate


def verify_corpus(folder: Path | None = None) -> Iterator[Outcome]:
    """Every golden case; a folder without any is a vacuous finding, not a silent success."""
    place = folder or corpus_folder()
    cases = load_corpus(place)
    if not cases:
        yield outcome_of("corpus", str(place), "holds golden cases", Verdict("vacuous", {"cases": 0}))
    for case in cases:
        yield outcome_of("corpus", case.name, case.title, check_golden(case))


def check_golden(case: GoldenCase) -> Verdict:
    """Does the reference give exactly the snapshots that people wrote down?"""
    try:
        result = evaluate(case.plan, case.streams, case.expected.horizon)
    except SnapeqError as error:
        return Verdict("refuted", {"how": "golden", "error": str(error)})
    pairs = zip(result.snapshots, case.expected.snapshots, strict=True)
    for t, (left, right) in enumerate(pairs):
        if left != right:
            return Verdict("refuted", {"how": "golden"}, Counterexample((case.plan,), case.streams, t, left, right))
    if not case.expected.horizon:
        return Verdict("vacuous", {"how": "golden", "snapshots": 0})
    return Verdict("agreed", {"how": "golden", "snapshots": case.expected.horizon})


def verify_operator(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    """A reducible operator by the commuting square, another by a witness against it."""
    operator = next(kind for kind in OPERATORS if kind.__name__ == name)
    claim, check = ("reducible", check_reducible) if operator.computable else ("needs the past", check_irreducible)
    yield outcome_of("operators", name, claim, check(operator, examples=effort.plans, sampling_seed=seed))
