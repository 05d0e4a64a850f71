"""OVER as terms: the rows of a group in the order of time have numbers 0, 1, 2, …, equal rows adjacent ones.

A function either depends on a row and its instant alone, or also on which of several equal rows it is computed for.
Only in the second case the numbers come up in the term.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from equivalence.prover.meaning.aggregates import AggregateTerms, RowMultiset
from equivalence.prover.meaning.expressions import ExpressionTerms
from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.meaning.ranks import in_order_before, peers, precedes
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    at_most,
    conj,
    disj,
    equal,
    exists,
    indicator,
    is_null,
    least,
    less,
    monus,
    mul,
    neg,
    number,
    positive,
    some,
    sub,
)
from equivalence.prover.terms.term import Fresh, SmtSort, SumTerm, Term, Var
from semantics import FOREVER, Expression
from semantics.aggregate import CountRows
from semantics.ordering import Ranking, SortKey
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace

RowTerms = tuple[Term, ...]


@dataclass(frozen=True)
class GroupInTimeOrder:
    """A group of rows: which are there at an instant, in fresh variables, and the order of those of one instant."""

    at: Callable[[Term], RowMultiset]
    order: Sequence[SortKey]
    fresh: Fresh

    def before_instant(self, time: Term) -> Term:
        """How many rows come at earlier instants."""
        u = self.fresh.var("u", SmtSort.INT)
        rows = self.at(u)
        past = indicator(conj(at_most(ZERO, u), less(u, time)))
        return SumTerm((u, *rows.variables), mul(past, rows.times))

    def number_of(self, row: RowTerms, time: Term) -> Term:
        """How many rows come before the first of those that are equal to this one."""
        rows = self.at(time)
        tie = conj(peers(self.order, rows.variables, row), precedes(rows.variables, row))
        ahead = disj(in_order_before(self.order, rows.variables, row), tie)
        return add(self.before_instant(time), SumTerm(rows.variables, mul(indicator(ahead), rows.times)))

    def some_row(self, holds: Callable[[RowTerms, Term, Term], Term]) -> Term:
        """Is there a row, given with its first number and how often it is there, of which this holds?"""
        u = self.fresh.var("u", SmtSort.INT)
        rows = self.at(u)
        here = holds(rows.variables, self.number_of(rows.variables, u), rows.times)
        return exists((u, *rows.variables), conj(at_most(ZERO, u), positive(rows.times), here))


@dataclass(frozen=True)
class OverTerms:
    """Translates the functions for one row at one instant, of which `times` many are there."""

    row: RowTerms
    time: Term
    times: Term
    group: GroupInTimeOrder
    expressions: ExpressionTerms
    aggregates: AggregateTerms

    def held(self, functions: Sequence[OverFunction], values: RowTerms) -> Term:
        """For how many of the equal rows the functions have these values."""
        pairs = list(zip(functions, values, strict=True))
        if not any(map(_needs_number, functions)):
            return mul(indicator(conj(*(self._has(f, value, ZERO) for f, value in pairs))), self.times)
        copy = self.group.fresh.var("i", SmtSort.INT)
        i = add(self.group.number_of(self.row, self.time), copy)
        there = conj(at_most(ZERO, copy), less(copy, self.times))
        return SumTerm((copy,), indicator(conj(there, *(self._has(f, value, i) for f, value in pairs))))

    def _has(self, function: OverFunction, value: Term, i: Term) -> Term:
        """Does the function have this value for the row with number i?"""
        match function:
            case FrameAggregate(aggregate=CountRows(), frame=Frame(unit="rows", preceding=preceding)):
                so_far = add(i, ONE)
                most = so_far if preceding == FOREVER else least(so_far, integer(preceding + 1))
                return equal(value, some(most))
            case FrameAggregate(aggregate=aggregate, frame=frame):
                return equal(value, self.aggregates.value(aggregate, self._frame(frame, i)))
            case EdgeValue(edge="last", argument=argument, frame=Frame(unit="rows")):
                return equal(value, self.expressions.value(argument, self.row))
            case EdgeValue(edge=edge, argument=argument, frame=frame):
                return self._at_number(self._edge(edge, frame, i), argument, value)
            case NeighbourValue(argument=argument, distance=distance):
                place = add(i, number(distance))
                beyond = neg(self.group.some_row(lambda _, first, times: _within(place, first, times)))
                return disj(conj(beyond, is_null(value)), self._at_number(place, argument, value))
            case RowPlace(ranking=ranking):
                return equal(value, some(add(self._place(ranking, i), ONE)))
            case _:
                assert_never(function)

    def _at_number(self, place: Term, argument: Expression, value: Term) -> Term:
        """Has the row with this number the value in the argument?"""

        def has_it(row: RowTerms, first: Term, times: Term) -> Term:
            return conj(_within(place, first, times), equal(value, self.expressions.value(argument, row)))

        return self.group.some_row(has_it)

    def _edge(self, edge: str, frame: Frame, i: Term) -> Term:
        """The number of the first row of a frame, or of the last row of an instant."""
        if edge == "last":
            return sub(self.group.before_instant(add(self.time, ONE)), ONE)
        if frame.preceding == FOREVER:
            return ZERO
        if frame.unit == "rows":
            return monus(i, integer(frame.preceding))
        return self.group.before_instant(sub(self.time, integer(frame.preceding)))

    def _frame(self, frame: Frame, i: Term) -> RowMultiset:
        """The rows of the frame; their instant is one more variable, to which no argument refers."""
        if _is_one_row(frame):
            return self._alone()
        u = self.group.fresh.var("u", SmtSort.INT)
        rows = self.group.at(u)
        variables = (*rows.variables, u)
        past = [at_most(ZERO, u), at_most(u, self.time)]
        if frame.unit == "range":
            near = [] if frame.preceding == FOREVER else [at_most(sub(self.time, integer(frame.preceding)), u)]
            return RowMultiset(variables, mul(indicator(conj(*past, *near)), rows.times))
        first = self.group.number_of(rows.variables, u)
        skipped = ZERO if frame.preceding == FOREVER else monus(monus(i, integer(frame.preceding)), first)
        seen = monus(least(rows.times, monus(add(i, ONE), first)), skipped)
        return RowMultiset(variables, mul(indicator(conj(*past)), seen))

    def _alone(self) -> RowMultiset:
        """The row itself."""
        variables: tuple[Var, ...] = tuple(self.group.fresh.var("x", value.sort) for value in self.row)
        return RowMultiset(variables, indicator(conj(*map(equal, variables, self.row))))

    def _place(self, ranking: Ranking, i: Term) -> Term:
        """How many rows are before this one, or before its peers, or how many sets of peers."""
        if ranking == "rows":
            return i
        rows = self.group.at(self.time)
        ahead = in_order_before(self.group.order, rows.variables, self.row)
        if ranking == "rank":
            here = SumTerm(rows.variables, mul(indicator(ahead), rows.times))
            return add(self.group.before_instant(self.time), here)
        u = self.group.fresh.var("u", SmtSort.INT)
        earlier = self._sets_of_peers(self.group.at(u), conj(at_most(ZERO, u), less(u, self.time)), u)
        return add(earlier, self._sets_of_peers(rows, ahead))

    def _sets_of_peers(self, rows: RowMultiset, where: Term, *instant: Var) -> Term:
        """How many different sort keys there are, at one instant or at all for which the condition holds."""
        sorted_by = {key.column for key in self.group.order}
        others = tuple(v for i, v in enumerate(rows.variables) if i not in sorted_by)
        counted = (*instant, *(v for i, v in enumerate(rows.variables) if i in sorted_by))
        there = mul(indicator(where), indicator(exists(others, positive(rows.times))))
        return SumTerm(counted, there) if counted else there


def _within(place: Term, first: Term, times: Term) -> Term:
    """Is this one of the numbers of equal rows?"""
    return conj(at_most(first, place), less(place, add(first, times)))


def _needs_number(function: OverFunction) -> bool:
    """Does the function tell equal rows of one instant apart?"""
    match function:
        case RowPlace(ranking=ranking):
            return ranking == "rows"
        case NeighbourValue():
            return True
        case EdgeValue(edge=edge, frame=frame):
            return edge == "first" and frame.unit == "rows" and frame.preceding != FOREVER
        case FrameAggregate(frame=frame):
            return frame.unit == "rows" and not _is_one_row(frame)
        case _:
            assert_never(function)


def _is_one_row(frame: Frame) -> bool:
    return frame.unit == "rows" and frame.preceding != FOREVER and integer(frame.preceding) == ZERO
