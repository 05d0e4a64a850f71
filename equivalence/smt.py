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

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, cast

from equivalence.certificate import Wrong, check, proved_by_kernel
from equivalence.check import check_rule
from equivalence.constraint import Constraint
from equivalence.derive import derive
from equivalence.free import Instance, ListInstance, Unmet
from equivalence.list_query import ListQuery
from equivalence.prover.attempt import NODES, Proof, Statement, attempted, size
from equivalence.prover.limits import limits
from equivalence.prover.model import SCOPES, refute
from equivalence.prover.solvers import cvc5_answer, names
from equivalence.prover.symbolic import Symbolic
from equivalence.prover.terms import Term
from equivalence.prover.unknown import Path, every_path
from equivalence.rule import Rule, check_sides
from equivalence.verdict import Verdict
from semantics import Plan, SchemaError, TypeMismatch
from semantics.evaluate import Planned
from semantics.plan import Node

SMALL: Final = 2
"""So many scopes are searched for counterexamples before a proof is attempted at length."""
SAMPLES: Final = (100, 1000)
"""So many cases are tried of rules that are not proved at once, and of those that are neither proved nor refuted."""
KINDS: Final = ("count", "sum", "max")
"""Where a rule is about any aggregate, counterexamples are looked for with these."""


def in_fragment(plan: Plan) -> str | None:
    """Why a proof about a plan may be beyond the prover, known beforehand; None if nothing speaks against one.

    What is known by name only may still be all that a proof needs, so an attempt is made in any case.

    >>> from semantics import median, source
    >>> in_fragment(source("A", x=int).aggregate(m=median("x")).plan)
    'Median is known only as some function of the multiset of values'
    """
    operators = size(plan)
    if operators > NODES:
        return f"the plan has {operators} operators, at most {NODES} are attempted"
    return "; ".join(limits(plan)) or None


def prove(
    left: Planned, right: Planned, *, constraints: Collection[Constraint] = (), hypotheses: Collection[Term] = ()
) -> Verdict:
    """Are two plans equivalent, on all streams that keep the constraints, wherever the hypotheses hold?"""
    instance = Instance(left.plan, right.plan, tuple(constraints))
    if instance.left.schema.types != instance.right.schema.types:
        raise SchemaError(
            f"plans with different columns cannot be equivalent: {instance.left.schema}; {instance.right.schema}"
        )
    verdict = _decided(lambda _: [Statement(instance, known=tuple(hypotheses))])
    return verdict if verdict.kind != "unknown" else _derived(instance) or verdict


def proved(left: Plan, right: Plan, constraints: Collection[Constraint] = ()) -> bool:
    """Do both solvers confirm a proof of two plans by the kernel alone?"""
    statement = Statement(Instance(left, right, tuple(constraints)))
    return _verdict([attempted(statement, thorough=True)]).kind == "proved"


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
    few, many = SAMPLES
    try:
        verdict = _decided(lambda kinds: _statements(rule, kinds), lambda: _sampled(rule, few))
    except (TypeMismatch, TypeError) as reason:
        verdict = Verdict("unknown", {"how": "proof", "reason": f"outside the fragment: {reason}"})
    return verdict if verdict.kind != "unknown" else _sampled(rule, many) or verdict


def _sampled(rule: Rule, cases: int) -> Verdict | None:
    """Refuted by a case chosen at random, if so."""
    sampled = check_rule(rule, examples=cases, seed=0, trials=0)
    return sampled if sampled.kind == "refuted" else None


def _decided(
    stated: Callable[[Collection[str]], Iterable[Statement]], sampled: Callable[[], Verdict | None] = lambda: None
) -> Verdict:
    """A short attempt at a proof, a short search for a counterexample, a long attempt, a long search.

    A long attempt is not made where a sample speaks against it; models come before samples, being smaller.
    """
    verdict = _verdict(_attempts(stated(()), thorough=False))
    if verdict.kind == "unknown":
        verdict = _searched(verdict, stated(KINDS), SCOPES[:SMALL])
    if verdict.kind != "unknown":
        return verdict
    against = sampled()
    if against is None:
        verdict = _verdict(_attempts(stated(()), thorough=True))
    if verdict.kind == "unknown":
        verdict = _searched(verdict, stated(KINDS), SCOPES[SMALL:])
    return against if against is not None and verdict.kind == "unknown" else verdict


def _statements(rule: Rule, kinds: Collection[str]) -> Iterator[Statement]:
    """What a rule says, on each of its paths; where an aggregate may be any, it may be restricted to some kinds."""
    for path, instance in every_path(lambda path: _stated(rule, path, kinds)):
        if instance is not None:
            yield Statement(instance, rule.equivalence, tuple(path.known))


def _stated(rule: Rule, path: Path, kinds: Collection[str]) -> Instance | ListInstance | None:
    free = Symbolic(path, rule.dropped, kinds=kinds)
    try:
        left, right = rule.sides(free)
    except Unmet:
        return None
    check_sides(rule, left, right)
    given = tuple(free.constraints)
    if isinstance(left, ListQuery) or isinstance(right, ListQuery):
        return ListInstance(cast(ListQuery, left).listing, cast(ListQuery, right).listing, given)
    return Instance(left.plan, right.plan, given)


def _attempts(statements: Iterable[Statement], *, thorough: bool) -> list[Proof]:
    """An attempt at every statement; after one that fails the others do not matter."""
    proofs: list[Proof] = []
    for statement in statements:
        proofs.append(attempted(statement, thorough=thorough))
        if not proofs[-1].found:
            proofs[-1] = _explained(proofs[-1], statement)
            break
    return proofs


def _explained(proof: Proof, statement: Statement) -> Proof:
    """What could be known beforehand is the reason, where nothing better is."""
    sides = (statement.instance.left, statement.instance.right)
    beyond = [reason for side in sides if isinstance(side, Node) and (reason := in_fragment(side))]
    return replace(proof, stopped=f"outside the fragment: {beyond[0]}") if beyond and proof.stopped is None else proof


def _searched(verdict: Verdict, statements: Iterable[Statement], scopes: Sequence[tuple[int, int]]) -> Verdict:
    """The verdict after a search for counterexamples: refuted by the first, else what it was."""
    unreplayed, outside = 0, list[str]()
    for statement in statements:
        if isinstance(statement.instance, ListInstance) or not _small(statement.instance):
            continue
        search = refute(statement.instance, statement.equivalence, statement.known, scopes)
        if search.found is not None:
            return Verdict("refuted", {"how": "model", "solvers": names()}, search.found)
        unreplayed += search.not_replayed
        outside += [search.outside] if search.outside else []
    notes = {"models that do not replay": unreplayed} if unreplayed else {}
    beyond = {"not searched": outside} if outside else {}
    return Verdict(verdict.kind, {**verdict.evidence, **notes, **beyond})


def _small(instance: Instance) -> bool:
    return max(size(instance.left), size(instance.right)) <= NODES


def _verdict(proofs: Sequence[Proof]) -> Verdict:
    """Proved only if every attempt succeeded and both solvers say so of every leaf."""
    if not proofs:
        return Verdict("vacuous", {"how": "proof", "reason": "the side conditions never hold"})
    failed = [proof for proof in proofs if not proof.found]
    if failed:
        reason = failed[0].stopped or "no proof was found within the limits"
        return Verdict("unknown", {"how": "proof", "reason": reason})
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
