"""When attempts are a proof: every one succeeded, and both solvers answered unsat on every leaf.

Soundness rests on this module, so that it need not rest on either solver alone: cvc5 reads the same texts as z3, and
shares no code with it.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from equivalence.prover.attempt import Proof, Statement, attempted
from equivalence.prover.solver.solvers import Z3, cvc5_answer, names
from equivalence.prover.weaker_assumptions import attempted_from_less
from equivalence.rules.instances import Instance
from equivalence.verdicts.verdict import Verdict
from semantics import Plan
from semantics.constraint import Constraint


def verdict_of(proofs: Sequence[Proof]) -> Verdict:
    """Proved, unknown with a reason, or vacuous: a conjecture without statements says nothing."""
    if not proofs:
        return Verdict("vacuous", {"how": "proof", "reason": "the side conditions never hold"})
    failed = [proof for proof in proofs if not proof.found]
    if failed:
        reason = failed[0].stopped or "no proof was found within the limits"
        return Verdict("unknown", {"how": "proof", "reason": reason})
    leaves = list(dict.fromkeys(leaf for proof in proofs for leaf in proof.leaves))
    doubts = _doubts(leaves)
    if doubts:
        return Verdict("unknown", {"how": "proof", "reason": doubts[0].partition(":\n")[0], "doubts": doubts})
    steps = [step for proof in proofs for step in proof.steps]
    lemmas = sorted({step.split(":")[0] for step in steps})
    return Verdict("proved", {"how": "proof", "steps": steps, "lemmas": lemmas, "leaves": leaves, "solvers": names()})


def _doubts(leaves: Iterable[str]) -> list[str]:
    """Leaves that z3 closed and cvc5 did not; those on which the two contradict each other come first."""
    doubts: list[str] = []
    for leaf in leaves:
        answer = cvc5_answer(leaf)
        if answer == "sat":
            doubts.insert(0, f"THE SOLVERS CONTRADICT EACH OTHER: unsat for z3, sat for cvc5:\n{leaf}")
        elif answer == "unknown":
            doubts.append(f"cvc5 did not confirm a leaf:\n{leaf}")
    return doubts


def proved(left: Plan, right: Plan, constraints: Collection[Constraint] = ()) -> bool:
    """Does the kernel alone prove two plans equal, confirmed by both solvers?"""
    return confirmed(Statement(Instance(left, right, tuple(constraints)))) is not None


def confirmed(statement: Statement, solver: Z3 | None = None) -> tuple[Proof, Statement] | None:
    """A proof that both solvers confirm, from all assumptions or from weaker ones, and what exactly it proves."""
    straight = attempted(statement, thorough=True, solver=solver), statement
    found = chain([straight], attempted_from_less(statement, solver))
    return next((each for each in found if verdict_of([each[0]]).kind == "proved"), None)
