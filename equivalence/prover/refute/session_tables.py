"""Sessions over tables of terms: every two instants may be the first and the last of one."""

from collections.abc import Sequence
from itertools import combinations_with_replacement

from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.refute.row_table import CountedRow, Table, agree, only_if, present
from equivalence.prover.terms.build import add, conj, disj, less, neg, number, some
from equivalence.prover.terms.term import Term
from semantics.plan import SessionWindow


def in_sessions(plan: SessionWindow, history: Sequence[Table]) -> list[Table]:
    """What is there at every instant: the rows of all sessions that last until then."""
    places = range(len(history))
    spans = list(combinations_with_replacement(places, 2))
    return [[e for span in spans for e in _session(plan, *span, now, history)] for now in places]


def _session(plan: SessionWindow, first: int, last: int, now: int, history: Sequence[Table]) -> list[CountedRow]:
    """The rows of the session from the first to the last instant, if it is one and is there now."""
    if first > now:
        return []
    end = add(number(last), integer(plan.gap))
    bounds = (some(number(first)), some(end))
    entries = [entry for table in history[first : last + 1] for entry in table]
    return [
        CountedRow(
            (*e.row, *bounds), only_if(conj(less(number(now), end), _bounds(plan, e, first, last, history)), e.times)
        )
        for e in entries
    ]


def _bounds(plan: SessionWindow, entry: CountedRow, first: int, last: int, history: Sequence[Table]) -> Term:
    """Are these the bounds of a session of the entry's group?"""
    there = [disj(*(conj(present(e), agree(entry, e, plan.keys)) for e in table)) for table in history]
    apart = integer(plan.gap + int(plan.touching))
    outside = [
        *(neg(conj(there[u], less(number(first - u), apart))) for u in range(first)),
        *(neg(conj(there[u], less(number(u - last), apart))) for u in range(last + 1, len(history))),
    ]
    return conj(there[first], there[last], *outside, *_no_pause(there, first, last, apart))


def _no_pause(there: Sequence[Term], first: int, last: int, apart: Term) -> list[Term]:
    """After every instant of the group but the last one, there is another before the gap has passed."""
    return [
        disj(neg(there[u]), *(conj(there[v], less(number(v - u), apart)) for v in range(u + 1, last + 1)))
        for u in range(first, last)
    ]
