"""Plans over few rows at instants that are left open: their snapshots at any instant, as tables of terms.

Elements are at few instants, so a window over them is a sum over these, however long it is. Over what lasts, such as
the result of another window, it is a sum over the few spells between two changes. A third window above these would have
to look at every instant, which is outside of this search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Final, assert_never

from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.refute.plan_tables import History
from equivalence.prover.refute.row_table import CountedRow, Table, only_if
from equivalence.prover.refute.snapshot_tables import SnapshotTables
from equivalence.prover.refute.windows import Moment, Spell, Window, arrived, lasting_in_window, windowed
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    at_most,
    conj,
    div,
    equal,
    ite,
    least,
    less,
    mul,
    neg,
    number,
    sub,
)
from equivalence.prover.terms.term import Term
from semantics import FOREVER, Plan
from semantics import plan as op

MOST_MOMENTS: Final = 12
"""A window over elements at more instants than this is not looked at: the question would be too long."""


class NoSparseTerm(Exception):
    """A plan is outside of the search with open instants, and why."""


@dataclass
class SparseTables(SnapshotTables):
    """The snapshots of plans at any instant; those of sources are known at few instants, and empty at all others."""

    sources: Mapping[str, History]
    instants: Sequence[Term]
    """The instants of the histories: each is later than the one before."""
    lasting: frozenset[str] = frozenset()
    """Sources that hold their first snapshot at every instant."""
    _known: dict[tuple[Plan, Term], Table] = field(default_factory=dict)

    def at(self, plan: Plan, now: Term) -> Table:
        """The snapshot of a plan at an instant ≥ 0."""
        if (plan, now) not in self._known:
            self._known[plan, now] = self.named(self._at(plan, now))
        return self._known[plan, now]

    def _at(self, plan: Plan, now: Term) -> Table:
        match plan:
            case op.Source(name=name):
                return self._given(name, now)
            case op.TimeWindow() | op.LandmarkWindow() | op.CountWindow() | op.PartitionedWindow():
                return self._windowed(plan, now)
            case op.SessionWindow() | op.Over():
                raise NoSparseTerm(f"{plan.operator} at instants that are left open")
            case op.Istream(input=input):
                return arrived(self.at(input, now), self._before(input, now))
            case op.Dstream(input=input):
                return arrived(self._before(input, now), self.at(input, now))
            case _:
                return self.computed(plan, now, *(self.at(child, now) for child in plan.inputs))

    def _given(self, name: str, now: Term) -> Table:
        history = self.sources[name]
        if name in self.lasting:
            return history[0]
        if now in self.instants:
            return history[list(self.instants).index(now)]
        timed = zip(self.instants, history, strict=True)
        return [entry for t, table in timed for entry in _where(equal(t, now), table)]

    def _before(self, plan: Plan, now: Term) -> Table:
        """The snapshot at the instant before; before the first instant there is nothing."""
        return _where(at_most(ONE, now), self.at(plan, sub(now, ONE)))

    def _windowed(self, plan: Window, now: Term) -> Table:
        try:
            return windowed(plan, now, self._moments(plan.input))
        except NoSparseTerm:
            if isinstance(plan, op.CountWindow | op.PartitionedWindow):
                raise
            return lasting_in_window(plan, now, self._spells(plan.input, now))

    def _spells(self, plan: Plan, now: Term) -> list[Spell]:
        """The intervals up to now in which the plan holds the same; those of equal changes are empty but for one."""
        changes = self._few(self.changes(plan))
        ends = [reduce(least, [ite(less(t, u), u, add(now, ONE)) for u in changes]) for t in changes]
        fresh = [conj(*(neg(equal(t, u)) for u in changes[:i])) for i, t in enumerate(changes)]
        spells = zip(changes, map(self.expressions.definitions.named, ends), fresh, strict=True)
        return [(t, end, _where(first, self.at(plan, t))) for t, end, first in spells]

    def _moments(self, plan: Plan) -> list[Moment]:
        """All instants at which the plan may hold something, each once: of equal ones only the first counts."""
        instants = self._few(self.instants_of(plan))
        return [(t, self._unless(instants[:i], t, self.at(plan, t))) for i, t in enumerate(instants)]

    def _unless(self, earlier: Sequence[Term], now: Term, table: Table) -> Table:
        """The table, or nothing if the instant is among the earlier ones. Those of elements differ from each other."""
        doubtful = [t for t in earlier if not (t in self.instants and now in self.instants)]
        return _where(conj(*(neg(equal(t, now)) for t in doubtful)), table)

    def _few(self, instants: Sequence[Term]) -> Sequence[Term]:
        if len(instants) > MOST_MOMENTS:
            raise NoSparseTerm(f"a window over {len(instants)} instants, of which at most {MOST_MOMENTS} are tried")
        return instants

    def instants_of(self, plan: Plan) -> tuple[Term, ...]:
        """Instants of which the plan is empty at all others."""
        match plan:
            case op.Source(name=name) if name not in self.lasting:
                return tuple(self.instants)
            case op.Istream(input=input) | op.Dstream(input=input):
                return self.changes(input)
            case op.Aggregation(on_empty=False) | op.Filter() | op.Map() | op.Distinct() | op.Grouping() | op.Rstream():
                return self.instants_of(plan.input)
            case op.Union(left=left, right=right) | op.FullJoin(left=left, right=right):
                return _together(self.instants_of(left), self.instants_of(right))
            case op.Difference(left=left) | op.Semijoin(left=left) | op.Antijoin(left=left) | op.LeftJoin(left=left):
                return self.instants_of(left)
            case op.RightJoin(right=right):
                return self.instants_of(right)
            case op.Intersection(left=left, right=right) | op.Product(left=left, right=right):
                return self._either(left, right)
            case op.Join(left=left, right=right):
                return self._either(left, right)
            case _:
                raise NoSparseTerm(f"a window over {plan.operator}, which may hold something for long")

    def _either(self, left: Plan, right: Plan) -> tuple[Term, ...]:
        try:
            return self.instants_of(left)
        except NoSparseTerm:
            return self.instants_of(right)

    def changes(self, plan: Plan) -> tuple[Term, ...]:
        """Instants of which the plan holds at all others what it holds at the instant before."""
        match plan:
            case op.Source(name=name) if name in self.lasting:
                return (ZERO,)
            case op.Source():
                return _together(self.instants, [add(t, ONE) for t in self.instants])
            case op.TimeWindow() | op.LandmarkWindow() | op.CountWindow() | op.PartitionedWindow():
                return _changes_of_window(plan, self.instants_of(plan.input))
            case op.Istream(input=input) | op.Dstream(input=input):
                return _together(self.changes(input), [add(t, ONE) for t in self.changes(input)])
            case op.Aggregation(on_empty=True) if plan.reducible:
                return _together((ZERO,), self.changes(plan.input))
            case _ if plan.reducible:
                return _together(*map(self.changes, plan.inputs))
            case _:
                raise NoSparseTerm(f"{plan.operator}, of which is not known when it changes")


def _where(condition: Term, table: Table) -> Table:
    """The table where the condition holds, else nothing."""
    return [CountedRow(e.row, only_if(condition, e.times)) for e in table]


def _together(*several: Sequence[Term]) -> tuple[Term, ...]:
    return tuple(dict.fromkeys(t for each in several for t in each))


def _changes_of_window(plan: Window, instants: Sequence[Term]) -> tuple[Term, ...]:
    """When elements of these instants come into a window, and when they leave it for reasons of time."""
    match plan:
        case op.TimeWindow(size=size, slide=slide):
            gone = [] if size == FOREVER else [add(t, integer(size)) for t in instants]
            return tuple(_next_multiple(t, integer(slide)) for t in (*instants, *gone))
        case op.LandmarkWindow(start=start, reset=reset):
            emptied = [] if reset is None else [_next_landmark(t, integer(start), integer(reset)) for t in instants]
            return (*instants, *emptied)
        case op.CountWindow() | op.PartitionedWindow():
            return tuple(instants)
        case _:
            assert_never(plan)


def _next_multiple(t: Term, slide: Term) -> Term:
    """The first multiple of the slide that is not before t."""
    return t if slide == ONE else mul(slide, div(add(t, slide, number(-1)), slide))


def _next_landmark(t: Term, start: Term, reset: Term) -> Term:
    """The first landmark after t."""
    return add(start, mul(reset, add(div(sub(t, start), reset), ONE)))
