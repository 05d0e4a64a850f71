"""Sums and folds as constants of leaves: one constant for two that were proved equal, and which are never larger."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from equivalence.prover.kernel.existence import determined
from equivalence.prover.kernel.nested_extremes import unnested
from equivalence.prover.kernel.opaque_sum import (
    OpaqueSum,
    comparable,
    given,
    has_existence,
    has_sum,
    parts_like,
    perhaps_smaller,
    scaled,
    sorts,
    weighted,
)
from equivalence.prover.kernel.steps import KernelSteps
from equivalence.prover.solver.solvers import Z3
from equivalence.prover.terms.build import (
    add,
    at_most,
    call,
    conj,
    conjuncts,
    equal,
    exists,
    indicator,
    ite,
    mul,
    natural,
    neg,
    number,
)
from equivalence.prover.terms.normal_form import GuardedProduct, taken_apart, total
from equivalence.prover.terms.shape import alignments, ordered, shape
from equivalence.prover.terms.smtlib import symbols
from equivalence.prover.terms.substitution import rebuilt, substitute
from equivalence.prover.terms.term import (
    Apply,
    Exists,
    Fold,
    Fresh,
    SmtSort,
    SumTerm,
    Symbol,
    Term,
    Var,
    free,
    mentions,
)

ALIGNMENTS_TRIED: Final = 6
"""Ways to match the variables of two sums before they count as different."""
NESTING_COMPARED: Final = 2
"""Sums nested deeper than this count as different: that costs proofs and makes none wrong."""

NESTING_COMPARED_BY_SIZE: Final = 2
"""Sums nested deeper than this are not compared by size."""


@dataclass
class SumsAsConstants(ABC):
    """Knows sums and folds by constants; how a goal is proved is the kernel's business."""

    fresh: Fresh
    hypotheses: tuple[Term, ...]
    thorough: bool = True
    """Whether leaves that fail are tried again with all that is known of their sums."""
    solver: Z3 = field(default_factory=Z3)
    leaves: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    """The leaves of side conditions of steps; never dropped, because the normal forms that need them are cached."""
    _known: list[OpaqueSum] = field(default_factory=list)
    _relations: dict[tuple[object, ...], tuple[str, ...] | None] = field(default_factory=dict)
    _depth: int = 0
    _opaque: int = 0

    def __post_init__(self) -> None:
        self.steps = KernelSteps(self.fresh, self.entails, self.holds, self.hypotheses)

    @abstractmethod
    def valid(self, goal: Term) -> bool:
        """Does the goal follow?"""

    @abstractmethod
    def entails(self, assumptions: Sequence[Term], goal: Term) -> bool:
        """A side condition of a step, without existence."""

    @abstractmethod
    def holds(self, assumptions: Sequence[Term], goal: Term) -> bool:
        """A side condition in which existence may come up."""

    def attempt(self, proof: Callable[[], bool]) -> bool:
        """Try a proof, and drop its leaves and equalities if it fails."""
        leaves, known = len(self.leaves), list(self._known)
        if proof():
            return True
        del self.leaves[leaves:]
        self._known = known
        return False

    def _opaquely(self, goal: Term) -> Term:
        self._opaque += 1
        try:
            return self.flat(goal)
        finally:
            self._opaque -= 1

    def _used(self, terms: Iterable[Term]) -> list[OpaqueSum]:
        names = {symbol.name for symbol in symbols(terms)}
        return [abstract for abstract in self._known if abstract.symbol.name in names]

    def flat(self, term: Term, under: tuple[Var, ...] = ()) -> Term:
        """The term without sums and folds: each is a constant, the same one where two were proved equal."""
        if not (has_existence(term) if self._opaque else has_sum(term)):
            return term
        match term:
            case SumTerm():
                return self._flat_sum(term, under)
            case Apply(head="+" | "*", sort=SmtSort.INT):
                return self._flat_sum(term, under)
            case Fold(name=name, variable=variable, body=body, sort=sort):
                return self._fold(name, variable, self.steps.normal(body), sort, under)
            case Exists():
                tidy = self.steps.existence.tidy(term)
                if not isinstance(tidy, Exists):
                    return self.flat(tidy, under)
                if self._opaque:
                    return self._constant("exists", tidy.variables, tidy.body, SmtSort.BOOL, under)
                return exists(tidy.variables, self.flat(tidy.body, (*under, *tidy.variables)))
            case _:
                return rebuilt(term, lambda part: self.flat(part, under))

    def _flat_sum(self, term: Term, under: tuple[Var, ...]) -> Term:
        """Products with what does not depend on their variables in front; those alike in that are added first."""
        alone: dict[tuple[GuardedProduct, tuple[str, ...]], list[GuardedProduct]] = {}
        terms: list[Term] = []
        for p in self.steps.normal(term):
            parts = taken_apart(p)
            closed = GuardedProduct(1, (), parts.closed.guards, parts.closed.factors)
            if len(parts.components) == 1:
                part = weighted(parts.components[0], p.coefficient)
                alone.setdefault((closed, sorts(part.variables)), []).append(part)
            else:
                sums = [self._component([c], under) for c in parts.components]
                terms.append(mul(number(p.coefficient), self._closed(closed, under), *sums))
        for (closed, _), alike in alone.items():
            front = alike[0].coefficient if len(alike) == 1 else 1
            inside = [weighted(alike[0], 1)] if len(alike) == 1 else alike
            terms.append(mul(number(front), self._closed(closed, under), self._component(inside, under)))
        return add(*terms)

    def _closed(self, closed: GuardedProduct, under: tuple[Var, ...]) -> Term:
        """Guards and factors one by one: none of them is a sum or a product any more."""
        parts = [[self.flat(part, under) for part in several] for several in (closed.guards, closed.factors)]
        return mul(indicator(conj(*parts[0])), *parts[1])

    def _component(self, sums: Sequence[GuardedProduct], under: tuple[Var, ...]) -> Term:
        """Sums over the same variables as one: Σ_x f + Σ_x g = Σ_x (f + g)."""
        alike = [ordered(s) for s in sums]
        reference = alike[0]
        bodies = [substitute(s.body, dict(zip(s.variables, reference.variables, strict=True))) for s in alike]
        body = add(*(mul(number(s.coefficient), b) for s, b in zip(alike, bodies, strict=True)))
        return self._constant("sum", reference.variables, body, SmtSort.INT, under)

    def _fold(
        self, name: str, variable: Var, body: list[GuardedProduct], sort: SmtSort, under: tuple[Var, ...]
    ) -> Term:
        """CASE: a fold of [c]·f, where c does not depend on what is folded, is that of f or of nothing."""
        if name in ("min", "max") and all(p.coefficient > 0 for p in body):
            body = [self._unnested(name, variable, p) for p in body]
            if len(body) == 1 and not body[0].variables and (single := determined((variable,), body[0].guards)):
                return self.flat(single[1], under)
        guards = [g for p in body for g in p.guards if not mentions(g, (variable, *p.variables))]
        if not guards:
            return self._constant(name, (variable,), total(scaled(name, body)), sort, under)
        cases = [self._fold(name, variable, given(body, g), sort, under) for g in (guards[0], neg(guards[0]))]
        return ite(self.flat(guards[0], under), *cases)

    def _unnested(self, name: str, variable: Var, p: GuardedProduct) -> GuardedProduct:
        """The product with NEST in the one guard that asks for the value; if several parts ask for it, as it is."""
        asking = [part for part in (*p.guards, *p.factors) if mentions(part, (variable,))]
        if len(asking) != 1 or asking[0] not in p.guards:
            return p
        tidy, others = self.steps.existence.tidy, [g for g in p.guards if g != asking[0]]
        new = tidy(unnested(asking[0], name, variable, [*self.hypotheses, *others], self.fresh, tidy))
        return replace(p, guards=conjuncts(conj(*others, new)))

    def _constant(
        self, kind: str, variables: tuple[Var, ...], body: Term, sort: SmtSort, under: tuple[Var, ...]
    ) -> Term:
        """The constant for a binder: that of an equal one, or a new one."""
        parameters = tuple(v for v in under if v in free(body))
        new = OpaqueSum(kind, parameters, variables, body, Symbol("", tuple(p.sort for p in parameters), sort))
        alike = [old for old in self._known if comparable(old, new)]
        for old in sorted(alike, key=lambda old: old.key != new.key):
            if self._same(old, new):
                return call(old.symbol, *parameters)
        symbol = Symbol(f"{kind} {self.fresh.var('k', sort).name}", new.symbol.parameters, sort)
        self._known.append(OpaqueSum(kind, parameters, variables, body, symbol))
        return call(symbol, *parameters)

    def _same(self, old: OpaqueSum, new: OpaqueSum) -> bool:
        """CONG for binders within terms: equal for all values of the parameters and variables."""
        return old.key == new.key or self._related(old, new, equal)

    def never_larger(self, small: OpaqueSum, large: OpaqueSum) -> bool:
        """Is what one sum adds up at most what the other does, everywhere?"""
        return self._related(small, large, at_most) if perhaps_smaller(small, large) else self._part_of(small, large)

    def never_larger_than_both(self, small: OpaqueSum, one: OpaqueSum, other: OpaqueSum) -> bool:
        """The same for two sums together, over the same variables."""
        if not sorts(small.variables) == sorts(one.variables) == sorts(other.variables):
            return False
        first, second = (ordered(GuardedProduct(1, a.variables, (), (a.body,))) for a in (one, other))
        renamed = substitute(second.body, dict(zip(second.variables, first.variables, strict=True)))
        both = replace(one, variables=first.variables, body=add(first.body, renamed))
        return self._related(small, both, at_most)

    def _part_of(self, small: OpaqueSum, large: OpaqueSum) -> bool:
        """PART OF: Σ_y f(τ(y), y) ≤ Σ_{x,y} f(x, y), for natural f: different y are different summands."""
        if small.parameters or large.parameters or self._depth >= NESTING_COMPARED_BY_SIZE or not natural(large.body):
            return False
        return any(
            self._related(small, replace(large, variables=small.variables, body=part), at_most)
            for part in parts_like(small, large)
        )

    def _related(self, old: OpaqueSum, new: OpaqueSum, relation: Callable[[Term, Term], Term]) -> bool:
        """The comparison of two sums, made once for each pair; a cached success brings its leaves again."""
        key = (relation.__name__, self._depth, bool(self._opaque), old.key, new.key)
        if key not in self._relations:
            before = len(self.leaves)
            found = self._aligned(old, new, relation)
            self._relations[key] = tuple(self.leaves[before:]) if found else None
            del self.leaves[before:]
        leaves = self._relations[key]
        self.leaves += leaves or ()
        return leaves is not None

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
                if shape(body) == shape(new.body) or self.attempt(lambda: self.valid(relation(body, new.body))):
                    return True
            return False
        finally:
            self._depth -= 1
            self._known = known
