"""The kernel's steps on formulas and differences, which say what they did."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from equivalence.certificates.recording.trace import Trace
from equivalence.prover.kernel.differences import ALIGNMENTS_TRIED, Differences, Guards, _alike
from equivalence.prover.kernel.existence import Existence, Variables, determined, integers, never_null, pin
from equivalence.prover.kernel.latest import LatestSteps
from equivalence.prover.terms.build import conj, conjuncts, disj, exists, monus, neg
from equivalence.prover.terms.linear import bounds
from equivalence.prover.terms.matching import implied, witnesses
from equivalence.prover.terms.normal_form import GuardedProduct, total
from equivalence.prover.terms.shape import alignments, shape
from equivalence.prover.terms.substitution import opened, substitute
from equivalence.prover.terms.term import TRUE, Apply, Exists, Fresh, Term, Var, mentions


def reasons(formula: Term, facts: Sequence[Term], fresh: Fresh, trace: Trace) -> dict[str, Any]:
    """Why a formula follows: the facts under opened names, and witnesses for each existence in it."""
    opening, known = list[dict[str, Any]](), list(facts)
    for fact in known:
        if isinstance(fact, Exists):
            variables, body = opened(fact.variables, fact.body, fresh)
            opening.append({"fact": trace.term(fact), "names": trace.all(variables)})
            known.extend(conjuncts(body))
    witnessed = list(_witnesses(formula, known, fresh, trace))
    return {"formula": trace.term(formula), "opened": opening, "witnesses": witnessed}


def _witnesses(formula: Term, facts: Sequence[Term], fresh: Fresh, trace: Trace) -> list[list[int]]:
    if formula == TRUE or formula in facts:
        return []
    match formula:
        case Apply(head="or" | "and", arguments=parts):
            return [w for part in parts for w in _witnesses(part, facts, fresh, trace)]
        case Exists(variables=variables, body=body):
            renamed, body = opened(variables, body, fresh)
            found = witnesses(conjuncts(body), renamed, facts)
            return [] if found is None else [trace.all([found.get(v, v) for v in renamed])]
    return []


class Noticed:
    """Fresh names, the last of which are remembered."""

    def __init__(self, fresh: Fresh) -> None:
        self._fresh = fresh
        self.made: tuple[Term, ...] = ()

    def like(self, variables: Sequence[Var]) -> dict[Var, Term]:
        found = self._fresh.like(variables)
        self.made = tuple(found.values())
        return found


class TracedLatest(LatestSteps):
    trace: Trace
    again: tuple[Term, ...] = ()
    """The names under which `unique` asked for a second one."""

    def unique(self, product: GuardedProduct) -> Term | None:
        fresh = self.fresh
        self.fresh = Noticed(fresh)  # type: ignore[assignment]
        try:
            return super().unique(product)
        finally:
            self.again, self.fresh = self.fresh.made, fresh  # type: ignore[attr-defined]

    def some_is_last(self, *_: object) -> None:
        """LAST has no certificate: it is not used where one is written."""
        return


class TracedExistence(Existence):
    trace: Trace
    _uses: dict[Term, list[int]]

    def tidy(self, term: Term) -> Term:
        if term not in self._uses:
            with self.trace.collecting() as uses:
                super().tidy(term)
            self._uses[term] = list(dict.fromkeys(uses))
        self.trace.used(self._uses[term])
        return super().tidy(term)

    def _lean(self, guards: Sequence[Term]) -> Term:
        for guard in guards:
            others = [g for g in guards if g != guard]
            with self.trace.collecting() as uses:
                if isinstance(guard, Exists) and self._follows(guard, others):
                    new = self._lean(others)
                    why = reasons(guard, others, self._fresh, self.trace)
                    rule, more = "LEAN", {"dropped": self.trace.term(guard), **why}
                elif (decided := self._decided(guard, others)) != guard:
                    new = self.tidy(conj(*others, decided))
                    rule, more = "DECIDED", {"guard": self.trace.term(guard), "cases": self._cases(guard, others)}
                else:
                    continue
            self.trace.add(rule, conj(*guards), new, uses, **more)
            return new
        return conj(*guards)

    def _follows(self, guard: Term, others: Sequence[Term]) -> bool:
        return implied(guard, others, self._fresh)

    def _cases(self, term: Term, facts: Sequence[Term]) -> list[dict[str, Any]]:
        """The choices in a term that the facts decide."""
        if not isinstance(term, Apply):
            return []
        found = [case for part in term.arguments for case in self._cases(part, facts)]
        if term.head == "ite":
            for holds, formula in ((True, term.arguments[0]), (False, neg(term.arguments[0]))):
                if self._follows(formula, facts):
                    why = reasons(formula, facts, self._fresh, self.trace)
                    found.append({"condition": self.trace.term(term.arguments[0]), "holds": holds, **why})
        return found

    def _tidied(self, term: Term) -> Term:
        with self.trace.collecting() as uses:
            new = super()._tidied(term)
        if new != term and isinstance(term, Apply) and term.head == "<=":
            self.trace.add("REWRITE", term, new, uses)
        else:
            self.trace.used(uses)
        return new

    def _some(self, variables: Variables, body: Term) -> Term:
        with self.trace.collecting() as uses:
            new = self._looked_at(variables, body)
        self.trace.add("REWRITE", exists(variables, body), new, uses)
        return new

    def _looked_at(self, variables: Variables, body: Term) -> Term:
        """What `_some` does, with a lemma for what becomes of the conjunction."""
        if isinstance(body, Apply) and body.head == "or":
            return disj(*(self._some(variables, part) for part in body.arguments))
        if not mentions(body, variables):
            return body
        variables, guards = self._merged(variables, conjuncts(body))
        with self.trace.collecting() as uses:
            lean = self._lean(guards)
        self.trace.add("REWRITE", exists(variables, conj(*guards)), exists(variables, lean), uses)
        guards = conjuncts(lean)
        return (
            self._one_point(variables, guards)
            or self._present(variables, guards)
            or self._pinned(variables, guards)
            or self._between(variables, guards)
            or self._needless(variables, guards)
            or self._apart(variables, guards)
        )

    def _step(self, rule: str, step: Any, variables: Variables, guards: Sequence[Term], **more: Any) -> Term | None:
        with self.trace.collecting() as uses:
            new: Term | None = step(variables, guards)
        if new is not None:
            self.trace.add(rule, exists(variables, conj(*guards)), new, uses, **more)
        return new

    def _one_point(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        found = determined(variables, guards)
        if found is None:
            return None
        variable, value = map(self.trace.term, found)
        return self._step("SOME ONE", super()._one_point, variables, guards, variable=variable, value=value)

    def _present(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        found = never_null(variables, guards)
        if found is None:
            return None
        return self._step("SOME NOT NULL", super()._present, variables, guards, variable=self.trace.term(found))

    def _pinned(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        for variable in integers(variables):
            value = pin(variable, guards)
            if value is not None:
                more = {"variable": self.trace.term(variable), "value": self.trace.term(value)}
                return self._step("SOME PIN", super()._pinned, variables, guards, **more)
        return None

    def _between(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        for variable in integers(variables):
            if bounds(variable, guards) is not None:
                more = {"variable": self.trace.term(variable)}
                return self._step("BETWEEN", super()._between, variables, guards, **more)
        return None

    def _shifted(self, *_: object) -> None:
        """There is no lemma for it: what needs it has no certificate."""
        return

    def _needless(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        for guard in guards:
            others = [g for g in guards if g != guard]
            renaming = self._fresh.like(variables)
            patterns = [substitute(g, renaming) for g in guards]
            new = [v for v in renaming.values() if isinstance(v, Var)]
            found = witnesses(patterns, new, others) if mentions(guard, variables) else None
            if found is not None:
                witness = self.trace.all([found.get(v, v) for v in new])
                more = {"guard": self.trace.term(guard), "names": self.trace.all(variables), "witness": witness}
                return self._step("NEEDLESS", lambda vs, _: self._some(vs, conj(*others)), variables, guards, **more)
        return None


class TracedDifferences(Differences):
    trace: Trace
    _uses: dict[Term, list[int]]

    def simpler(self, factor: Apply) -> Term | None:
        if factor not in self._known:
            with self.trace.collecting() as uses:
                super().simpler(factor)
            self._uses[factor] = list(dict.fromkeys(uses))
        self.trace.used(self._uses.get(factor, []))
        return super().simpler(factor)

    def _made(self, factor: Apply, *, pinning: bool) -> Term | None:
        lefts, rights = (self._steps.normal(side, pinning=pinning, counting=False) for side in factor.arguments)
        with self.trace.collecting() as uses:
            normal = [self._steps.normal(side, pinning=pinning, counting=False) for side in factor.arguments]
        assert normal == [lefts, rights]
        with self.trace.collecting() as splits:
            parts = self._apart(lefts, rights)
        if parts is None:
            return None
        if factor.head == "min" and all(parts):
            return None
        new = monus(*map(total, parts)) if factor.head == "monus" else total(lefts if not parts[0] else rights)
        left = {"parts": [self.trace.term(total(part)) for part in parts], "splits": splits}
        sides = [self.trace.term(total(side)) for side in (lefts, rights)]
        self.trace.add("PART", factor, new, uses, sides=sides, **left)
        return new

    def _inside(self, factor: Apply) -> Term:
        with self.trace.collecting() as uses:
            new = super()._inside(factor)
        self.trace.add("REWRITE", factor, new, uses)
        return new

    def _split(
        self, one: GuardedProduct, other: GuardedProduct
    ) -> tuple[list[GuardedProduct], list[GuardedProduct]] | None:
        if one.coefficient != other.coefficient or len(one.variables) != len(other.variables):
            return None
        for renaming in islice(alignments(other, one), ALIGNMENTS_TRIED):
            guards = tuple(substitute(g, renaming) for g in other.guards)
            if not _alike([substitute(f, renaming) for f in other.factors], one.factors):
                continue
            with self.trace.collecting() as entailed:
                mine, theirs = self._without(one.guards, guards), self._without(guards, one.guards)
                extra = [self._extra(one.guards, guards), self._extra(guards, one.guards)]
            if mine is not None and theirs is not None:
                self.trace.state(
                    "SPLIT",
                    entailed,
                    variables=self.trace.all(one.variables),
                    guards=[self.trace.all(one.guards), self.trace.all(guards)],
                    factors=self.trace.all(one.factors),
                    extra=[self.trace.all(each) for each in extra],
                )
                return [replace(one, guards=g) for g in mine], [replace(one, guards=g) for g in theirs]
        return None

    def _extra(self, guards: Guards, others: Guards) -> list[Term]:
        """What the other guards ask for besides: as `_without` finds it."""
        known = set(map(shape, guards))
        return self._needed([g for g in others if shape(g) not in known], guards)
