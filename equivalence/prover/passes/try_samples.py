"""Samples: random cases, to spend no effort on a proof of what is plainly false."""

from dataclasses import replace

from equivalence.prover.conjecture import Conjecture, Progress
from equivalence.verdicts.verdict import Verdict


def try_samples(conjecture: Conjecture, progress: Progress, cases: int) -> Progress:
    """Try random cases."""
    assert conjecture.sample is not None
    return replace(progress, failing_sample=conjecture.sample(cases))


def accept_sample(_: Conjecture, progress: Progress) -> Progress:
    """Refute by the failing sample, and say why there is no model, which would have been smaller."""
    failing = progress.failing_sample
    assert failing is not None
    evidence = {**failing.evidence, "no model": _why_none(progress.verdict)}
    return replace(progress, verdict=Verdict(failing.kind, evidence, failing.counterexample))


def _why_none(verdict: Verdict) -> str:
    outside = verdict.evidence.get("not searched")
    if isinstance(outside, list) and outside:
        return f"not searched: {outside[0]}"
    if "models that do not replay" in verdict.evidence:
        return "those that were found do not replay"
    return "none within the bounds of the search"
