"""Are two plans, or the two sides of a rule, equivalent for all streams? By proof; if not, with a counterexample.

A proof is about all streams, all free predicates and functions, and all sizes that meet the side conditions. It
excludes inputs on which a side fails (integer overflow), as `docs/decisions.md` says. z3 answers every leaf and cvc5
confirms it; what one of them does not find unsatisfiable is not proved.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from equivalence.constraint import Constraint
from equivalence.free import Instance, Unmet
from equivalence.prover.kernel import Kernel
from equivalence.prover.known import Known
from equivalence.prover.solvers import cvc5_answer, names
from equivalence.prover.symbolic import Symbolic
from equivalence.prover.terms import ZERO, Fresh, Sort, Term, Var, at_most, indicator, positive
from equivalence.prover.translate import Translation
from equivalence.prover.unknown import Path, every_path
from equivalence.rule import Equivalence, Rule, check_sides
from equivalence.verdict import Verdict
from semantics import Plan
from semantics.evaluate import Planned


@dataclass(frozen=True)
class Proof:
    """What an attempt took: whether it succeeded, its steps and its leaves."""

    found: bool
    steps: tuple[str, ...]
    leaves: tuple[str, ...]


def in_fragment(plan: Plan) -> str | None:
    """Why a plan is beyond the prover, or None."""
    return None


def prove(left: Planned, right: Planned, *, constraints: Collection[Constraint] = ()) -> Verdict:
    """Are two plans equivalent, on all streams that keep the constraints?"""
    instance = Instance(left.plan, right.plan, tuple(constraints))
    return _verdict([attempt(instance)])


def prove_rule(rule: Rule) -> Verdict:
    """Is a rule right, whatever is free in it?"""
    return _verdict([attempt(i, rule.equivalence, path.known) for path, i in every_path(_runner(rule)) if i])


def _runner(rule: Rule):
    def run(path: Path) -> Instance | None:
        free = Symbolic(path, rule.dropped)
        try:
            left, right = rule.sides(free)
        except Unmet:
            return None
        check_sides(rule, left, right)
        return Instance(left.plan, right.plan, tuple(free.constraints))

    return run


def attempt(instance: Instance, equivalence: Equivalence = "snapshot-multiset", known: Iterable[Term] = ()) -> Proof:
    """Try to prove both sides equal at a row and an instant of which nothing is known."""
    fresh, streams = Fresh(), Known(instance.sources, instance.constraints)
    translation = Translation(fresh, streams)
    time = Var("t", Sort.INT)
    row = translation.row(instance.left.schema, "e")
    sides = [translation.times(plan, row, time) for plan in (instance.left, instance.right)]
    if equivalence == "snapshot-set":
        sides = [indicator(positive(side)) for side in sides]
    kernel = Kernel(fresh, (at_most(ZERO, time), *known), streams.keys, streams.axioms(fresh))
    found = kernel.equal(*sides)
    return Proof(found, tuple(kernel.steps.taken), tuple(dict.fromkeys(kernel.leaves)))


def _verdict(proofs: Sequence[Proof]) -> Verdict:
    steps = [step for proof in proofs for step in proof.steps]
    leaves = [leaf for proof in proofs for leaf in proof.leaves]
    if not proofs:
        return Verdict("vacuous", {"how": "proof", "reason": "the side conditions never hold"})
    if not all(proof.found for proof in proofs):
        return Verdict("unknown", {"how": "proof", "reason": "not proved", "steps": steps})
    answers = [cvc5_answer(leaf) for leaf in leaves]
    if "sat" in answers or "unknown" in answers:
        return Verdict("unknown", {"how": "proof", "reason": f"cvc5 {answers}"})
    lemmas = sorted({step.split(":")[0] for step in steps})
    return Verdict("proved", {"how": "proof", "steps": steps, "lemmas": lemmas, "leaves": leaves, "solvers": names()})
