"""Windows over tables of terms: which entries they show at an instant. Instants are terms, too."""

from collections.abc import Callable, Sequence

from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.refute.row_table import CountedRow, Table, agree, compact, only_if, times_of
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    at_most,
    before,
    conj,
    disj,
    equal,
    get,
    is_null,
    ite,
    least,
    less,
    mod,
    monus,
    mul,
    neg,
    number,
    sub,
)
from equivalence.prover.terms.term import FALSE, Term
from semantics import FOREVER
from semantics import plan as op

Moment = tuple[Term, Table]
"""An instant, and what is there."""
Spell = tuple[Term, Term, Table]
"""An interval, from its first instant to before its last, and what is there in it."""
Window = op.TimeWindow | op.LandmarkWindow | op.CountWindow | op.PartitionedWindow


def windowed(plan: Window, now: Term, moments: Sequence[Moment]) -> Table:
    """What a window shows now, given all moments at which something is there; no two of them are at one instant."""
    match plan:
        case op.TimeWindow() | op.LandmarkWindow():
            return _between(*_visible(plan, now), moments)
        case op.CountWindow():
            return _rows_window(plan, now, moments, lambda one, other: agree(one, other, ()))
        case op.PartitionedWindow(keys=keys):
            return _rows_window(plan, now, moments, lambda one, other: agree(one, other, keys))


def lasting_in_window(plan: op.TimeWindow | op.LandmarkWindow, now: Term, spells: Sequence[Spell]) -> Table:
    """What a window shows now of that which lasts: an entry once for every instant of it that is visible."""
    first, last = _visible(plan, now)
    visible = [
        (monus(least(end, add(last, ONE)), ite(less(start, first), first, start)), t) for start, end, t in spells
    ]
    return [CountedRow(e.row, mul(instants, e.times)) for instants, table in visible for e in table]


def _visible(plan: op.TimeWindow | op.LandmarkWindow, now: Term) -> tuple[Term, Term]:
    """The first and the last instant of a window; the first is later if the window is empty."""
    if isinstance(plan, op.LandmarkWindow):
        begun, reset = integer(plan.start), plan.reset
        first = begun if reset is None else sub(now, mod(sub(now, begun), integer(reset)))
        return ite(at_most(begun, now), first, add(now, ONE)), now
    last = sub(now, mod(now, integer(plan.slide)))
    return ZERO if plan.size == FOREVER else add(last, mul(number(-1), integer(plan.size)), ONE), last


def arrived(now: Table, before: Table) -> Table:
    """What is there more often now than before."""
    return [CountedRow(e.row, monus(e.times, times_of(e.row, before))) for e in compact(now)]


def _between(first: Term, last: Term, moments: Sequence[Moment]) -> list[CountedRow]:
    """The entries of the instants from first to last."""
    inside = [(conj(at_most(first, u), at_most(u, last)), table) for u, table in moments]
    return [CountedRow(e.row, only_if(condition, e.times)) for condition, table in inside for e in table]


def _rows_window(
    plan: op.CountWindow | op.PartitionedWindow,
    now: Term,
    moments: Sequence[Moment],
    same: Callable[[CountedRow, CountedRow], Term],
) -> list[CountedRow]:
    """Every entry as often as it is among the last occurrences of its partition."""
    entries = [
        (u, CountedRow(e.row, only_if(at_most(u, now), e.times))) for u, table in moments for e in compact(table)
    ]
    return [CountedRow(e.row, _among_last(plan, u, e, entries, same)) for u, e in entries]


def _among_last(
    plan: op.CountWindow | op.PartitionedWindow,
    u: Term,
    entry: CountedRow,
    entries: Sequence[tuple[Term, CountedRow]],
    same: Callable[[CountedRow, CountedRow], Term],
) -> Term:
    mine = [(v, CountedRow(e.row, only_if(same(entry, e), e.times))) for v, e in entries]
    later = add(ZERO, *(only_if(less(u, v), e.times) for v, e in mine))
    if plan.ties:
        return only_if(less(later, integer(plan.rows)), entry.times)
    later = add(later, *(only_if(row_before(entry.row, e.row), e.times) for v, e in mine if v == u))
    skipped = mod(add(ZERO, *(e.times for _, e in mine)), integer(plan.slide))
    end = least(add(later, entry.times), add(skipped, integer(plan.rows)))
    return monus(end, ite(at_most(later, skipped), skipped, later))


def row_before(left: tuple[Term, ...], right: tuple[Term, ...]) -> Term:
    """The total order on rows: column by column, NULL first."""
    if not left:
        return FALSE
    (a, *rest), (b, *others) = left, right
    smaller = conj(neg(is_null(b)), disj(is_null(a), before(get(a), get(b))))
    return disj(smaller, conj(equal(a, b), row_before(tuple(rest), tuple(others))))
