"""Quotients and remainders by numbers that are left open.

Solvers are slow with them. Most proofs need no more than that they are functions, and that a remainder is smaller than
its divisor, so that is tried first.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from equivalence.prover.terms.build import ZERO, at_most, call, conj, disj, less
from equivalence.prover.terms.substitution import rebuilt
from equivalence.prover.terms.term import Apply, ConstantTerm, SmtSort, Symbol, Term, cached_on_term, subterms

_SOME: Final = {head: Symbol(f"some {head}", (SmtSort.INT, SmtSort.INT), SmtSort.INT) for head in ("mod", "div")}


@cached_on_term
def has_remainder(term: Term) -> bool:
    """Does the term divide by a number that is left open?"""
    return _is_remainder(term) or any(map(has_remainder, subterms(term)))


def without_remainders(term: Term) -> Term:
    """The term with functions of which nothing is known in their place: what holds of all functions holds of these."""
    if not has_remainder(term):
        return term
    plain = rebuilt(term, without_remainders)
    return call(_SOME[str(plain.head)], *plain.arguments) if isinstance(plain, Apply) and _is_remainder(term) else plain


def facts_about_remainders(terms: Iterable[Term]) -> list[Term]:
    """REMAINDER: 0 ≤ a mod b < b, where b ≥ 1."""
    found = dict.fromkeys(r for term in terms for r in _remainders(term))
    return [disj(at_most(b, ZERO), conj(at_most(ZERO, r), less(r, b))) for r, b in found]


def _is_remainder(term: Term) -> bool:
    return isinstance(term, Apply) and term.head in ("mod", "div") and not isinstance(term.arguments[1], ConstantTerm)


def _remainders(term: Term) -> Iterator[tuple[Term, Term]]:
    if isinstance(term, Apply) and term.head == _SOME["mod"]:
        yield term, term.arguments[1]
    for part in subterms(term):
        yield from _remainders(part)
