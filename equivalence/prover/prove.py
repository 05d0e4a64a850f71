"""Are two plans, or the two sides of a rule, equivalent for all streams? By proof; if not, with a counterexample.

A proof is about all streams, all free predicates and functions, and all sizes that meet the side conditions. It
excludes inputs on which a side fails (integer overflow). z3 answers every leaf and cvc5 confirms it; what one of
them does not find unsatisfiable is not proved. Where nothing is proved, a counterexample is looked for among small
streams, and replayed. Plans that are too long for the kernel are rewritten by proved rules, each step a small proof.

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

from collections.abc import Collection, Iterator
from typing import cast

from equivalence.lists.query import ListQuery
from equivalence.prover.attempt import Statement, attempted
from equivalence.prover.certificate import Wrong, check, proved_by_kernel
from equivalence.prover.decide import FEW, Decision, in_fragment, verdict_of
from equivalence.prover.derive import derive
from equivalence.prover.meaning.open_numbers import Path, every_path
from equivalence.prover.meaning.symbolic import Symbolic
from equivalence.prover.solver.solvers import Z3, names
from equivalence.prover.terms.term import Term
from equivalence.rules.instances import ConditionNotMet, Instance, ListInstance
from equivalence.rules.statement import Rule, check_sides
from equivalence.sampling.sample import check_rule
from equivalence.verdicts.verdict import Verdict
from semantics import Plan, SchemaError, TypeMismatch
from semantics.constraint import Constraint
from semantics.evaluate import Planned

__all__ = ["in_fragment", "prove", "prove_rule", "proved", "statements"]


def prove(
    left: Planned, right: Planned, *, constraints: Collection[Constraint] = (), hypotheses: Collection[Term] = ()
) -> Verdict:
    """Are two plans equivalent, on all streams that keep the constraints, wherever the hypotheses hold?"""
    instance = Instance(left.plan, right.plan, tuple(constraints))
    if instance.left.schema.types != instance.right.schema.types:
        raise SchemaError(
            f"plans with different columns cannot be equivalent: {instance.left.schema}; {instance.right.schema}"
        )
    verdict = Decision(lambda *_: [Statement(instance, known=tuple(hypotheses))]).verdict()
    return verdict if verdict.kind != "unknown" else _derived(instance) or verdict


def proved(left: Plan, right: Plan, constraints: Collection[Constraint] = ()) -> bool:
    """Do both solvers confirm a proof of two plans by the kernel alone?"""
    statement = Statement(Instance(left, right, tuple(constraints)))
    return verdict_of([attempted(statement, thorough=True)]).kind == "proved"


def _derived(instance: Instance) -> Verdict | None:
    """A proof by rewriting, every step of which the kernel proves."""
    certificate = derive(instance.left, instance.right, instance.constraints)
    if certificate is None:
        return None
    try:
        lemmas = check(certificate, proved_by_kernel(instance.constraints))
    except Wrong:
        return None
    steps = [str(step) for step in certificate.steps]
    return Verdict("proved", {"how": "rewriting", "steps": steps, "proved steps": lemmas, "solvers": names()})


def prove_rule(rule: Rule) -> Verdict:
    """Is a rule right, whatever is free in it?"""
    try:
        return Decision(lambda kinds, solver: statements(rule, kinds, solver), lambda n: _sampled(rule, n)).verdict()
    except (TypeMismatch, TypeError) as reason:
        return _sampled(rule, FEW) or Verdict("unknown", {"how": "proof", "reason": f"outside the fragment: {reason}"})


def _sampled(rule: Rule, cases: int) -> Verdict | None:
    """Refuted by a case chosen at random, if so."""
    sampled = check_rule(rule, examples=cases, seed=0, trials=0)
    return sampled if sampled.kind == "refuted" else None


def statements(rule: Rule, kinds: Collection[str] = (), solver: Z3 | None = None) -> Iterator[Statement]:
    """What a rule says, on each of its paths; where an aggregate may be any, it may be restricted to some kinds."""
    for path, instance in every_path(lambda path: _stated(rule, path, kinds), solver):
        if instance is not None:
            yield Statement(instance, rule.equivalence, tuple(path.known))


def _stated(rule: Rule, path: Path, kinds: Collection[str]) -> Instance | ListInstance | None:
    free = Symbolic(path, rule.dropped, kinds=kinds)
    try:
        left, right = rule.sides(free)
    except ConditionNotMet:
        return None
    check_sides(rule, left, right)
    given = tuple(free.constraints)
    if isinstance(left, ListQuery) or isinstance(right, ListQuery):
        return ListInstance(cast(ListQuery, left).listing, cast(ListQuery, right).listing, given)
    return Instance(left.plan, right.plan, given)
