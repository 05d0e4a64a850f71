"""Of finitely many there is a last one: of infinitely many there need not be, whatever bounds they set each other."""

from equivalence.prover.build import ONE, add, at_most, call, conj, exists, indicator, less, neg
from equivalence.prover.kernel import Kernel
from equivalence.prover.terms import Exists, Fresh, Sort, Symbol, Term, Var

ALLOWED = Symbol("q", (Sort.INT, Sort.INT), Sort.BOOL)


def proved(*, finite: bool) -> bool:
    """Is there one of these pairs, with y ≤ x ≤ y + 1, after which there is none, if there is one at all?"""
    fresh = Fresh()
    x, y, u, w, first, last = (fresh.var(name, Sort.INT) for name in "xyuwfl")

    def pair(x: Var, y: Var) -> list[Term]:
        between = [at_most(first, y), at_most(y, last)] if finite else []
        return [at_most(y, x), at_most(x, add(y, ONE)), call(ALLOWED, x, y), *between]

    later = Exists((u, w), conj(less(x, u), less(y, w), *pair(u, w)))
    ends, begins = exists((x, y), conj(*pair(x, y), neg(later))), exists((x, y), conj(*pair(x, y)))
    return Kernel(fresh, ()).equal(indicator(ends), indicator(begins))


def test_of_finitely_many_there_is_a_last_one() -> None:
    assert proved(finite=True)


def test_bounds_that_only_mention_each_other_bound_nothing() -> None:
    assert not proved(finite=False)
