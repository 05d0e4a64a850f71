"""Rewriting: plans that are too long for the kernel are proved equal step by step, each step a small proof.

The search for steps is trusted for nothing. A certificate counts only after `check` has replayed it and the kernel has
proved each of its steps.
"""

from dataclasses import replace

from equivalence.prover.certificate import Certificate, InvalidCertificate, check, proved_by_kernel
from equivalence.prover.conjecture import Conjecture, Progress
from equivalence.prover.derive import derive
from equivalence.prover.differing_parts import by_parts, differing_parts
from equivalence.prover.solver.solvers import names
from equivalence.rules.instances import Instance
from equivalence.verdicts.verdict import Verdict
from semantics import show


def rewrite_plans(conjecture: Conjecture, progress: Progress) -> Progress:
    """Prove by a certificate, if the search finds one that checks; else say where the two plans differ."""
    plans = conjecture.plans
    assert plans is not None
    found = _by_certificates(plans)
    return replace(progress, verdict=found or _with_parts(progress.verdict, plans))


def _by_certificates(instance: Instance) -> Verdict | None:
    """First part by part, then by rewrites."""
    sides = instance.left, instance.right
    return _checked(by_parts(*sides), instance) or _checked(derive(*sides, instance.constraints), instance)


def _with_parts(verdict: Verdict, instance: Instance) -> Verdict:
    """The verdict, with the parts that are not proved equal, if these are not the plans themselves."""
    sides = instance.left, instance.right
    lemma = proved_by_kernel(instance.constraints)
    parts = [pair for pair in differing_parts(*sides) if pair != sides and not lemma(*pair)]
    stopped = [f"{show(one)}  against  {show(other)}" for one, other in parts]
    return replace(verdict, evidence={**verdict.evidence, "stopped_at": stopped}) if stopped else verdict


def _checked(certificate: Certificate | None, instance: Instance) -> Verdict | None:
    if certificate is None:
        return None
    try:
        lemmas = check(certificate, proved_by_kernel(instance.constraints), instance.constraints)
    except InvalidCertificate:
        return None
    steps = [str(step) for step in certificate.steps]
    return Verdict("proved", {"how": "rewriting", "steps": steps, "proved steps": lemmas, "solvers": names()})
