"""Differences and minima of sums: where one side is part of the other, what is left is a sum again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from equivalence.prover.normal import Product, expanded, total
from equivalence.prover.shape import alignments, shape
from equivalence.prover.terms import (
    Apply,
    Sum,
    Term,
    conj,
    conjuncts,
    disj,
    monus,
    natural,
    neg,
    substitute,
    subterms,
)

if TYPE_CHECKING:
    from equivalence.prover.steps import Steps


@dataclass(frozen=True)
class Subtraction:
    """What is left of two sums once the parts that one has in common with the other are taken away from both."""

    left: list[Product]
    right: list[Product]


class Differences:
    """The steps on monus and min."""

    def __init__(self, steps: "Steps") -> None:
        self._steps = steps
        self._settled: set[Term] = set()

    def taken(self, product: Product) -> list[Product] | None:
        """PART: max(Σf + r − Σg, 0) where g ≤ f everywhere is r + Σ(f − g); and min(Σf, Σg) is then Σg."""
        for i, factor in enumerate(product.factors):
            if isinstance(factor, Apply) and factor.head in ("monus", "min") and factor not in self._settled:
                self._settled.add(factor)
                new = self._simpler(factor)
                if new is not None:
                    self._steps.note("PART", f"one side of a {factor.head} is part of the other")
                    rest = replace(product, factors=product.factors[:i] + product.factors[i + 1 :])
                    return [rest.times(p) for p in expanded(new, self._steps.fresh)]
        return None

    def _simpler(self, factor: Apply) -> Term | None:
        left, right = factor.arguments
        if not (_has_sum(left) and _has_sum(right)):
            return None
        lefts, rights = (self._steps.normal(side, counting=False) for side in (left, right))
        if factor.head == "min":
            return self._smaller(lefts, rights) or self._smaller(rights, lefts)
        found = self._subtracted(lefts, rights)
        if len(found.right) == len(rights):
            return None
        difference = monus(total(found.left), total(found.right)) if found.right else total(found.left)
        self._settled.add(difference)
        return difference

    def _smaller(self, large: list[Product], small: list[Product]) -> Term | None:
        """The smaller side, if all of it is part of the larger one."""
        return None if self._subtracted(large, small).right else total(small)

    def _subtracted(self, lefts: Sequence[Product], rights: Sequence[Product]) -> Subtraction:
        left, right = list(lefts), []
        for product in rights:
            for i, candidate in enumerate(left):
                rest = self._rest(candidate, product)
                if rest is not None:
                    left[i : i + 1] = rest
                    break
            else:
                right.append(product)
        return Subtraction(left, right)

    def _rest(self, whole: Product, part: Product) -> list[Product] | None:
        """Σ[G]·f − Σ[H]·f = Σ[G ∧ ¬H]·f, where H implies G and f is natural."""
        if whole.coefficient != part.coefficient or len(whole.variables) != len(part.variables):
            return None
        if not all(map(natural, whole.factors)):
            return None
        for renaming in alignments(part, whole):
            guards = [substitute(g, renaming) for g in part.guards]
            factors = [substitute(f, renaming) for f in part.factors]
            if _alike(factors, whole.factors) and self._implies(guards, whole.guards):
                extra = self._needed([g for g in guards if g not in whole.guards], whole.guards)
                return expanded_guard(whole, disj(*map(neg, extra)))
        return None

    def _needed(self, extra: list[Term], known: Sequence[Term]) -> list[Term]:
        """The guards without those that follow from the others."""
        for guard in extra:
            others = [g for g in extra if g != guard]
            if others and self._steps.entails([*others, *known], guard):
                return self._needed(others, known)
        return extra

    def _implies(self, guards: Sequence[Term], others: Sequence[Term]) -> bool:
        missing = [g for g in others if g not in guards]
        return not missing or self._steps.entails(guards, conj(*missing))


def expanded_guard(product: Product, guard: Term) -> list[Product]:
    """The product with one more guard; nothing where that is never true."""
    more = conjuncts(conj(*product.guards, guard))
    return [] if any(g == conj(guard, neg(guard)) for g in more) else [replace(product, guards=more)]


def _alike(left: Sequence[Term], right: Sequence[Term]) -> bool:
    return sorted(map(shape, left)) == sorted(map(shape, right))


def _has_sum(term: Term) -> bool:
    return isinstance(term, Sum) or any(map(_has_sum, subterms(term)))
