"""OVER over tables of terms: all rows of a group in the order of time, a few copies of each told apart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.refute.floats import ExactNumbers
from equivalence.prover.refute.limited_table import is_ahead, is_first_peer, same_keys
from equivalence.prover.refute.row_table import CountedRow, Table, aggregated, agree, compact, only_if
from equivalence.prover.refute.windows import row_before
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    at_most,
    conj,
    disj,
    indicator,
    ite,
    least,
    less,
    monus,
    null,
    number,
    some,
    sub,
)
from equivalence.prover.terms.term import Term
from semantics import FOREVER, Expression
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.plan import Over

COPIES_TOLD_APART: Final = 3
"""Of more equal rows of one instant the search sees only so many: what it finds is replayed anyway."""


@dataclass(frozen=True)
class PlacedRow:
    """An entry of the history at its instant, and how many rows of its group come before it."""

    instant: int
    entry: CountedRow
    first: Term

    def covers(self, place: Term) -> Term:
        """Is this number one of those of the entry?"""
        return conj(at_most(self.first, place), less(place, add(self.first, self.entry.times)))


def over_rows(plan: Over, history: Sequence[Table], expressions: ExactNumbers) -> list[Table]:
    """Every row at its instant, with what the functions give."""
    tables = [compact(table) for table in history]
    return [[made for e in table for made in _made(plan, t, e, tables, expressions)] for t, table in enumerate(tables)]


def _made(
    plan: Over, now: int, entry: CountedRow, tables: Sequence[Table], expressions: ExactNumbers
) -> list[CountedRow]:
    group = _OneGroup(plan, now, entry, tables, expressions)
    copies = [add(group.own.first, number(copy)) for copy in range(COPIES_TOLD_APART)]
    return [
        CountedRow(
            (*entry.row, *(group.named(group.value(f, i)) for f in plan.functions)),
            indicator(less(number(copy), entry.times)),
        )
        for copy, i in enumerate(copies)
    ]


class _OneGroup:
    """The group of one entry, in the order of time."""

    def __init__(
        self, plan: Over, now: int, entry: CountedRow, tables: Sequence[Table], expressions: ExactNumbers
    ) -> None:
        self._plan, self._now, self._entry, self._expressions = plan, now, entry, expressions
        self._tables = [
            [CountedRow(e.row, self.named(only_if(agree(entry, e, plan.keys), e.times))) for e in table]
            for table in tables
        ]
        self._rows = [PlacedRow(u, e, self._first(u, e)) for u, table in enumerate(self._tables) for e in table]
        self.own = PlacedRow(now, entry, self._first(now, entry))

    def value(self, function: OverFunction, i: Term) -> Term:
        """What a function gives for the row with number i."""
        match function:
            case FrameAggregate(aggregate=aggregate, frame=frame):
                return aggregated(aggregate, self._frame(frame, i), self._expressions)
            case EdgeValue(edge="last", argument=argument, frame=Frame(unit="rows")):
                return self._expressions.value(argument, self._entry.row)
            case EdgeValue(edge="last", argument=argument):
                return self._at(sub(self._before(self._now + 1), ONE), argument)
            case EdgeValue(argument=argument, frame=frame):
                return self._at(self._first_of(frame, i), argument)
            case NeighbourValue(argument=argument, distance=distance):
                return self._at(add(i, number(distance)), argument)
            case RowPlace():
                return some(add(self._place(function, i), ONE))
            case _:
                assert_never(function)

    def _counted(self, u: int, where: Callable[[CountedRow], Term]) -> Term:
        return add(ZERO, *(only_if(where(e), e.times) for e in self._tables[u]))

    def _before(self, stop: int) -> Term:
        """How many rows come at instants before this one."""
        return add(ZERO, *(e.times for table in self._tables[:stop] for e in table))

    def _first(self, u: int, entry: CountedRow) -> Term:
        order = self._plan.order

        def earlier(e: CountedRow) -> Term:
            tie = conj(same_keys(order, e.row, entry.row), row_before(e.row, entry.row))
            return disj(is_ahead(order, e.row, entry.row), tie)

        return self.named(add(self._before(u), self._counted(u, earlier)))

    def named(self, term: Term) -> Term:
        """What comes up in many places, written out once."""
        return self._expressions.definitions.named(term)

    def _at(self, place: Term, argument: Expression) -> Term:
        """What the row with this number has; NULL if there is none."""
        values = [(r.covers(place), self._expressions.value(argument, r.entry.row)) for r in self._rows]
        found = null(values[0][1].sort)
        for here, value in values:
            found = ite(here, value, found)
        return found

    def _first_of(self, frame: Frame, i: Term) -> Term:
        if frame.preceding == FOREVER:
            return ZERO
        if frame.unit == "rows":
            return monus(i, integer(frame.preceding))
        past = [(at_most(number(self._now - u), integer(frame.preceding)), u) for u in range(self._now + 1)]
        return add(ZERO, *(ite(near, ZERO, add(ZERO, *(e.times for e in self._tables[u]))) for near, u in past))

    def _frame(self, frame: Frame, i: Term) -> list[CountedRow]:
        seen = [r for r in self._rows if r.instant <= self._now]
        return [CountedRow(r.entry.row, self._seen(frame, i, r)) for r in seen]

    def _seen(self, frame: Frame, i: Term, row: PlacedRow) -> Term:
        """How many of these equal rows are in the frame."""
        times = row.entry.times
        if frame.unit == "range":
            if frame.preceding == FOREVER:
                return times
            return only_if(at_most(number(self._now - row.instant), integer(frame.preceding)), times)
        start = ZERO if frame.preceding == FOREVER else monus(i, integer(frame.preceding))
        return monus(least(times, monus(add(i, ONE), row.first)), monus(start, row.first))

    def _place(self, function: RowPlace, i: Term) -> Term:
        if function.ranking == "rows":
            return i
        order = self._plan.order
        if function.ranking == "rank":
            here = self._counted(self._now, lambda e: is_ahead(order, e.row, self._entry.row))
            return add(self._before(self._now), here)
        table = self._tables[self._now]
        past = [is_first_peer(order, k, held) for held in self._tables[: self._now] for k in range(len(held))]
        now = [
            conj(is_ahead(order, e.row, self._entry.row), is_first_peer(order, k, table)) for k, e in enumerate(table)
        ]
        return add(ZERO, *map(indicator, [*past, *now]))
