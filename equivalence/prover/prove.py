"""The front door of the prover: are two plans, or the two sides of a rule, equivalent for all streams?

A proof is about all streams, all free predicates and functions, and all sizes that meet the side conditions. It
excludes inputs on which a side fails (integer overflow). z3 answers every leaf and cvc5 confirms it; what one of
them does not find unsatisfiable is not proved. If there is no proof, a counterexample is looked for among small
streams, and replayed. `pipeline` shows all passes in their order.

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

from collections.abc import Collection, Iterator, Sequence
from typing import cast

from equivalence.lists.list_query import ListQuery
from equivalence.prover.attempt import Statement
from equivalence.prover.confirmation import proved
from equivalence.prover.conjecture import Conjecture
from equivalence.prover.limits import in_fragment
from equivalence.prover.meaning.open_numbers import DecisionPath, every_path
from equivalence.prover.meaning.symbolic import SymbolicInstance
from equivalence.prover.pipeline import CASES_OF_PLANS, PROOF_AT_ONCE, SEARCH_AT_ONCE, Pass, decide
from equivalence.prover.solver.solvers import Z3
from equivalence.prover.terms.term import Term
from equivalence.rules.instances import ConditionNotMet, Instance, ListInstance
from equivalence.rules.statement import Rule, check_sides
from equivalence.sampling.sample import check_rule
from equivalence.verdicts.verdict import Verdict
from semantics import TypeMismatch, Unsupported
from semantics.comparable_plans import check_comparable
from semantics.constraint import Constraint
from semantics.evaluate import Planned

__all__ = [
    "in_fragment",
    "prove",
    "prove_at_once",
    "prove_rule",
    "proved",
    "refute_at_once",
    "statements",
]


def prove(
    left: Planned, right: Planned, *, constraints: Collection[Constraint] = (), hypotheses: Collection[Term] = ()
) -> Verdict:
    """Are two plans equivalent, on all streams that keep the constraints, wherever the hypotheses hold?"""
    return _decided(_conjecture(left, right, constraints, hypotheses))


def prove_at_once(left: Planned, right: Planned, *, constraints: Collection[Constraint] = ()) -> Verdict:
    """Proved, if a short proof is found; no counterexample is looked for."""
    return _decided(_conjecture(left, right, constraints), PROOF_AT_ONCE)


def refute_at_once(left: Planned, right: Planned, *, constraints: Collection[Constraint] = ()) -> Verdict:
    """Refuted, if a counterexample is found soon; no proof is looked for."""
    return _decided(_conjecture(left, right, constraints), SEARCH_AT_ONCE)


def _decided(conjecture: Conjecture, *passes: Sequence[Pass]) -> Verdict:
    """The verdict; unknown where an operator or a value has no term."""
    try:
        return decide(conjecture, *passes)
    except Unsupported as reason:
        return _outside(reason)


def _outside(reason: object) -> Verdict:
    return Verdict("unknown", {"how": "proof", "reason": f"outside the fragment: {reason}"})


def _conjecture(
    left: Planned, right: Planned, constraints: Collection[Constraint], hypotheses: Collection[Term] = ()
) -> Conjecture:
    check_comparable(left, right)
    instance = Instance(left.plan, right.plan, tuple(constraints))
    return Conjecture(lambda *_: [Statement(instance, known=tuple(hypotheses))], plans=instance)


def prove_rule(rule: Rule) -> Verdict:
    """Is a rule right, whatever is free in it?"""
    try:
        return decide(Conjecture(lambda kinds, solver: statements(rule, kinds, solver), lambda n: _sampled(rule, n)))
    except (TypeMismatch, TypeError, Unsupported) as reason:
        # The rule computes something with what is left open, or has an operator without terms: it can only be sampled.
        return _sampled(rule, CASES_OF_PLANS) or _outside(reason)


def _sampled(rule: Rule, cases: int) -> Verdict | None:
    """Refuted by a random case, or None."""
    sampled = check_rule(rule, examples=cases, seed=0, trials=0, measured=0)
    return sampled if sampled.kind == "refuted" else None


def statements(rule: Rule, kinds: Collection[str] = (), solver: Z3 | None = None) -> Iterator[Statement]:
    """What a rule says, on each of its paths; an aggregate that may be any can be restricted to some kinds."""
    for path, instance in every_path(lambda path: _stated(rule, path, kinds), solver):
        if instance is not None:
            yield Statement(instance, rule.equivalence, tuple(path.known))


def _stated(rule: Rule, path: DecisionPath, kinds: Collection[str]) -> Instance | ListInstance | None:
    free = SymbolicInstance(path, rule.dropped, kinds=kinds)
    try:
        left, right = rule.sides(free)
    except ConditionNotMet:
        return None
    check_sides(rule, left, right)
    given = tuple(free.constraints)
    if isinstance(left, ListQuery) or isinstance(right, ListQuery):
        return ListInstance(cast(ListQuery, left).listing, cast(ListQuery, right).listing, given)
    return Instance(left.plan, right.plan, given)
