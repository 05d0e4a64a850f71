"""Snapshot-computable operators over tables of terms: what they make of their inputs at one instant.

This is how counterexamples are looked for. It shares nothing with `meaning.plan` but expressions, so a mistake in one
does not hide a mistake in the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from equivalence.prover.meaning.expressions import SORTS
from equivalence.prover.refute.floats import ExactNumbers
from equivalence.prover.refute.limited_table import limited
from equivalence.prover.refute.row_table import (
    CountedRow,
    NoTermForAggregate,
    Table,
    aggregated,
    agree,
    compact,
    only_if,
    present,
    times_of,
)
from equivalence.prover.terms.build import ONE, conj, disj, indicator, least, monus, mul, neg, null, some
from equivalence.prover.terms.term import SmtSort, Term
from semantics import Expression, Plan
from semantics import plan as op
from semantics.aggregate import Aggregate
from semantics.now_in_expressions import now_as_column
from semantics.rebuild import over

PARTS_OF_MULTIPLICITY_WITHOUT_NAME: Final = 60
"""Multiplicities with more parts than this get a name, so that they are written out once."""


@dataclass
class SnapshotTables:
    """The snapshots of operators, given those of their inputs."""

    expressions: ExactNumbers

    def named(self, table: Table) -> Table:
        """The same table with names for what is long."""
        definitions = self.expressions.definitions
        return [CountedRow(e.row, definitions.named(e.times, PARTS_OF_MULTIPLICITY_WITHOUT_NAME)) for e in table]

    def computed(self, plan: Plan, now: Term, table: Table, other: Table = ()) -> Table:
        """What the operator makes of its inputs at this instant."""
        return OneSnapshot(self.expressions, now).of(plan, table, other)


@dataclass
class OneSnapshot:
    """What operators make of tables at one instant."""

    expressions: ExactNumbers
    now: Term

    def of(self, plan: Plan, table: Table, other: Table = ()) -> Table:
        match plan:
            case op.Filter(predicate=predicate):
                return [CountedRow(e.row, self._kept(predicate, e.row, e.times)) for e in table]
            case op.Map(expressions=expressions):
                return [CountedRow(tuple(self._value(x, e.row) for x in expressions), e.times) for e in table]
            case op.Unnest():
                raise NoTermForAggregate("arrays")
            case op.Distinct():
                return [CountedRow(e.row, indicator(present(e))) for e in compact(table)]
            case op.Aggregation(aggregates=aggregates, on_empty=on_empty):
                row = self._aggregated(aggregates, table)
                return [CountedRow(row, ONE if on_empty else indicator(disj(*map(present, table))))]
            case op.Grouping():
                return self._grouped(plan, table)
            case op.Limit():
                return limited(plan, compact(table))
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
                return [CountedRow(e.row, only_if(self._partner(condition, e.row, other), e.times)) for e in table]
            case op.Antijoin(condition=condition):
                return [CountedRow(e.row, only_if(neg(self._partner(condition, e.row, other)), e.times)) for e in table]
            case op.Rstream():
                return table
            case op.Source() | op.TimeWindow() | op.LandmarkWindow() | op.CountWindow() | op.PartitionedWindow():
                raise AssertionError("handled before")
            case op.SessionWindow() | op.Over() | op.Istream() | op.Dstream():
                raise AssertionError("handled before")
            case _:
                assert_never(plan)

    def _kept(self, predicate: Expression, row: tuple[Term, ...], times: Term) -> Term:
        return only_if(self._true(predicate, row), times)

    def _true(self, predicate: Expression, row: tuple[Term, ...]) -> Term:
        return self.expressions.truth(*self._with_now(predicate, row)).true

    def _value(self, expression: Expression, row: tuple[Term, ...]) -> Term:
        return self.expressions.value(*self._with_now(expression, row))

    def _with_now(self, expression: Expression, row: tuple[Term, ...]) -> tuple[Expression, tuple[Term, ...]]:
        """The instant is one more column."""
        return now_as_column(expression, len(row)), (*row, some(self.now))

    def _aggregated(self, aggregates: Sequence[Aggregate], table: Table) -> tuple[Term, ...]:
        stamped = [CountedRow((*e.row, some(self.now)), e.times) for e in table]
        position = len(table[0].row) if table else 0
        asked = [over(a, lambda argument: now_as_column(argument, position)) for a in aggregates]
        return tuple(aggregated(a, stamped, self.expressions) for a in asked)

    def _joined(self, condition: Expression, left: Table, right: Table) -> list[CountedRow]:
        pairs = [CountedRow(l.row + r.row, mul(l.times, r.times)) for l in left for r in right]
        return [CountedRow(e.row, self._kept(condition, e.row, e.times)) for e in pairs]

    def _partner(self, condition: Expression, row: tuple[Term, ...], others: Table, *, after: bool = True) -> Term:
        both = [(row + o.row if after else o.row + row, o) for o in others]
        return disj(*(conj(present(o), self._true(condition, pair)) for pair, o in both))

    def _left_alone(self, plan: op.LeftJoin | op.FullJoin, left: Table, right: Table) -> list[CountedRow]:
        nulls = tuple(null(sort) for sort in _sorts(plan)[len(plan.left.schema) :])
        alone = [(e, neg(self._partner(plan.condition, e.row, right))) for e in left]
        return [CountedRow(e.row + nulls, only_if(condition, e.times)) for e, condition in alone]

    def _right_alone(self, plan: op.RightJoin | op.FullJoin, left: Table, right: Table) -> list[CountedRow]:
        nulls = tuple(null(sort) for sort in _sorts(plan)[: len(plan.left.schema)])
        alone = [(e, neg(self._partner(plan.condition, e.row, left, after=False))) for e in right]
        return [CountedRow(nulls + e.row, only_if(condition, e.times)) for e, condition in alone]

    def _grouped(self, plan: op.Grouping, table: Table) -> list[CountedRow]:
        """One row for the first entry of each group that is there."""
        groups = []
        for i, entry in enumerate(table):
            key = tuple(entry.row[k] for k in plan.keys)
            earlier = disj(*(conj(present(e), agree(entry, e, plan.keys)) for e in table[:i]))
            members = [CountedRow(e.row, only_if(agree(entry, e, plan.keys), e.times)) for e in table]
            values = self._aggregated(plan.aggregates, members)
            groups.append(CountedRow(key + values, indicator(conj(present(entry), neg(earlier)))))
        return groups


def _sorts(plan: op.LeftJoin | op.RightJoin | op.FullJoin) -> list[SmtSort]:
    return [SORTS[type_] for type_ in plan.schema.types]
