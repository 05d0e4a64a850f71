"""Limit over tables of terms: the entries whose places in a declared order are kept."""

from collections.abc import Sequence

from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.refute.row_table import CountedRow, Table, agree, only_if, present
from equivalence.prover.refute.windows import row_before
from equivalence.prover.terms.build import (
    ZERO,
    add,
    at_most,
    conj,
    disj,
    equal,
    indicator,
    is_null,
    ite,
    least,
    less,
    monus,
    neg,
)
from equivalence.prover.terms.term import FALSE, Term
from semantics import plan as op
from semantics.ordering import SortKey

RowTerms = tuple[Term, ...]


def limited(plan: op.Limit, table: Table) -> list[CountedRow]:
    """Every entry as often as its places are kept; no row has two entries."""
    return [CountedRow(entry.row, _kept(plan, entry, table)) for entry in table]


def _kept(plan: op.Limit, entry: CountedRow, table: Table) -> Term:
    place, first = _place(plan, entry, table), integer(plan.offset)
    stop = None if plan.count is None else integer(plan.offset + plan.count)
    if plan.ranking != "rows":
        inside = at_most(first, place) if stop is None else conj(at_most(first, place), less(place, stop))
        return only_if(inside, entry.times)
    end = add(place, entry.times)
    begin = ite(at_most(place, first), first, place)
    return monus(end if stop is None else least(end, stop), begin)


def _place(plan: op.Limit, entry: CountedRow, table: Table) -> Term:
    group = [CountedRow(e.row, only_if(agree(entry, e, plan.keys), e.times)) for e in table]
    ahead = [is_ahead(plan.order, e.row, entry.row) for e in group]
    if plan.ranking == "dense":
        return add(ZERO, *(indicator(conj(a, is_first_peer(plan.order, i, group))) for i, a in enumerate(ahead)))
    if plan.ranking == "rows":
        ties = [conj(same_keys(plan.order, e.row, entry.row), row_before(e.row, entry.row)) for e in group]
        ahead = [disj(*both) for both in zip(ahead, ties, strict=True)]
    return add(ZERO, *(only_if(a, e.times) for a, e in zip(ahead, group, strict=True)))


def is_first_peer(order: Sequence[SortKey], i: int, group: Table) -> Term:
    """Is this entry there, and none before it that has the same sort keys?"""
    earlier = [conj(present(e), same_keys(order, e.row, group[i].row)) for e in group[:i]]
    return conj(present(group[i]), neg(disj(*earlier)))


def same_keys(order: Sequence[SortKey], one: RowTerms, other: RowTerms) -> Term:
    return conj(*(equal(one[key.column], other[key.column]) for key in order))


def is_ahead(order: Sequence[SortKey], one: RowTerms, other: RowTerms) -> Term:
    """Is one row before the other by its sort keys?"""
    if not order:
        return FALSE
    key, *rest = order
    a, b = one[key.column], other[key.column]
    return disj(_smaller(key, a, b), conj(equal(a, b), is_ahead(rest, one, other)))


def _smaller(key: SortKey, a: Term, b: Term) -> Term:
    """Which of two values comes first, NULLs apart from the rest."""
    first_null, second_null = (b, a) if key.ends_with_nulls else (a, b)
    values = row_before((b,), (a,)) if key.descending else row_before((a,), (b,))
    by_null = conj(is_null(first_null), neg(is_null(second_null)))
    return disj(by_null, conj(neg(is_null(a)), neg(is_null(b)), values))
