"""The kernel, which says what it proved: leaves with their constants and facts, and equal sums."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, permutations
from typing import Any

from equivalence.certificates.recording.steps import TracedSteps
from equivalence.certificates.recording.trace import NotRecorded, Trace
from equivalence.prover.kernel.existence import determined
from equivalence.prover.kernel.facts import SUMS_COMPARED, _no_more_than_places, _of_extreme, _some_terms
from equivalence.prover.kernel.kernel import ProofKernel, matchings
from equivalence.prover.kernel.opaque_sum import (
    OpaqueSum,
    given,
    has_existence,
    perhaps_smaller,
    plain_equation,
    scaled,
)
from equivalence.prover.kernel.sums_as_constants import ALIGNMENTS_TRIED, NESTING_COMPARED
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    at_most,
    call,
    conj,
    conjuncts,
    disj,
    equal,
    exists,
    for_all,
    ite,
    mul,
    natural,
    neg,
    number,
    positive,
)
from equivalence.prover.terms.normal_form import GuardedProduct, total
from equivalence.prover.terms.remainders import has_remainder
from equivalence.prover.terms.shape import alignments, shape
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import FALSE, Fold, SmtSort, Symbol, Term, Var, free, mentions

Fact = tuple[dict[str, Any], Term]


@dataclass
class TracedKernel(ProofKernel):
    trace: Trace = field(default_factory=Trace)

    def __post_init__(self) -> None:
        self.steps = self._traced = TracedSteps(self.fresh, self.entails, self.holds, self.hypotheses, trace=self.trace)
        self.aliases: list[dict[str, Any]] | None = None
        self._reasons: dict[tuple[object, ...], int] = {}
        self.groups: list[dict[str, Any]] = []

    # The theorem

    def _balanced(self, group: Sequence[tuple[int, GuardedProduct]]) -> bool:
        for renamings in matchings([p for _, p in group]):
            terms = [
                mul(number(sign * p.coefficient), substitute(p.body, renaming))
                for (sign, p), renaming in zip(group, ({}, *renamings), strict=True)
            ]
            goal = equal(add(*terms), ZERO)
            if self.attempt(partial(self.valid, goal)):
                names = self.trace.all(group[0][1].variables)
                sides = {"one": self.trace.term(add(*terms)), "other": self.trace.term(ZERO)}
                self.groups.append({"variables": names, **sides, "leaf": self.last})
                return True
        return False

    def _congruent(self, lefts: Sequence[GuardedProduct], rights: Sequence[GuardedProduct]) -> bool:
        self.groups = []
        return super()._congruent(lefts, rights)

    def theorem(self, left: Term, right: Term) -> dict[str, Any]:
        """What was proved last, after `equal` found a proof."""
        with self.trace.collecting() as uses:
            lefts, rights = self.steps.normal(left), self.steps.normal(right)
        groups = self.groups
        if not self.by_parts:
            sides = {"one": self.trace.term(total(lefts)), "other": self.trace.term(total(rights))}
            groups = [{"variables": [], **sides, "leaf": self.last}]
        return {"left": self.trace.term(left), "right": self.trace.term(right), "normal": uses, "groups": groups}

    def _equal(self, left: Term, right: Term) -> bool:
        lefts, rights = self.steps.normal(left), self.steps.normal(right)
        self.by_parts = self.attempt(lambda: self._congruent(lefts, rights))
        summed = any(p.variables for p in (*lefts, *rights))
        return self.by_parts or (summed and self.attempt(lambda: self.valid(equal(total(lefts), total(rights)))))

    # Leaves

    last: int = -1
    """The lemma of the last leaf that was closed."""
    by_parts: bool = False

    def _plainly(self, goal: Term) -> bool:
        if not super()._plainly(goal):
            return False
        flat = self._opaquely(goal)
        cheap = self._facts(flat, cheap=True)
        enough = self._follows_plainly(flat, [fact for _, fact in cheap])
        facts = cheap if enough else [*cheap, *self._comparisons(flat)]
        self._leaf(goal, lambda: self._opaquely(goal), facts, unknown_remainders=True)
        return True

    def _simply(self, goal: Term) -> bool:
        if not super()._simply(goal):
            return False
        self._leaf(goal, lambda: self.flat(goal), self._facts(self.flat(goal), cheap=True))
        return True

    def _fully(self, goal: Term) -> bool:
        if not super()._fully(goal):
            return False
        flat = self.flat(goal)
        facts = [*self._facts(flat, cheap=True), *self._facts(flat, cheap=False), *self._comparisons(flat)]
        if not self._follows(flat, [fact for _, fact in facts]):
            raise NotRecorded("COVER: one sum is at most two others together")
        self._leaf(goal, lambda: self.flat(goal), facts)
        return True

    def _leaf(
        self, goal: Term, flattened: Callable[[], Term], facts: Sequence[Fact], *, unknown_remainders: bool = False
    ) -> None:
        """The lemma of a leaf: its goal, and the same with every sum under a name of its own."""
        with self.trace.collecting() as uses:
            self.aliases, before = None, self.aliases
            trivial = plain_equation(flattened())
            self.aliases = []
            flat = flattened()
            aliases, self.aliases = self.aliases, before
        opaque = unknown_remainders and any(map(has_remainder, (goal, *self.hypotheses)))
        self.last = self.trace.state(
            "LEAF",
            [*uses, *(lemma for data, _ in facts for lemma in data.pop("needs", ()))] if not trivial else uses,
            goal=self.trace.term(goal),
            flat=self.trace.term(flat),
            constants=aliases,
            facts=[] if trivial else [data for data, _ in facts],
            trivial=trivial,
            opaque_remainders=opaque,
        )

    def entails(self, assumptions: Sequence[Term], goal: Term) -> bool:
        if not super().entails(assumptions, goal):
            return False
        plain = [a for a in assumptions if not has_existence(a)]
        whole = disj(*map(neg, plain), goal)
        self._leaf(whole, lambda: whole, [])
        return True

    # Constants

    def _constant(
        self, kind: str, variables: tuple[Var, ...], body: Term, sort: SmtSort, under: tuple[Var, ...]
    ) -> Term:
        if self.aliases is None:
            return super()._constant(kind, variables, body, sort, under)
        aliases, self.aliases = self.aliases, None
        found = super()._constant(kind, variables, body, sort, under)
        self.aliases = aliases
        symbol: Symbol = found.head  # type: ignore[union-attr, assignment]
        old = next(each for each in self._known if each.symbol == symbol)
        alias = replace(symbol, name=f"{symbol.name} at {len(aliases)}")
        parameters = tuple(v for v in under if v in free(body))
        new = OpaqueSum(kind, parameters, variables, body, alias)
        aliases.append({**self._defined(new), "is": self._defined(old), "by": self._why(old, new)})
        return call(alias, *parameters)

    def _defined(self, of: OpaqueSum) -> dict[str, Any]:
        names = {"parameters": self.trace.all(of.parameters), "variables": self.trace.all(of.variables)}
        return {"symbol": self.trace.symbol(of.symbol), "kind": of.kind, **names, "body": self.trace.term(of.body)}

    def _why(self, old: OpaqueSum, new: OpaqueSum) -> int | None:
        if old.key == new.key:
            return None
        reason = self._reason("equal", old, new)
        self.trace.used([reason])
        return reason

    def _reason(self, relation: str, one: OpaqueSum, other: OpaqueSum) -> int:
        """The lemma by which two sums are related."""
        found = self._reasons.get((relation, bool(self._opaque), one.key, other.key))
        if found is None:
            raise NotRecorded("two sums are compared without a lemma")
        return found

    def _aligned(self, old: OpaqueSum, new: OpaqueSum, relation: Callable[[Term, Term], Term]) -> bool:
        if self._depth >= NESTING_COMPARED:
            return False
        self._depth += 1
        known = list(self._known)
        fixed = dict(zip(old.parameters, new.parameters, strict=True))
        left, right = (GuardedProduct(1, a.variables, (), (a.body,)) for a in (old, new))
        try:
            for renaming in islice(alignments(left, right), ALIGNMENTS_TRIED):
                body = substitute(old.body, {**renaming, **fixed})
                goal = relation(body, new.body)
                if shape(body) == shape(new.body) or self.attempt(partial(self.valid, goal)):
                    leaf = None if shape(body) == shape(new.body) else self.last
                    self._relate(relation, old, new, {**renaming, **fixed}, leaf)
                    return True
            return False
        finally:
            self._depth -= 1
            self._known = known

    def _relate(
        self, relation: Callable[[Term, Term], Term], old: OpaqueSum, new: OpaqueSum, renaming: Any, leaf: int | None
    ) -> None:
        pairs = [[self.trace.term(v), self.trace.term(w)] for v, w in renaming.items()]
        number = self.trace.state(
            "SUMS",
            [] if leaf is None else [leaf],
            relation=relation.__name__,
            one={k: v for k, v in self._defined(old).items() if k != "symbol"},
            other={k: v for k, v in self._defined(new).items() if k != "symbol"},
            renaming=pairs,
            leaf=leaf,
        )
        self._reasons[(relation.__name__, bool(self._opaque), old.key, new.key)] = number

    # Folds

    def flat(self, term: Term, under: tuple[Var, ...] = ()) -> Term:
        if isinstance(term, Fold) and self.aliases is not None:
            with self.trace.collecting() as uses:
                products = self.steps.normal(term.body)
            plain = replace(term, body=total(products))
            self.trace.add("REWRITE", term, plain, uses)
        return super().flat(term, under)

    def _fold(
        self, name: str, variable: Var, body: list[GuardedProduct], sort: SmtSort, under: tuple[Var, ...]
    ) -> Term:
        """As in the kernel, but that an extreme is its one value only where it is known to be there."""
        whole = Fold(name, variable, total(body), sort)
        one = self._one_value(variable, body) if name in ("min", "max") else None
        if one is not None:
            value, body = one
            self._record(whole, variable, body, value)
            whole = replace(whole, body=total(body))
            if len(body[0].guards) == len(conjuncts(equal(variable, value))):
                self._note("SINGLE", whole, value, value=value)
                return self.flat(value, under)
        guards = [g for p in body for g in p.guards if not mentions(g, (variable, *p.variables))]
        if not guards:
            smaller = replace(whole, body=total(scaled(name, body)))
            if smaller != whole:
                self._note("SCALE", whole, smaller)
            return self._constant(name, (variable,), smaller.body, sort, under)
        halves = [given(body, g) for g in (guards[0], neg(guards[0]))]
        folds = [replace(whole, body=total(half)) for half in halves]
        self._note("CASE", whole, ite(guards[0], *folds), guard=guards[0])
        cases = [self._fold(name, variable, half, sort, under) for half in halves]
        return ite(self.flat(guards[0], under), *cases)

    def _one_value(self, variable: Var, body: list[GuardedProduct]) -> tuple[Term, list[GuardedProduct]] | None:
        """The one value that there can be, and the product with it in all other guards."""
        if len(body) != 1 or body[0].variables or body[0].factors or body[0].coefficient < 1:
            return None
        found = determined((variable,), body[0].guards)
        if found is None:
            return None
        said = conjuncts(equal(variable, found[1]))
        if not all(part in body[0].guards for part in said):
            return None
        others = [substitute(g, dict([found])) for g in body[0].guards if g not in said]
        guards = conjuncts(conj(*said, *others))
        return None if guards == (FALSE,) else (found[1], [replace(body[0], guards=guards)])

    def _record(self, whole: Fold, variable: Var, body: list[GuardedProduct], value: Term) -> None:
        if self.aliases is not None and total(body) != whole.body:
            known = conjuncts(equal(variable, value))
            number = self._traced.substituted(whole.body, total(body), variable, value, known)
            self.trace.add("REWRITE", whole, replace(whole, body=total(body)), [number])

    def _note(self, rule: str, left: Term, right: Term, **terms: Term) -> None:
        if self.aliases is not None:
            more: dict[str, Any] = {name: self.trace.term(term) for name, term in terms.items()}
            self.trace.add(rule, left, right, **more)

    def _unnested(self, _: str, __: Var, p: GuardedProduct) -> GuardedProduct:
        """NEST has no certificate: it is not used where one is written."""
        return p

    # Facts

    def _facts(self, flat: Term, *, cheap: bool) -> list[Fact]:
        """The facts of `facts.facts_about`, each with what it is about; comparisons are left to others."""
        found: list[Fact] = []
        for abstract in self._used([flat]):
            constant = call(abstract.symbol, *abstract.parameters)
            found += self._about(abstract, constant, cheap)
        return found

    def _about(self, abstract: OpaqueSum, constant: Term, cheap: bool) -> list[Fact]:
        if abstract.kind == "sum" and natural(abstract.body):
            if cheap:
                facts = [self._fact("NATURAL", abstract, lambda: at_most(ZERO, constant))]
                places = _no_more_than_places(self, abstract, constant)

                def place(i: int) -> Term:
                    return _no_more_than_places(self, abstract, constant)[i]

                return facts + [self._fact("PLACES", abstract, partial(place, i)) for i in range(len(places))]
            there = exists(abstract.variables, positive(abstract.body))
            facts = [
                self._fact(
                    "POS", abstract, lambda: equal(at_most(ONE, constant), self.flat(there, abstract.parameters))
                )
            ]

            def at_least(term: Term) -> Term:
                return at_most(self.flat(term, abstract.parameters), constant)

            return facts + [self._fact("TERM", abstract, partial(at_least, t)) for t in _some_terms(self, abstract)]
        if abstract.kind in ("min", "max") and not cheap:
            return [self._fact("EXTREME", abstract, lambda: _of_extreme(self, abstract, constant)[0])]
        return []

    def _fact(self, rule: str, abstract: OpaqueSum, made: Callable[[], Term]) -> Fact:
        plain = for_all(abstract.parameters, made())
        with self.trace.collecting() as uses:
            self.aliases, before = [], self.aliases
            formula = made()
            aliases, self.aliases = self.aliases, before
        data = {"rule": rule, "of": [self._defined(abstract)], "formula": self.trace.term(formula)}
        return {**data, "constants": aliases, "needs": uses}, plain

    def _comparisons(self, flat: Term) -> list[Fact]:
        sums = [a for a in self._used([flat]) if a.kind == "sum" and not a.parameters][:SUMS_COMPARED]
        found: list[Fact] = []
        for small, large in permutations(sums, 2):
            if perhaps_smaller(small, large) and self.never_larger(small, large):
                formula = at_most(call(small.symbol), call(large.symbol))
                reason = self._reason("at_most", small, large)
                data = {"rule": "MONO", "of": [self._defined(small), self._defined(large)], "by": reason}
                more = {"formula": self.trace.term(formula), "constants": [], "needs": [reason]}
                found.append(({**data, **more}, formula))
        return found
