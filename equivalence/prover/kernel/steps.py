"""The steps of the kernel: each replaces a product by products that add up to it, and says why that is right.

Soundness rests on each step, and on nothing about their order. The order (`_in_order`) decides which proofs are found.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from equivalence.prover.kernel.differences import Differences
from equivalence.prover.kernel.existence import Existence, determined, integers, never_null, pin
from equivalence.prover.kernel.latest import Holds, LatestSteps
from equivalence.prover.solver.solvers import BudgetExceeded
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    conj,
    conjuncts,
    is_null,
    least,
    monus,
    mul,
    neg,
    number,
    some,
    sub,
)
from equivalence.prover.terms.linear import Bounds, bounds, coefficients, collected
from equivalence.prover.terms.matching import facts_of, implied
from equivalence.prover.terms.normal_form import GuardedProduct, expanded, under
from equivalence.prover.terms.shape import combined, shape
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import FALSE, Apply, Fresh, Symbol, Term, Var, bound, free, mentions, subterms

Entails = Callable[[Sequence[Term], Term], bool]
"""Asks a solver whether a formula follows from others."""
Step = Callable[[GuardedProduct], list[GuardedProduct] | None]
"""Products that add up to the given one; None where the step does not apply."""
PRODUCTS_PER_PROOF: Final = 8_000
"""A proof is given up after this many products."""


@dataclass
class KernelSteps:
    """Brings multiplicities into normal form, and records the steps taken."""

    fresh: Fresh
    entails: Entails
    holds: Holds
    hypotheses: Sequence[Term] = ()
    presenting: bool = True
    """Whether values that are never NULL get variables of a sort without NULL; each way has proofs of its own."""
    taken: list[str] = field(default_factory=list)
    spent: int = 0

    def __post_init__(self) -> None:
        self._known: dict[tuple[str, bool, bool, bool], list[GuardedProduct]] = {}
        self._differences = Differences(self)
        self._last = LatestSteps(self.fresh, self.holds)
        self.existence = Existence(self.fresh, self._differences.simpler, self._last)
        self._last.tidy = self.existence.tidy

    def widen(self) -> None:
        """Start over, with existences that are as wide as can be."""
        self.presenting = True
        self._known.clear()
        self._differences.forget()
        self.existence.widen()

    def normal(self, term: Term, *, pinning: bool = True, counting: bool = True) -> list[GuardedProduct]:
        """All steps, until none applies. Sides of a difference match best before integers are pinned or counted."""
        key = shape(term), pinning, counting, self.presenting
        if key not in self._known:
            self._known[key] = self._normal(term, pinning, counting)
        return self._known[key]

    def _normal(self, term: Term, pinning: bool, counting: bool) -> list[GuardedProduct]:
        done, waiting = [], expanded(term, self.fresh)
        self.note("LIN", f"{len(waiting)} products")
        while waiting:
            self._spend()
            product = self._tidied(waiting.pop(0))
            if FALSE in product.guards:
                continue
            steps = self._in_order(pinning=pinning, counting=counting)
            changed = next((new for step in steps if (new := step(product)) is not None), None)
            if changed is None:
                done.append(product)
            else:
                waiting = changed + waiting
        return combined(done)

    def _spend(self) -> None:
        self.spent += 1
        if self.spent > PRODUCTS_PER_PROOF:
            raise BudgetExceeded(f"the normal form takes more than {PRODUCTS_PER_PROOF} steps")

    def note(self, step: str, what: str) -> None:
        self.taken.append(f"{step}: {what}")

    def _in_order(self, *, pinning: bool, counting: bool) -> Iterator[Step]:
        """The steps in the order in which they are tried: the first that applies is taken, and its results start over.

        What removes a product or a variable at once comes first. The steps that ask a solver come late, and COUNT only
        after all that might have used the bounds it takes away.
        """
        yield self._empty
        if pinning:
            yield self._pinned
        yield self._one_point
        yield self._present
        yield self._differences.taken
        yield self._shifted
        yield self._absorbed
        yield self._known_value
        yield self._latest
        if counting:
            yield self._counted
        yield self._unique

    def _tidied(self, product: GuardedProduct) -> GuardedProduct:
        guards = self.existence.tidy(conj(*product.guards))
        return replace(product, guards=conjuncts(guards), factors=tuple(map(self.existence.tidy, product.factors)))

    def _one_point(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        """ONE: Σ_x [x = τ]·f(x) = f(τ), where x does not occur in τ."""
        found = determined(product.variables, product.guards, product.factors)
        if found is None:
            return None
        self.note("ONE", f"{found[0].name} has one value")
        return self._replaced(product, *found)

    def _present(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        """NOT NULL: Σ_x [x is not NULL]·f(x) = Σ_y f(some y): the values that are not NULL are just the plain ones."""
        found = never_null(product.variables, facts_of(product.guards, product.factors))
        if found is None or not self.presenting:
            return None
        plain = self.fresh.var(found.name, found.sort.plain)
        self.note("NOT NULL", f"{found.name} is never NULL")
        return [under((plain,), p) for p in self._replaced(product, found, some(plain))]

    def _pinned(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        """PIN: τ ≤ x ≤ τ leaves one value for x."""
        for variable in integers(product.variables):
            value = pin(variable, product.guards)
            if value is not None:
                self.note("PIN", f"the bounds of {variable.name} meet")
                return self._replaced(product, variable, value)
        return None

    def _empty(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        """EMPTY: a sum over a ≤ x ≤ b with b < a is 0."""
        for variable in integers(product.variables):
            found = bounds(variable, [g for g in product.guards if bounds(variable, [g])])
            if found and any(_less_by_a_number(high, low) for low in found.lower for high in found.upper):
                self.note("EMPTY", f"{variable.name} has no value")
                return []
        return None

    def _shifted(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        """SHIFT: Σ_x f(x + τ) = Σ_x f(x), over all integers x; so that a stream is asked about x itself."""
        for variable in integers(product.variables):
            offset = _offset(variable, product.factors) or _offset_in_guards(variable, product)
            if offset is not None and not mentions(offset, product.variables):
                self.note("SHIFT", f"{variable.name} is moved")
                moved = self.fresh.var(variable.name, variable.sort)
                return [under((moved,), p) for p in self._replaced(product, variable, sub(moved, offset))]
        return None

    def _counted(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        """COUNT: Σ_x [a ≤ x ≤ b] = max(b − a + 1, 0), where nothing else depends on the integer x."""
        for variable in integers(product.variables):
            found = bounds(variable, product.guards)
            if found and found.lower and found.upper and not mentions(mul(*product.factors), [variable]):
                self.note("COUNT", f"{variable.name} is only counted")
                guards = tuple(g for g in product.guards if variable not in free(g))
                rest = tuple(v for v in product.variables if v != variable)
                length = monus(add(_minimum(found), ONE), _maximum(found))
                counted = GuardedProduct(product.coefficient, rest, guards, product.factors)
                return [counted.times(p) for p in expanded(length, self.fresh)]
        return None

    def _absorbed(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        """ABSORB: a guard that holds wherever the rest is not 0 may go; one that cannot hold makes the product 0."""
        for guard in product.guards:
            others = tuple(g for g in product.guards if g != guard)
            facts = [*facts_of(others, product.factors), *self.hypotheses]
            if implied(guard, facts, self.fresh):
                self.note("ABSORB", "a guard follows from the rest")
                return [replace(product, guards=others)]
            if implied(neg(guard), facts, self.fresh):
                self.note("ABSORB", "a guard contradicts the rest")
                return []
        return None

    def _latest(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        found = self._last.latest(product)
        if found is None:
            return None
        self.note("LATEST", f"{found[0].name} is the last one")
        return self._replaced(product, *found)

    def _unique(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        there = self._last.unique(product)
        if there is None:
            return None
        self.note("UNIQUE", "there is at most one")
        closed = tuple(g for g in product.guards if not mentions(g, product.variables))
        return [GuardedProduct(product.coefficient, (), (*closed, there), product.factors)]

    def _known_value(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        """SUBST: [x = τ]·f(x) = [x = τ]·f(τ): sums within f know then what x is. So also for x that is some τ."""
        for guards, variable, value in _known_values(product.guards):
            rest = replace(product, guards=tuple(g for g in product.guards if g not in guards))
            if _inside_binders(rest.body, variable):
                self.note("SUBST", f"{variable.name} is known")
                return [p.times(GuardedProduct(guards=guards)) for p in self._with_value(rest, variable, value)]
        return None

    def _with_value(self, product: GuardedProduct, variable: Var, value: Term) -> list[GuardedProduct]:
        body = substitute(mul(number(product.coefficient), product.body), {variable: value})
        return [under(product.variables, p) for p in expanded(body, self.fresh)]

    def _replaced(self, product: GuardedProduct, variable: Var, value: Term) -> list[GuardedProduct]:
        rest = tuple(v for v in product.variables if v != variable)
        body = substitute(mul(number(product.coefficient), product.body), {variable: value})
        return [under(rest, p) for p in expanded(body, self.fresh)]


def _known_values(guards: Sequence[Term]) -> Iterator[tuple[tuple[Term, ...], Var, Term]]:
    """Guards that together say what a variable is: x = τ, or that x is not NULL and what its plain value is."""
    for guard in guards:
        match guard:
            case Apply(head="=", arguments=(Var() as variable, value)) if variable not in free(value):
                yield (guard,), variable, value
            case Apply(head="=", arguments=(one, other)):
                for plain, value in ((one, other), (other, one)):
                    match plain:
                        case Apply(head="get", arguments=(Var() as variable,)) if variable not in free(value):
                            present = neg(is_null(variable))
                            if present in guards:
                                yield (present, guard), variable, some(value)


def _inside_binders(term: Term, variable: Var) -> bool:
    if variable not in free(term):
        return False
    return bool(bound(term)) or any(_inside_binders(part, variable) for part in subterms(term))


def _less_by_a_number(left: Term, right: Term) -> bool:
    difference = coefficients(sub(right, left))
    return set(difference) == {ONE} and difference[ONE] > 0


def _offset(variable: Var, factors: Sequence[Term]) -> Term | None:
    """What is added to the variable where the first stream is asked about it; None if nothing is."""
    for factor in factors:
        if isinstance(factor, Apply) and isinstance(factor.head, Symbol) and factor.head.kind == "stream":
            parts = coefficients(factor.arguments[-1])
            if parts.get(variable) == 1:
                rest = sub(factor.arguments[-1], variable)
                return None if len(parts) == 1 or mentions(collected(rest), [variable]) else collected(rest)
    return None


def _offset_in_guards(variable: Var, product: GuardedProduct) -> Term | None:
    """What is added to the variable in guards, if no factor asks a stream about it, and no guard about itself."""
    if mentions(mul(*product.factors), [variable]):
        return None
    asked = [collected(sub(instant, variable)) for g in product.guards for instant in _instants_asked(g, variable)]
    offsets = [offset for offset in asked if not mentions(offset, [variable])]
    return offsets[0] if offsets and ZERO not in offsets else None


def _instants_asked(term: Term, variable: Var) -> Iterator[Term]:
    """The instants at which streams are asked in a term, also within binders, if they add something to a variable."""
    if variable not in free(term):
        return
    if isinstance(term, Apply) and isinstance(term.head, Symbol) and term.head.kind == "stream":
        if coefficients(term.arguments[-1]).get(variable) == 1:
            yield term.arguments[-1]
        return
    inside = [instant for part in subterms(term) for instant in _instants_asked(part, variable)]
    yield from (instant for instant in inside if not mentions(instant, bound(term)))


def _minimum(found: Bounds) -> Term:
    smallest, *others = found.upper
    for other in others:
        smallest = least(smallest, other)
    return smallest


def _maximum(found: Bounds) -> Term:
    """max(a, b) = a + max(b − a, 0)."""
    largest, *others = found.lower
    for other in others:
        largest = add(largest, monus(other, largest))
    return largest
