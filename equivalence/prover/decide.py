"""How a question is decided: by attempts at a proof, by searches for a counterexample, in turns.

All questions of one decision go to one z3, which remembers its answers: what a short attempt has asked costs a long
one nothing, and answers depend on nothing that was asked for another decision.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from equivalence.prover.attempt import NODES, Proof, Statement, attempted, size
from equivalence.prover.limits import limits
from equivalence.prover.refute.floats import Floats, Numbers, computes_with_floats
from equivalence.prover.refute.lists import LONG, SHORT, refute_lists
from equivalence.prover.refute.outcome import Search, first_found
from equivalence.prover.refute.plans import ROUNDED, SCOPES, STEPS, Scopes, refute
from equivalence.prover.solver.solvers import Z3, cvc5_answer, names
from equivalence.rules.instances import Instance, ListInstance
from equivalence.verdicts.verdict import Verdict
from semantics import Plan
from semantics.plan import Node

Stated = Callable[[Collection[str], Z3], Iterable[Statement]]
"""The statements that together are the question; where an aggregate may be any, it may be restricted to some kinds."""
SMALL: Final = 2
"""So many scopes are searched for counterexamples before a proof is attempted at length."""
FAIR: Final = 4
"""So many are searched with exact numbers before rounded ones are looked at."""
SURE: Final = 5
"""So many times as long a solver is asked where a sample shows that there is something to find."""
HARDER: Final = 4
"""So many times as long it is asked about long lists, and about numbers that are rounded."""
FIRST, MORE = 4, 12
"""So many cases are tried before anything else, and where no proof is found at once: most of what is false shows it."""
FEW, MANY = 100, 700
"""So many cases are tried of rules that are not proved at once: about plans, and about lists."""
UNTRIED: Final = Verdict("unknown", {"how": "proof", "reason": "a sample speaks against it"})
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


@dataclass
class Decision:
    """One question, and the solver that is asked about it."""

    stated: Stated
    sample: Callable[[int], Verdict | None] | None = None
    """Refuted by one of so many cases chosen at random, if so."""
    solver: Z3 = field(default_factory=Z3)

    def verdict(self) -> Verdict:
        """A short attempt at a proof, a short search for a counterexample, a long attempt, a long search.

        No attempt is made where a sample speaks against it; models come before samples, being smaller. Lists are
        sampled in no time and searched slowly, and what is outside the fragment is not searched well: there a long
        search is made only if a sample shows that there is something to find.
        """
        against = self._sampled(FIRST)
        verdict, beyond = (UNTRIED, True) if against else self._attempted(thorough=False)
        if verdict.kind == "unknown":
            against = against or self._sampled(MORE)
            verdict = self._searched(verdict, short=True, sure=against is not None)
        if verdict.kind != "unknown":
            return verdict
        against = against or self._sampled(MANY if self._about_lists else FEW)
        if against is None and not beyond:
            attempt, _ = self._attempted(thorough=True)
            verdict = attempt if attempt.kind != "unknown" else _noted(attempt, verdict)
        if verdict.kind == "unknown" and (against or not self.sample or not (beyond or self._about_lists)):
            verdict = self._searched(verdict, short=False, sure=against is not None)
        if against is None or verdict.kind != "unknown":
            return verdict
        return Verdict(against.kind, {**against.evidence, "no model": _why_none(verdict)}, against.counterexample)

    def _sampled(self, cases: int) -> Verdict | None:
        return None if self.sample is None else self.sample(cases)

    @cached_property
    def _about_lists(self) -> bool:
        return any(isinstance(statement.instance, ListInstance) for statement in self.stated((), self.solver))

    def _attempted(self, *, thorough: bool) -> tuple[Verdict, bool]:
        """The verdict of an attempt at every statement, and whether a longer one would end in the same way.

        After a statement that is not proved the others do not matter.
        """
        proofs: list[Proof] = []
        for statement in self.stated((), self.solver):
            proof = attempted(statement, thorough=thorough, solver=self.solver)
            proofs.append(proof if proof.found else _explained(proof, statement))
            if not proof.found:
                return verdict_of(proofs), proofs[-1].stopped is not None
        return verdict_of(proofs), True

    def _searched(self, verdict: Verdict, *, short: bool, sure: bool) -> Verdict:
        """The verdict after a search for counterexamples: refuted by the first, else what it was."""
        unreplayed, outside = 0, list[str]()
        for statement in filter(_small, self.stated(KINDS, self.solver)):
            search = self._search(statement, short, sure)
            if search.found is not None:
                return Verdict("refuted", {"how": "model", "solvers": names()}, search.found)
            unreplayed += search.not_replayed
            outside += [search.outside] if search.outside else []
        notes = {"models that do not replay": unreplayed} if unreplayed else {}
        beyond = {"not searched": outside} if outside else {}
        return Verdict(verdict.kind, {**verdict.evidence, **notes, **beyond})

    def _search(self, statement: Statement, short: bool, sure: bool) -> Search:
        instance, equivalence, known = statement.instance, statement.equivalence, statement.known
        steps = STEPS * SURE if sure else STEPS
        if isinstance(instance, ListInstance):
            scopes, more = (SHORT, steps) if short else (LONG, steps * HARDER)
            return refute_lists(instance, equivalence, known, scopes, self.solver, more)
        return first_found(
            refute(instance, equivalence, known, scopes, self.solver, numbers, steps * longer, sure=sure)
            for scopes, numbers, longer in _ways(instance, short)
        )


def _ways(instance: Instance, short: bool) -> list[tuple[Scopes, type[Numbers], int]]:
    """What is searched, with what numbers, how long: rounded ones only where they may matter, and not at first."""
    if short:
        return [(SCOPES[:SMALL], Numbers, 1)]
    if not computes_with_floats((instance.left, instance.right)):
        return [(SCOPES[SMALL:], Numbers, 1)]
    return [(SCOPES[SMALL:FAIR], Numbers, 1), (ROUNDED, Floats, HARDER), (SCOPES[FAIR:], Numbers, 1)]


def _explained(proof: Proof, statement: Statement) -> Proof:
    """What could be known beforehand is the reason, where nothing better is."""
    sides = (statement.instance.left, statement.instance.right)
    beyond = [reason for side in sides if isinstance(side, Node) and (reason := in_fragment(side))]
    return replace(proof, stopped=f"outside the fragment: {beyond[0]}") if beyond and proof.stopped is None else proof


def _noted(verdict: Verdict, before: Verdict) -> Verdict:
    """A verdict with what was noted before, and is not said anew."""
    return Verdict(verdict.kind, {**before.evidence, **verdict.evidence})


def _why_none(verdict: Verdict) -> str:
    """Why a search for models found none, though there is a counterexample."""
    outside = verdict.evidence.get("not searched")
    if isinstance(outside, list) and outside:
        return f"not searched: {outside[0]}"
    if "models that do not replay" in verdict.evidence:
        return "those that were found do not replay"
    return "none within the bounds of the search"


def _small(statement: Statement) -> bool:
    sides = (statement.instance.left, statement.instance.right)
    return all(size(side) <= NODES for side in sides if isinstance(side, Node))


def verdict_of(proofs: Sequence[Proof]) -> Verdict:
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
