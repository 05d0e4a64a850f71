"""Rewriting: plans that are too long for the kernel are proved equal step by step, each step a small proof.

The search for steps is trusted for nothing. A certificate counts only after `check` has replayed it and the kernel has
proved each of its steps.
"""

from dataclasses import replace

from equivalence.prover.certificate import InvalidCertificate, check, proved_by_kernel
from equivalence.prover.conjecture import Conjecture, Progress
from equivalence.prover.derive import derive
from equivalence.prover.solver.solvers import names
from equivalence.rules.instances import Instance
from equivalence.verdicts.verdict import Verdict


def rewrite_plans(conjecture: Conjecture, progress: Progress) -> Progress:
    """Prove by a certificate, if the search finds one that checks."""
    assert conjecture.plans is not None
    return replace(progress, verdict=_derived(conjecture.plans) or progress.verdict)


def _derived(instance: Instance) -> Verdict | None:
    certificate = derive(instance.left, instance.right, instance.constraints)
    if certificate is None:
        return None
    try:
        lemmas = check(certificate, proved_by_kernel(instance.constraints))
    except InvalidCertificate:
        return None
    steps = [str(step) for step in certificate.steps]
    return Verdict("proved", {"how": "rewriting", "steps": steps, "proved steps": lemmas, "solvers": names()})
