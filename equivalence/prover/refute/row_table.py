"""Multisets as lists of rows with multiplicities. Both are terms, and a row may come up more than once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import assert_never

from equivalence.prover.meaning.expressions import SORTS
from equivalence.prover.refute.floats import ExactNumbers
from equivalence.prover.refute.row_numbers import CountedValues, average, count, exact_sum, integer_sum, largest, median
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
    indicator,
    is_null,
    ite,
    neg,
    null,
    number,
    some,
)
from equivalence.prover.terms.term import SmtSort, Term
from semantics import Type
from semantics import aggregate as agg


class NoTermForAggregate(Exception):
    """The search has no term for the value of an aggregate."""


@dataclass(frozen=True)
class CountedRow:
    row: tuple[Term, ...]
    times: Term


Table = Sequence[CountedRow]


def present(entry: CountedRow) -> Term:
    return at_most(ONE, entry.times)


def same_row(left: tuple[Term, ...], right: tuple[Term, ...]) -> Term:
    return conj(*(equal(a, b) for a, b in zip(left, right, strict=True)))


def agree(one: CountedRow, other: CountedRow, keys: Sequence[int]) -> Term:
    """Do two rows have the same key?"""
    return conj(*(equal(one.row[k], other.row[k]) for k in keys))


def only_if(condition: Term, times: Term) -> Term:
    """The multiplicity where the condition holds, else none."""
    return ite(condition, times, ZERO)


def times_of(row: tuple[Term, ...], table: Table) -> Term:
    """How often the row is in the table."""
    return add(ZERO, *(ite(same_row(row, e.row), e.times, ZERO) for e in table))


def compact(table: Table) -> list[CountedRow]:
    """Every row once, at its first entry, with its whole multiplicity."""
    compacted = []
    for i, entry in enumerate(table):
        again = disj(*(same_row(entry.row, e.row) for e in table[:i]))
        compacted.append(CountedRow(entry.row, ite(again, ZERO, times_of(entry.row, table))))
    return compacted


def aggregated(aggregate: agg.Aggregate, table: Table, expressions: ExactNumbers) -> Term:
    """The value of an aggregate over a table."""
    if isinstance(aggregate, agg.CountRows):
        return some(add(ZERO, *(e.times for e in table)))
    first, *others = agg.arguments_of(aggregate)
    values = [(expressions.value(first, e.row), e.times) for e in table]
    there = [(v, ite(is_null(v), ZERO, times)) for v, times in values]
    if not others:
        return _of_values(aggregate, there, expressions)
    if isinstance(aggregate, agg.ExtremeBy):
        beside = [expressions.value(others[0], e.row) for e in table]
        return _extreme_by(there, beside, SORTS[aggregate.type], least=not aggregate.greatest)
    raise NoTermForAggregate(f"{agg.name_of(aggregate).upper()} of several columns")


def _of_values(aggregate: agg.Aggregate, there: CountedValues, expressions: ExactNumbers) -> Term:
    """The value of an aggregate of one argument, over counted values."""
    match aggregate:
        case agg.CountRows() | agg.Count():
            return some(count(there))
        case agg.CountDistinct():
            return some(add(ZERO, *(indicator(_first(i, there)) for i in range(len(there)))))
        case agg.OfDistinct(function=function):
            once = [(value, indicator(_first(i, there))) for i, (value, _) in enumerate(there)]
            return _of_values(function, once, expressions)
        case agg.Sum() if aggregate.type is Type.INT:
            return _unless_none(there, some(integer_sum(there)))
        case _ if not there:
            return null(SORTS[aggregate.type])
        case agg.Sum():
            return _unless_none(there, some(expressions.rounded(exact_sum(there, expressions))))
        case agg.Avg():
            return _unless_none(there, some(average(there, expressions)))
        case agg.Median():
            return _unless_none(there, some(median(there, expressions)))
        case agg.Min() | agg.Largest(rank=1) | agg.Max():
            return _extreme(there, least=isinstance(aggregate, agg.Min))
        case agg.Largest(rank=rank):
            value = some(largest(rank, there, expressions))
            return ite(at_most(number(rank), count(there)), value, null(value.sort))
        case (
            agg.VarPop()
            | agg.StddevPop()
            | agg.VarSamp()
            | agg.StddevSamp()
            | agg.Percentile()
            | agg.Mode()
            | agg.Bitwise()
            | agg.Paired()
            | agg.ExtremeBy()
            | agg.Listed()
            | agg.UserDefined()
        ):
            raise NoTermForAggregate(f"{type(aggregate).__name__} over {aggregate.argument.type.name}")
        case _:
            assert_never(aggregate)


def _first(i: int, there: CountedValues) -> Term:
    """Is this value there, and not before?"""
    value, times = there[i]
    again = disj(*(conj(at_most(ONE, n), equal(value, v)) for v, n in there[:i]))
    return conj(at_most(ONE, times), neg(again))


def _unless_none(there: CountedValues, value: Term) -> Term:
    return ite(disj(*(at_most(ONE, times) for _, times in there)), value, null(value.sort))


def _extreme_by(there: CountedValues, beside: Sequence[Term], sort: SmtSort, *, least: bool) -> Term:
    """What stands beside the extreme value; of several, the extreme one, NULL being less than every value."""

    def ahead(one: Term, other: Term) -> Term:
        small, large = (one, other) if least else (other, one)
        return conj(neg(is_null(large)), disj(is_null(small), before(get(small), get(large))))

    best, found = (null(there[0][0].sort) if there else None), null(sort)
    for (value, times), argument in zip(there, beside, strict=True):
        assert best is not None
        tie = conj(equal(value, best), ahead(argument, found))
        first = conj(neg(is_null(best)), neg(ahead(value, best)), neg(tie))
        better = conj(at_most(ONE, times), neg(first))
        best, found = ite(better, value, best), ite(better, argument, found)
    return found


def _extreme(there: CountedValues, *, least: bool) -> Term:
    def better(best: Term, item: tuple[Term, Term]) -> Term:
        value, times = item
        ahead = before(get(value), get(best)) if least else before(get(best), get(value))
        return ite(conj(at_most(ONE, times), disj(is_null(best), ahead)), value, best)

    return reduce(better, there, null(there[0][0].sort))
