"""What is always true of a sum or a fold that a leaf knows only as a constant. Soundness rests on every fact here."""

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final

from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    at_most,
    before,
    call,
    conj,
    disj,
    equal,
    exists,
    for_all,
    monus,
    natural,
    neg,
    positive,
)
from equivalence.prover.terms.linear import bounds
from equivalence.prover.terms.normal_form import expanded
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import SmtSort, Term, free

SUMS_COMPARED: Final = 4
"""Only this many sums are compared with one another: each comparison is a proof of its own."""

if TYPE_CHECKING:
    from equivalence.prover.kernel.kernel import ProofKernel
    from equivalence.prover.kernel.opaque_sum import OpaqueSum


def facts_about(kernel: "ProofKernel", abstracts: "Sequence[OpaqueSum]", *, cheap: bool) -> list[Term]:
    """All facts of one kind; cheap ones have no quantifier of their own."""
    facts: list[Term] = []
    for abstract in abstracts:
        constant = call(abstract.symbol, *abstract.parameters)
        about = _of_sum(kernel, abstract, constant, cheap) if abstract.kind == "sum" else []
        if abstract.kind in ("min", "max") and not cheap:
            about = _of_extreme(kernel, abstract, constant)
        facts += [for_all(abstract.parameters, fact) for fact in about]
    return facts if cheap else [*facts, *comparisons(kernel, abstracts), *coverings(kernel, abstracts)]


def comparisons(kernel: "ProofKernel", abstracts: "Sequence[OpaqueSum]") -> list[Term]:
    """MONO: Σf ≤ Σg where f ≤ g everywhere; for sums that do not stand under a quantifier."""
    sums = [a for a in abstracts if a.kind == "sum" and not a.parameters][:SUMS_COMPARED]
    return [
        at_most(call(small.symbol), call(large.symbol))
        for small, large in permutations(sums, 2)
        if kernel.never_larger(small, large)
    ]


def coverings(kernel: "ProofKernel", abstracts: "Sequence[OpaqueSum]") -> list[Term]:
    """MONO for two: Σf ≤ Σg + Σh where f ≤ g + h everywhere."""
    sums = [a for a in abstracts if a.kind == "sum" and not a.parameters][:SUMS_COMPARED]
    return [
        at_most(call(small.symbol), add(call(one.symbol), call(other.symbol)))
        for small in sums
        for one, other in combinations([s for s in sums if s != small], 2)
        if kernel.never_larger_than_both(small, one, other)
    ]


def _of_sum(kernel: "ProofKernel", abstract: "OpaqueSum", constant: Term, cheap: bool) -> list[Term]:
    """NATURAL: a sum of natural numbers is one. POS: it is ≥ 1 iff one of them is. TERM: it is ≥ each of them."""
    if not natural(abstract.body):
        return []
    if cheap:
        return [at_most(ZERO, constant), *_no_more_than_places(kernel, abstract, constant)]
    there = kernel.flat(exists(abstract.variables, positive(abstract.body)), abstract.parameters)
    terms = [kernel.flat(term, abstract.parameters) for term in _some_terms(kernel, abstract)]
    return [equal(at_most(ONE, constant), there), *(at_most(term, constant) for term in terms)]


def _no_more_than_places(kernel: "ProofKernel", abstract: "OpaqueSum", constant: Term) -> list[Term]:
    """PLACES: Σ_x [a ≤ x ≤ b ∧ φ(x)] ≤ max(b − a + 1, 0)."""
    products = expanded(abstract.body, kernel.fresh)
    if len(abstract.variables) != 1 or abstract.variables[0].sort is not SmtSort.INT or len(products) != 1:
        return []
    (variable,), (one,) = abstract.variables, products
    found = bounds(variable, [g for g in one.guards if bounds(variable, [g])])
    if one.variables or one.factors or one.coefficient != 1 or found is None:
        return []
    places = [monus(add(b, ONE), a) for a in found.lower for b in found.upper]
    return [at_most(constant, kernel.flat(n, abstract.parameters)) for n in places]


def _some_terms(kernel: "ProofKernel", abstract: "OpaqueSum") -> list[Term]:
    """The summands at the bounds of an integer variable, if it is the only one."""
    if len(abstract.variables) != 1 or abstract.variables[0].sort is not SmtSort.INT:
        return []
    (variable,) = abstract.variables
    ends: dict[Term, None] = {}
    for p in expanded(abstract.body, kernel.fresh):
        for guard in p.guards:
            found = bounds(variable, [guard])
            if found and variable in free(guard):
                ends |= dict.fromkeys((*found.lower, *found.upper))
    return [substitute(abstract.body, {variable: end}) for end in ends]


def _of_extreme(kernel: "ProofKernel", abstract: "OpaqueSum", constant: Term) -> list[Term]:
    """EXTREME: a finite set that is not empty has a least and a largest element, which no other one exceeds."""
    (variable,) = abstract.variables
    member = kernel.flat(positive(abstract.body), (*abstract.parameters, variable))
    chosen = kernel.flat(substitute(positive(abstract.body), {variable: constant}), abstract.parameters)
    beyond = before(constant, variable) if abstract.kind == "max" else before(variable, constant)
    bounded = for_all((variable,), disj(neg(member), neg(beyond)))
    return [disj(neg(exists((variable,), member)), conj(chosen, bounded))]
