"""Proofs: an attempt at every statement of a conjecture.

Soundness rests on this module in one point: no statement is skipped. After the first that is not proved the others do
not matter, and are not attempted.
"""

from dataclasses import replace

from equivalence.prover.attempt import Proof, Statement, attempted
from equivalence.prover.confirmation import confirmed, verdict_of
from equivalence.prover.conjecture import Conjecture, Progress
from equivalence.prover.limits import in_fragment
from equivalence.verdicts.verdict import Verdict
from semantics.plan import Node


def short_proof(conjecture: Conjecture, progress: Progress) -> Progress:
    """Attempt a proof from the cheapest facts, and note whether a longer attempt could do better."""
    proofs = _attempts(conjecture, thorough=False)
    out_of_effort = bool(proofs) and not proofs[-1].found and proofs[-1].stopped is None
    return replace(progress, verdict=verdict_of(proofs), longer_proof_may_help=out_of_effort)


def long_proof(conjecture: Conjecture, progress: Progress) -> Progress:
    """Attempt a proof from all known facts."""
    verdict = verdict_of(_attempts(conjecture, thorough=True))
    if verdict.kind == "unknown":
        verdict = Verdict("unknown", {**progress.verdict.evidence, **verdict.evidence})
    return replace(progress, verdict=verdict)


def proof_from_less(conjecture: Conjecture, progress: Progress) -> Progress:
    """Attempt a proof in which some of the constraints are not assumed: with all of them it may be harder to find."""
    found = list[tuple[Proof, Statement]]()
    for statement in conjecture.statements():
        proof = confirmed(statement, conjecture.solver)
        if proof is None:
            return progress
        found.append(proof)
    verdict = verdict_of([proof for proof, _ in found])
    assumed = dict.fromkeys(str(c) for _, statement in found for c in statement.instance.constraints)
    return replace(progress, verdict=replace(verdict, evidence={**verdict.evidence, "assumed": list(assumed)}))


def _attempts(conjecture: Conjecture, *, thorough: bool) -> list[Proof]:
    """An attempt at each statement, up to the first that fails."""
    proofs: list[Proof] = []
    for statement in conjecture.statements():
        proof = attempted(statement, thorough=thorough, solver=conjecture.solver)
        if not proof.found:
            return [*proofs, _explained(proof, statement)]
        proofs.append(proof)
    return proofs


def _explained(proof: Proof, statement: Statement) -> Proof:
    """A failed attempt, with what could be known beforehand as the reason, unless there is a better one."""
    sides = (statement.instance.left, statement.instance.right)
    beyond = [reason for side in sides if isinstance(side, Node) and (reason := in_fragment(side))]
    return replace(proof, stopped=f"outside the fragment: {beyond[0]}") if beyond and proof.stopped is None else proof
