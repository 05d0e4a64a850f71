"""Sessions as terms: which two instants bound a session of a group, and which rows it holds."""

from collections.abc import Callable

from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.terms.build import (
    ZERO,
    add,
    at_most,
    conj,
    disj,
    exists,
    for_all,
    get,
    indicator,
    is_null,
    less,
    mul,
    neg,
    sub,
)
from equivalence.prover.terms.term import Fresh, SmtSort, SumTerm, Term
from semantics.plan import SessionWindow

Present = Callable[[Term], Term]
"""Is a row of the group there at this instant?"""


def in_session(
    plan: SessionWindow,
    bounds: tuple[Term, Term],
    time: Term,
    held: Callable[[Term], Term],
    there: Present,
    fresh: Fresh,
) -> Term:
    """How often a row is in the session with these bounds; `held` is how often it comes at an instant."""
    start, end = map(get, bounds)
    last = sub(end, integer(plan.gap))
    known = [neg(is_null(bound)) for bound in bounds]
    visible = conj(*known, at_most(start, time), less(time, end), is_session(plan, start, last, there, fresh))
    u = fresh.var("u", SmtSort.INT)
    return mul(indicator(visible), SumTerm((u,), mul(indicator(conj(at_most(start, u), at_most(u, last))), held(u))))


def is_session(plan: SessionWindow, start: Term, last: Term, there: Present, fresh: Fresh) -> Term:
    """Something is at both instants, nothing is near them outside, and between them no pause is too long."""
    apart = integer(plan.gap + int(plan.touching))

    def anything(after: Term, before: Term) -> Term:
        u = fresh.var("u", SmtSort.INT)
        return exists((u,), conj(at_most(ZERO, u), less(after, u), less(u, before), there(u)))

    v = fresh.var("u", SmtSort.INT)
    inside = conj(at_most(start, v), less(v, last), there(v))
    return conj(
        at_most(ZERO, start),
        at_most(start, last),
        there(start),
        there(last),
        neg(anything(sub(start, apart), start)),
        neg(anything(last, add(last, apart))),
        for_all((v,), disj(neg(inside), anything(v, add(v, apart)))),
    )
