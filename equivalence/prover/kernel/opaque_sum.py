"""Sums and folds that leaves know only as constants, and what the kernel asks of products and terms before that."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from typing import Final

from equivalence.prover.terms.build import neg, sub
from equivalence.prover.terms.linear import coefficients
from equivalence.prover.terms.matching import matched
from equivalence.prover.terms.normal_form import GuardedProduct
from equivalence.prover.terms.shape import shape
from equivalence.prover.terms.smtlib import symbols
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import (
    TRUE,
    Apply,
    Exists,
    Fold,
    SmtSort,
    SumTerm,
    Symbol,
    Term,
    Var,
    bound,
    cached_on_term,
    subterms,
)

SCALE_FREE: Final = ("Avg ", "VarPop ", "StddevPop ", "Median ")
"""Folds that do not depend on how often all values are there, as long as that is equally often."""


@dataclass(frozen=True)
class OpaqueSum:
    """A sum or a fold that leaves know only as a constant, or as a function of the variables that it stands under."""

    kind: str
    parameters: tuple[Var, ...]
    variables: tuple[Var, ...]
    body: Term
    symbol: Symbol

    @cached_property
    def key(self) -> str:
        """The same for two that differ in the names of their variables and parameters only."""
        names = {v: f"parameter {i}" for i, v in enumerate(self.parameters)}
        return shape(SumTerm(self.variables, self.body), names)

    @cached_property
    def kinds(self) -> tuple[object, ...]:
        """Two can be equal only if they have this in common."""
        return self.kind, self.symbol.parameters, self.symbol.result, sorts(self.variables)

    @cached_property
    def about(self) -> tuple[str, ...]:
        """The streams that it asks."""
        return tuple(streams(self.body))


def plain_equation(goal: Term) -> bool:
    """Is the goal an equation whose sides are the same linear combination?"""
    if isinstance(goal, Apply) and goal.head == "=" and goal.arguments[0].sort is SmtSort.INT:
        return not coefficients(sub(*goal.arguments))
    return goal == TRUE


def given(body: Sequence[GuardedProduct], guard: Term) -> list[GuardedProduct]:
    """What is left of products where a guard is known to hold."""
    kept = [p for p in body if neg(guard) not in p.guards]
    return [replace(p, guards=tuple(g for g in p.guards if g != guard)) for p in kept]


def scaled(name: str, body: list[GuardedProduct]) -> list[GuardedProduct]:
    """SCALE: mean, variance and median stay the same where the multiplicities of all values have a common factor."""
    by = gcd(*(p.coefficient for p in body)) if name.startswith(SCALE_FREE) else 1
    return [replace(p, coefficient=p.coefficient // by) for p in body] if by > 1 else body


def weighted(component: GuardedProduct, coefficient: int) -> GuardedProduct:
    return GuardedProduct(coefficient, component.variables, component.guards, component.factors)


def comparable(old: OpaqueSum, new: OpaqueSum) -> bool:
    """Can two be equal?"""
    return old.kinds == new.kinds and old.about == new.about


def perhaps_smaller(small: OpaqueSum, large: OpaqueSum) -> bool:
    """Can one be never larger than the other?"""
    return small.kinds == large.kinds and {*large.about} <= {*small.about}


def parts_like(small: OpaqueSum, large: OpaqueSum) -> list[Term]:
    """Summands of the larger sum, one for each of the smaller one's: where both ask the same of a stream."""
    if small.kind != large.kind or len(small.variables) >= len(large.variables):
        return []
    patterns, facts = atoms(large.body), atoms(small.body)
    found = [matched(pattern, fact, large.variables) for pattern in patterns for fact in facts]
    complete = [
        b for b in found if b is not None and {*b} == {*large.variables} and {*small.variables} <= {*b.values()}
    ]
    return list(dict.fromkeys(substitute(large.body, binding) for binding in complete))


def atoms(term: Term) -> list[Term]:
    """What is asked of streams in a term, outside of its binders."""
    if isinstance(term, Apply) and isinstance(term.head, Symbol) and term.head.kind == "stream":
        return [term]
    return [] if bound(term) else list(dict.fromkeys(a for part in subterms(term) for a in atoms(part)))


def streams(term: Term) -> list[str]:
    return sorted(symbol.name for symbol in symbols([term]) if symbol.kind == "stream")


@cached_on_term
def has_sum(term: Term) -> bool:
    """Is there a sum or a fold in the term?"""
    return isinstance(term, SumTerm | Fold) or any(map(has_sum, subterms(term)))


@cached_on_term
def has_existence(term: Term) -> bool:
    """Is there any binder in the term?"""
    return isinstance(term, Exists | SumTerm | Fold) or any(map(has_existence, subterms(term)))


def sorts(variables: Iterable[Var]) -> tuple[str, ...]:
    return tuple(sorted(v.sort.value for v in variables))
