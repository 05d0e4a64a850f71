"""Declared orders as terms: is a row before another one?"""

from collections.abc import Sequence

from equivalence.prover.terms.build import call, conj, disj, equal, is_null, neg
from equivalence.prover.terms.term import FALSE, SmtSort, Symbol, Term
from semantics.ordering import SortKey

RowTerms = tuple[Term, ...]


def precedes(row: RowTerms, other: RowTerms) -> Term:
    """The total order on rows: column by column, NULL first."""
    sorts = tuple(value.sort for value in row)
    return call(Symbol("before " + " ".join(s.value for s in sorts), sorts * 2, SmtSort.BOOL, "order"), *row, *other)


def in_order_before(keys: Sequence[SortKey], row: RowTerms, other: RowTerms) -> Term:
    """Is a row before another one in a declared order, by their sort keys alone?"""
    if not keys:
        return FALSE
    key, *rest = keys
    one, two = row[key.column], other[key.column]
    return disj(_value_before(key, one, two), conj(equal(one, two), in_order_before(rest, row, other)))


def peers(keys: Sequence[SortKey], row: RowTerms, other: RowTerms) -> Term:
    """Have two rows the same sort keys?"""
    return conj(*(equal(row[key.column], other[key.column]) for key in keys))


def _value_before(key: SortKey, one: Term, other: Term) -> Term:
    forward = precedes((other,), (one,)) if key.descending else precedes((one,), (other,))
    if key.ends_with_nulls == key.descending:
        return forward
    first, last = (other, one) if key.ends_with_nulls else (one, other)
    return disj(conj(is_null(first), neg(is_null(last))), conj(neg(is_null(one)), neg(is_null(other)), forward))
