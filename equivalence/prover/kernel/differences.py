"""Differences and minima of sums: where one side is part of the other, what is left is a sum again."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from equivalence.prover.terms.build import conj, conjuncts, least, monus, natural, neg
from equivalence.prover.terms.normal_form import GuardedProduct, expanded, total
from equivalence.prover.terms.shape import alignments, shape
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import FALSE, Apply, SumTerm, Term, subterms

if TYPE_CHECKING:
    from equivalence.prover.kernel.steps import KernelSteps


Guards = tuple[Term, ...]

ALIGNMENTS_TRIED: Final = 4
"""Ways to match the variables of two sums before they count as different."""
CASES_PER_DIFFERENCE: Final = 2
"""A difference of sums that needs more cases than this is left as it is: every case is a product more."""


class Differences:
    """The steps on monus and min."""

    def __init__(self, steps: "KernelSteps") -> None:
        self._steps = steps
        self._known: dict[Term, Term | None] = {}

    def forget(self) -> None:
        """What was found before other steps were allowed."""
        self._known.clear()

    def taken(self, product: GuardedProduct) -> list[GuardedProduct] | None:
        """PART: max(a − b, 0) and min(a, b) of sums, by what the two have in common."""
        for i, factor in enumerate(product.factors):
            if isinstance(factor, Apply) and factor.head in ("monus", "min"):
                new = self.simpler(factor)
                if new is not None:
                    self._steps.note("PART", f"both sides of a {factor.head} have something in common")
                    rest = replace(product, factors=product.factors[:i] + product.factors[i + 1 :])
                    return [rest.times(p) for p in expanded(new, self._steps.fresh)]
        return None

    def simpler(self, factor: Apply) -> Term | None:
        """The factor without what its sides have in common; None if that is the factor itself."""
        if factor not in self._known:
            self._known[factor] = None
            self._known[factor] = self._looked_at(factor) if _has_sum(factor) else None
        return self._known[factor]

    def _looked_at(self, factor: Apply) -> Term | None:
        new = self._made(factor, pinning=False) or self._made(factor, pinning=True) or self._inside(factor)
        self._known[new] = None
        return None if shape(new) == shape(factor) else new

    def _made(self, factor: Apply, *, pinning: bool) -> Term | None:
        """The difference or minimum of what is left, if something was in common."""
        lefts, rights = (self._steps.normal(side, pinning=pinning, counting=False) for side in factor.arguments)
        parts = self._apart(lefts, rights)
        if parts is None:
            return None
        if factor.head == "monus":
            return monus(total(parts[0]), total(parts[1]))
        return total(lefts if not parts[0] else rights) if not all(parts) else None

    def _inside(self, factor: Apply) -> Term:
        sides = [total(self._steps.normal(side, counting=False)) for side in factor.arguments]
        return monus(*sides) if factor.head == "monus" else least(*sides)

    def _apart(
        self, lefts: list[GuardedProduct], rights: list[GuardedProduct]
    ) -> tuple[list[GuardedProduct], list[GuardedProduct]] | None:
        """Both sums without what they have in common, which leaves the difference as it is; None if that is nothing."""
        left, right = list(lefts), list[GuardedProduct]()
        for product in rights:
            split = ((i, s) for i, candidate in enumerate(left) if (s := self._split(candidate, product)) is not None)
            i, (mine, theirs) = next(split, (len(left), ([], [product])))
            left[i : i + 1] = mine
            right += theirs
        changed = (left, right) != (lefts, rights) and all(_natural(p) for p in left + right)
        return (left, right) if changed else None

    def _split(
        self, one: GuardedProduct, other: GuardedProduct
    ) -> tuple[list[GuardedProduct], list[GuardedProduct]] | None:
        """Σ[G]·f − Σ[H]·f = Σ[G ∧ ¬H]·f − Σ[H ∧ ¬G]·f."""
        if one.coefficient != other.coefficient or len(one.variables) != len(other.variables):
            return None
        for renaming in islice(alignments(other, one), ALIGNMENTS_TRIED):
            guards = tuple(substitute(g, renaming) for g in other.guards)
            if _alike([substitute(f, renaming) for f in other.factors], one.factors):
                mine, theirs = self._without(one.guards, guards), self._without(guards, one.guards)
                if mine is not None and theirs is not None:
                    return [replace(one, guards=g) for g in mine], [replace(one, guards=g) for g in theirs]
        return None

    def _without(self, guards: Guards, others: Guards) -> list[Guards] | None:
        """G ∧ ¬(h₁ ∧ h₂) as cases that exclude one another: G ∧ ¬h₁, and G ∧ h₁ ∧ ¬h₂; None if there are many."""
        known = set(map(shape, guards))
        extra = self._needed([g for g in others if shape(g) not in known], guards)
        if len(extra) > CASES_PER_DIFFERENCE:
            return None
        cases = [conjuncts(conj(*guards, *extra[:i], neg(guard))) for i, guard in enumerate(extra)]
        return [case for case in cases if FALSE not in case]

    def _needed(self, extra: list[Term], known: Guards) -> list[Term]:
        """The guards without those that follow from the others."""
        for guard in extra:
            others = [g for g in extra if g != guard]
            if self._steps.entails([*others, *known], guard):
                return self._needed(others, known)
        return extra


def _natural(product: GuardedProduct) -> bool:
    return product.coefficient > 0 and all(map(natural, product.factors))


def _alike(left: Sequence[Term], right: Sequence[Term]) -> bool:
    return sorted(map(shape, left)) == sorted(map(shape, right))


def _has_sum(term: Term) -> bool:
    return isinstance(term, SumTerm) or any(map(_has_sum, subterms(term)))
