"""Plans over a few rows and instants: every snapshot is a list of rows with their multiplicities, all of them terms.

This is how counterexamples are looked for. It shares nothing with `meaning.plan` but expressions, so a mistake in one
does not hide a mistake in the other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from equivalence.prover.meaning.expressions import SORTS, before
from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.refute.floats import ExactNumbers
from equivalence.prover.refute.row_table import CountedRow, Table, aggregated, compact, present, times_of
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    at_most,
    conj,
    disj,
    equal,
    get,
    indicator,
    is_null,
    ite,
    least,
    less,
    mod,
    monus,
    mul,
    neg,
    null,
    number,
    sub,
)
from equivalence.prover.terms.term import FALSE, SmtSort, Term
from semantics import FOREVER, Expression, Plan
from semantics import plan as op

History = Sequence[Table]
PARTS_OF_MULTIPLICITY_WITHOUT_NAME: Final = 60
"""Multiplicities with more parts than this get a name, so that they are written out once."""


@dataclass
class Tables:
    """The snapshots of plans, given those of their sources."""

    sources: Mapping[str, History]
    expressions: ExactNumbers

    def of(self, plan: Plan) -> History:
        return [[self._named(entry) for entry in table] for table in self._of(plan)]

    def _named(self, entry: CountedRow) -> CountedRow:
        return CountedRow(
            entry.row, self.expressions.definitions.named(entry.times, PARTS_OF_MULTIPLICITY_WITHOUT_NAME)
        )

    def _of(self, plan: Plan) -> History:
        inputs = [self.of(child) for child in plan.inputs]
        match plan:
            case op.Source(name=name):
                return self.sources[name]
            case (
                op.TimeWindow()
                | op.LandmarkWindow()
                | op.CountWindow()
                | op.PartitionedWindow()
                | op.Istream()
                | op.Dstream()
            ):
                (history,) = inputs
                return [self._windowed(plan, history[: t + 1]) for t in range(len(history))]
            case _:
                return [self._reducible(plan, *tables) for tables in zip(*inputs, strict=True)]

    def _reducible(self, plan: Plan, table: Table, other: Table = ()) -> Table:
        match plan:
            case op.Filter(predicate=predicate):
                return [CountedRow(e.row, self._kept(predicate, e.row, e.times)) for e in table]
            case op.Map(expressions=expressions):
                return [
                    CountedRow(tuple(self.expressions.value(x, e.row) for x in expressions), e.times) for e in table
                ]
            case op.Distinct():
                return [CountedRow(e.row, indicator(present(e))) for e in compact(table)]
            case op.Aggregation(aggregates=aggregates, on_empty=on_empty):
                row = tuple(aggregated(a, table, self.expressions) for a in aggregates)
                return [CountedRow(row, ONE if on_empty else indicator(disj(*map(present, table))))]
            case op.Grouping():
                return self._grouped(plan, table)
            case op.Union():
                return [*table, *other]
            case op.Difference():
                return [CountedRow(e.row, monus(e.times, times_of(e.row, other))) for e in compact(table)]
            case op.Intersection():
                return [CountedRow(e.row, least(e.times, times_of(e.row, other))) for e in compact(table)]
            case op.Product():
                return [CountedRow(l.row + r.row, mul(l.times, r.times)) for l in table for r in other]
            case op.Join(condition=condition):
                return self._joined(condition, table, other)
            case op.LeftJoin(condition=condition):
                return [*self._joined(condition, table, other), *self._left_alone(plan, table, other)]
            case op.RightJoin(condition=condition):
                return [*self._joined(condition, table, other), *self._right_alone(plan, table, other)]
            case op.FullJoin(condition=condition):
                alone = [*self._left_alone(plan, table, other), *self._right_alone(plan, table, other)]
                return [*self._joined(condition, table, other), *alone]
            case op.Semijoin(condition=condition):
                return [CountedRow(e.row, _if(self._partner(condition, e.row, other), e.times)) for e in table]
            case op.Antijoin(condition=condition):
                return [CountedRow(e.row, _if(neg(self._partner(condition, e.row, other)), e.times)) for e in table]
            case op.Rstream():
                return table
            case op.Source() | op.TimeWindow() | op.LandmarkWindow() | op.CountWindow() | op.PartitionedWindow():
                raise AssertionError("handled before")
            case op.Istream() | op.Dstream():
                raise AssertionError("handled before")
            case _:
                assert_never(plan)

    def _kept(self, predicate: Expression, row: tuple[Term, ...], times: Term) -> Term:
        return _if(self.expressions.truth(predicate, row).true, times)

    def _joined(self, condition: Expression, left: Table, right: Table) -> list[CountedRow]:
        pairs = [CountedRow(l.row + r.row, mul(l.times, r.times)) for l in left for r in right]
        return [CountedRow(e.row, self._kept(condition, e.row, e.times)) for e in pairs]

    def _partner(self, condition: Expression, row: tuple[Term, ...], others: Table, *, after: bool = True) -> Term:
        both = [(row + o.row if after else o.row + row, o) for o in others]
        return disj(*(conj(present(o), self.expressions.truth(condition, pair).true) for pair, o in both))

    def _left_alone(self, plan: op.LeftJoin | op.FullJoin, left: Table, right: Table) -> list[CountedRow]:
        nulls = tuple(null(sort) for sort in _sorts(plan)[len(plan.left.schema) :])
        alone = [(e, neg(self._partner(plan.condition, e.row, right))) for e in left]
        return [CountedRow(e.row + nulls, _if(condition, e.times)) for e, condition in alone]

    def _right_alone(self, plan: op.RightJoin | op.FullJoin, left: Table, right: Table) -> list[CountedRow]:
        nulls = tuple(null(sort) for sort in _sorts(plan)[: len(plan.left.schema)])
        alone = [(e, neg(self._partner(plan.condition, e.row, left, after=False))) for e in right]
        return [CountedRow(nulls + e.row, _if(condition, e.times)) for e, condition in alone]

    def _grouped(self, plan: op.Grouping, table: Table) -> list[CountedRow]:
        """One row for the first entry of each group that is there."""
        groups = []
        for i, entry in enumerate(table):
            key = tuple(entry.row[k] for k in plan.keys)
            earlier = disj(*(conj(present(e), _agree(entry, e, plan.keys)) for e in table[:i]))
            members = [CountedRow(e.row, _if(_agree(entry, e, plan.keys), e.times)) for e in table]
            values = tuple(aggregated(a, members, self.expressions) for a in plan.aggregates)
            groups.append(CountedRow(key + values, indicator(conj(present(entry), neg(earlier)))))
        return groups

    def _windowed(self, plan: Plan, history: History) -> Table:
        now = len(history) - 1
        match plan:
            case op.TimeWindow(size=size, slide=slide):
                last = sub(number(now), mod(number(now), integer(slide)))
                first = ZERO if size == FOREVER else add(last, mul(number(-1), integer(size)), ONE)
                return _between(first, last, history)
            case op.LandmarkWindow(start=start, reset=reset):
                begun = integer(start)
                first = begun if reset is None else sub(number(now), mod(sub(number(now), begun), integer(reset)))
                return _between(ite(at_most(begun, number(now)), first, number(now + 1)), number(now), history)
            case op.CountWindow():
                return _rows_window(plan, history, lambda one, other: _agree(one, other, ()))
            case op.PartitionedWindow(keys=keys):
                return _rows_window(plan, history, lambda one, other: _agree(one, other, keys))
            case op.Istream():
                return [
                    CountedRow(e.row, monus(e.times, times_of(e.row, _previous(history)))) for e in compact(history[-1])
                ]
            case op.Dstream():
                return [
                    CountedRow(e.row, monus(e.times, times_of(e.row, history[-1]))) for e in compact(_previous(history))
                ]
            case _:
                raise AssertionError("not a window")


def _if(condition: Term, times: Term) -> Term:
    return ite(condition, times, ZERO)


def _sorts(plan: op.LeftJoin | op.RightJoin | op.FullJoin) -> list[SmtSort]:
    return [SORTS[type_] for type_ in plan.schema.types]


def _agree(one: CountedRow, other: CountedRow, keys: Sequence[int]) -> Term:
    return conj(*(equal(one.row[k], other.row[k]) for k in keys))


def _previous(history: History) -> Table:
    return history[-2] if len(history) > 1 else []


def _between(first: Term, last: Term, history: History) -> list[CountedRow]:
    """The entries of the instants from first to last."""
    inside = [conj(at_most(first, number(u)), at_most(number(u), last)) for u in range(len(history))]
    return [CountedRow(e.row, _if(inside[u], e.times)) for u, table in enumerate(history) for e in table]


def _rows_window(
    plan: op.CountWindow | op.PartitionedWindow, history: History, same: Callable[[CountedRow, CountedRow], Term]
) -> list[CountedRow]:
    """Every entry as often as it is among the last occurrences of its partition."""
    entries = [(u, e) for u, table in enumerate(history) for e in compact(table)]
    return [CountedRow(e.row, _among_last(plan, u, e, entries, same)) for u, e in entries]


def _among_last(
    plan: op.CountWindow | op.PartitionedWindow,
    u: int,
    entry: CountedRow,
    entries: Sequence[tuple[int, CountedRow]],
    same: Callable[[CountedRow, CountedRow], Term],
) -> Term:
    mine = [(v, CountedRow(e.row, _if(same(entry, e), e.times))) for v, e in entries]
    later = add(ZERO, *(e.times for v, e in mine if v > u))
    if plan.ties:
        return _if(less(later, integer(plan.rows)), entry.times)
    later = add(later, *(_if(row_before(entry.row, e.row), e.times) for v, e in mine if v == u))
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
