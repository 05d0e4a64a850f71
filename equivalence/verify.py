"""The main job: verify what snapeq itself claims, and say on what evidence."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from equivalence.corpus import GoldenCase, corpus_folder, load_corpus
from equivalence.counterexample import Counterexample
from equivalence.generate import OPERATORS
from equivalence.reducibility import check_irreducible, check_reducible
from equivalence.verdict import Verdict
from semantics import SnapeqError, evaluate

EXAMPLES = 100
QUICK_EXAMPLES = 20


@dataclass(frozen=True)
class Finding:
    """One verified thing: what it is, what is claimed of it, and the verdict on the claim."""

    part: str
    name: str
    claim: str
    verdict: Verdict


def verify(*, quick: bool = False, seed: int = 0, folder: Path | None = None) -> Iterator[Finding]:
    """All findings, one after the other: the golden corpus, then every operator."""
    yield from verify_corpus(folder or corpus_folder())
    yield from verify_operators(QUICK_EXAMPLES if quick else EXAMPLES, seed)


def steps(folder: Path | None = None) -> int:
    """How many findings `verify` will yield."""
    return max(len(load_corpus(folder or corpus_folder())), 1) + len(OPERATORS)


def verify_corpus(folder: Path) -> Iterator[Finding]:
    """Every golden case; a folder without any is a vacuous finding, not a silent success."""
    cases = load_corpus(folder)
    if not cases:
        yield Finding("corpus", str(folder), "holds golden cases", Verdict("vacuous", {"cases": 0}))
    for case in cases:
        yield Finding("corpus", case.name, case.title, check_golden(case))


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


def verify_operators(examples: int, seed: int) -> Iterator[Finding]:
    """Every operator: reducible ones by the commuting square, the others by a witness against it."""
    for operator in OPERATORS:
        if operator.reducible:
            claim, check = "reducible", check_reducible
        else:
            claim, check = "needs the past", check_irreducible
        yield Finding("operators", operator.__name__, claim, check(operator, examples=examples, sampling_seed=seed))
