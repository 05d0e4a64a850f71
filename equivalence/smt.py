"""Are two plans, or the two sides of a rule, equivalent for all streams? By proof; if not, with a counterexample.

A proof is about all streams, all free predicates and functions, and all sizes that meet the side conditions. It
excludes inputs on which a side fails (integer overflow). z3 answers every leaf and cvc5 confirms it; what one of
them does not find unsatisfiable is not proved. Where nothing is proved, a counterexample is looked for among small
streams, and replayed.

>>> from semantics import source
>>> a, b = source("A", x=int), source("B", x=int)
>>> prove(a.union(b).window(3), a.window(3).union(b.window(3))).kind
'proved'
>>> print(prove(a.window(2).window(2), a.window(3)).counterexample)
let A = raw(x int): (null)@0
plan A(x int) | window(range 2) | window(range 2)
plan A(x int) | window(range 3)
at instant 1 the left holds  {(null)*2}
             the right holds {(null)}
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from equivalence.constraint import Constraint
from equivalence.free import Instance, Unmet
from equivalence.prover.kernel import Kernel
from equivalence.prover.known import Known
from equivalence.prover.model import Search, refute
from equivalence.prover.solvers import cvc5_answer, names
from equivalence.prover.steps import OutOfReach
from equivalence.prover.symbolic import Symbolic
from equivalence.prover.terms import ZERO, Fresh, Sort, Term, Var, at_most, indicator, positive
from equivalence.prover.translate import Translation
from equivalence.prover.unknown import Path, every_path
from equivalence.rule import Equivalence, Rule, check_sides
from equivalence.verdict import Verdict
from semantics import Plan, SchemaError
from semantics.evaluate import Planned

NODES: Final = 60
"""Plans with more operators are not attempted."""
KINDS: Final = ("count", "sum", "max")
"""Where a rule is about any aggregate, counterexamples are looked for with these."""


@dataclass(frozen=True)
class Proof:
    """An attempt at one pair of plans: whether it succeeded, its steps and leaves, or what stopped it."""

    found: bool
    steps: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    stopped: str | None = None


def in_fragment(plan: Plan) -> str | None:
    """Why a plan is beyond the prover, known beforehand; None if it is not."""
    size = _size(plan)
    return f"the plan has {size} operators, at most {NODES} are attempted" if size > NODES else None


def prove(left: Planned, right: Planned, *, constraints: Collection[Constraint] = ()) -> Verdict:
    """Are two plans equivalent, on all streams that keep the constraints?"""
    instance = Instance(left.plan, right.plan, tuple(constraints))
    if instance.left.schema.types != instance.right.schema.types:
        raise SchemaError(
            f"plans with different columns cannot be equivalent: {instance.left.schema}; {instance.right.schema}"
        )
    verdict = _verdict([_attempted(instance)])
    return verdict if verdict.kind == "proved" else _searched(verdict, [refute(instance)])


def prove_rule(rule: Rule) -> Verdict:
    """Is a rule right, whatever is free in it?"""
    if rule.equivalence not in ("snapshot-multiset", "snapshot-set"):
        return Verdict("unknown", {"how": "proof", "reason": f"outside the fragment: {rule.equivalence} equivalence"})
    paths = [(path, i) for path, i in every_path(_runner(rule)) if i]
    verdict = _verdict([_attempted(i, rule.equivalence, path.known) for path, i in paths])
    if verdict.kind != "unknown":
        return verdict
    open_ = [(path, i) for path, i in every_path(_runner(rule, KINDS)) if i]
    return _searched(verdict, (refute(i, rule.equivalence, path.known) for path, i in open_))


def _searched(verdict: Verdict, searches: Iterable[Search]) -> Verdict:
    """The verdict after a search for counterexamples: refuted by the first, else what it was."""
    unreplayed, outside = 0, []
    for search in searches:
        if search.found is not None:
            return Verdict("refuted", {"how": "model", "solvers": names()}, search.found)
        unreplayed += search.not_replayed
        outside += [search.outside] if search.outside else []
    notes = {"models that do not replay": unreplayed} if unreplayed else {}
    beyond = {"not searched": outside} if outside else {}
    return Verdict(verdict.kind, {**verdict.evidence, **notes, **beyond})


def _runner(rule: Rule, kinds: Collection[str] = ()) -> Callable[[Path], Instance | None]:
    def run(path: Path) -> Instance | None:
        free = Symbolic(path, rule.dropped, kinds=kinds)
        try:
            left, right = rule.sides(free)
        except Unmet:
            return None
        check_sides(rule, left, right)
        return Instance(left.plan, right.plan, tuple(free.constraints))

    return run


def _attempted(instance: Instance, equivalence: Equivalence = "snapshot-multiset", known: Iterable[Term] = ()) -> Proof:
    beyond = in_fragment(instance.left) or in_fragment(instance.right)
    if beyond:
        return Proof(False, stopped=beyond)
    try:
        return attempt(instance, equivalence, known)
    except OutOfReach as reason:
        return Proof(False, stopped=str(reason))


def attempt(instance: Instance, equivalence: Equivalence = "snapshot-multiset", known: Iterable[Term] = ()) -> Proof:
    """Try to prove both sides equal at a row and an instant of which nothing is known."""
    fresh = Fresh()
    translation = Translation(fresh, Known(instance.sources, instance.constraints, fresh))
    time = Var("t", Sort.INT)
    row = translation.row(instance.left.schema, "e")
    sides = [translation.times(plan, row, time) for plan in (instance.left, instance.right)]
    if equivalence == "snapshot-set":
        sides = [indicator(positive(side)) for side in sides]
    kernel = Kernel(fresh, (at_most(ZERO, time), *known))
    found = kernel.equal(*sides)
    return Proof(found, tuple(kernel.steps.taken), tuple(dict.fromkeys(kernel.leaves)))


def _verdict(proofs: Sequence[Proof]) -> Verdict:
    """Proved only if every attempt succeeded and both solvers say so of every leaf."""
    if not proofs:
        return Verdict("vacuous", {"how": "proof", "reason": "the side conditions never hold"})
    failed = [proof for proof in proofs if not proof.found]
    if failed:
        reason = failed[0].stopped or "no proof was found within the limits"
        return Verdict("unknown", {"how": "proof", "reason": reason, "cases": len(proofs), "failed": len(failed)})
    leaves = list(dict.fromkeys(leaf for proof in proofs for leaf in proof.leaves))
    doubts = _doubts(leaves)
    if doubts:
        return Verdict("unknown", {"how": "proof", "reason": doubts[0], "doubts": doubts})
    steps = [step for proof in proofs for step in proof.steps]
    lemmas = sorted({step.split(":")[0] for step in steps})
    return Verdict("proved", {"how": "proof", "steps": steps, "lemmas": lemmas, "leaves": leaves, "solvers": names()})


def _doubts(leaves: Iterable[str]) -> list[str]:
    """Leaves that z3 closed and cvc5 did not: a contradiction between solvers is said as loudly as it can be."""
    doubts: list[str] = []
    for leaf in leaves:
        answer = cvc5_answer(leaf)
        if answer == "sat":
            doubts.insert(0, f"THE SOLVERS CONTRADICT EACH OTHER: unsat for z3, sat for cvc5:\n{leaf}")
        elif answer == "unknown":
            doubts.append(f"cvc5 did not confirm a leaf:\n{leaf}")
    return doubts


def _size(plan: Plan) -> int:
    return 1 + sum(map(_size, plan.inputs))
