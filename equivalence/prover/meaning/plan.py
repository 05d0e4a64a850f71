"""What a plan means as a term: how often a row is in its output at an instant.

Soundness rests on this translation. It follows the table of operators in `semantics.algebra`, operator by operator.
"""

from collections.abc import Sequence
from typing import assert_never

from equivalence.prover.meaning.aggregates import AggregateTerms, RowMultiset, with_instant
from equivalence.prover.meaning.expressions import SORTS, ExpressionTerms
from equivalence.prover.meaning.nested_limits import below, merged
from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.meaning.over import GroupInTimeOrder, OverTerms
from equivalence.prover.meaning.ranks import in_order_before, peers, precedes
from equivalence.prover.meaning.sessions import in_session
from equivalence.prover.meaning.sources import SourceTerms
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    at_most,
    call,
    conj,
    disj,
    equal,
    exists,
    indicator,
    is_null,
    least,
    less,
    mod,
    monus,
    mul,
    neg,
    positive,
    sub,
)
from equivalence.prover.terms.term import Fresh, SmtSort, SumTerm, Symbol, Term, Var
from semantics import FOREVER, Expression, Plan, Schema
from semantics import plan as op
from semantics.aggregate import Aggregate

RowTerms = tuple[Term, ...]


class Translation:
    """Translates plans; equal names in two plans mean equal things."""

    def __init__(self, fresh: Fresh, known: SourceTerms) -> None:
        self._fresh = fresh
        self._known = known
        self.expressions = ExpressionTerms()
        self._aggregates = AggregateTerms(self.expressions, fresh)

    def times(self, plan: Plan, row: RowTerms, time: Term) -> Term:
        """How often the row is in the plan's output at this instant."""
        match plan:
            case op.Source(name=name):
                return self._known.times(name, row, time)
            case op.Filter(input=input, predicate=predicate):
                return mul(self._holds(predicate, row, time), self.times(input, row, time))
            case op.Map(input=input, expressions=expressions):
                return self._mapped(input, expressions, row, time)
            case op.Unnest():
                return self._unnested(plan, row, time)
            case op.Distinct(input=input):
                return indicator(positive(self.times(input, row, time)))
            case op.Aggregation():
                return self._aggregation(plan, row, time)
            case op.Grouping():
                return self._grouping(plan, row, time)
            case op.Limit():
                return self._limited(plan, row, time)
            case op.Union(left=left, right=right):
                return add(self.times(left, row, time), self.times(right, row, time))
            case op.Difference(left=left, right=right):
                return monus(self.times(left, row, time), self.times(right, row, time))
            case op.Intersection(left=left, right=right):
                return least(self.times(left, row, time), self.times(right, row, time))
            case op.Product(left=left, right=right):
                return self._product(left, right, row, time)
            case op.Join():
                return self._joined(plan, row, time)
            case op.LeftJoin():
                return add(self._joined(plan, row, time), self._left_alone(plan, row, time))
            case op.RightJoin():
                return add(self._joined(plan, row, time), self._right_alone(plan, row, time))
            case op.FullJoin():
                alone = self._left_alone(plan, row, time), self._right_alone(plan, row, time)
                return add(self._joined(plan, row, time), *alone)
            case op.Semijoin(left=left, right=right, condition=condition):
                return mul(indicator(self._partner(condition, row, right, time)), self.times(left, row, time))
            case op.Antijoin(left=left, right=right, condition=condition):
                return mul(indicator(neg(self._partner(condition, row, right, time))), self.times(left, row, time))
            case op.TimeWindow():
                return self._time_window(plan, row, time)
            case op.CountWindow(input=input):
                return self._rows_window(plan, (), row, time)
            case op.PartitionedWindow(keys=keys):
                return self._rows_window(plan, keys, row, time)
            case op.LandmarkWindow():
                return self._landmark_window(plan, row, time)
            case op.SessionWindow():
                return self._session(plan, row, time)
            case op.Over():
                return self._over(plan, row, time)
            case op.Istream(input=input):
                return monus(self.times(input, row, time), self._before(input, row, time))
            case op.Dstream(input=input):
                return monus(self._before(input, row, time), self.times(input, row, time))
            case op.Rstream(input=input):
                return self.times(input, row, time)
            case _:
                assert_never(plan)

    def row(self, schema: Schema, hint: str = "x") -> tuple[Var, ...]:
        """A variable for each column."""
        return tuple(self._fresh.var(hint, SORTS[type_]) for type_ in schema.types)

    def _holds(self, predicate: Expression, row: RowTerms, time: Term) -> Term:
        return indicator(self._true(predicate, row, time))

    def _true(self, predicate: Expression, row: RowTerms, time: Term) -> Term:
        """Is the predicate TRUE for the row, if it is in a snapshot of this instant?"""
        return self.expressions.truth(*with_instant(predicate, row, time)).true

    def _mapped(self, input: Plan, expressions: Sequence[Expression], row: RowTerms, time: Term) -> Term:
        """Σ over the rows that are mapped to this one."""
        before = self.row(input.schema)
        images = [self.expressions.value(*with_instant(expression, before, time)) for expression in expressions]
        hit = conj(*(equal(value, image) for value, image in zip(row, images, strict=True)))
        return SumTerm(before, mul(indicator(hit), self.times(input, before, time)))

    def _unnested(self, plan: op.Unnest, row: RowTerms, time: Term) -> Term:
        """How often the element is in the array of its row is a free function, but for NULL, in which nothing is."""
        width, type_ = len(plan.input.schema), plan.array.type
        before, behind = row[:width], row[width:]
        array = self.expressions.value(*with_instant(plan.array, before, time))
        kind = "numbered" if plan.numbered else "counted"
        sorts = (array.sort, *(part.sort for part in behind))
        found = call(Symbol(f"{kind} in {type_.value}", sorts, SmtSort.INT), array, *behind)
        copies = mul(indicator(neg(is_null(array))), monus(found, ZERO))
        if plan.outer:
            known = call(Symbol(f"nothing in {type_.value}", (array.sort,), SmtSort.BOOL), array)
            nothing = disj(is_null(array), known)
            alone = indicator(conj(nothing, *map(is_null, behind)))
            copies = add(mul(indicator(neg(nothing)), copies), alone)
        return mul(copies, self.times(plan.input, before, time))

    # Joins

    def _product(self, left: Plan, right: Plan, row: RowTerms, time: Term) -> Term:
        width = len(left.schema)
        return mul(self.times(left, row[:width], time), self.times(right, row[width:], time))

    def _joined(self, plan: op.Join | op.LeftJoin | op.RightJoin | op.FullJoin, row: RowTerms, time: Term) -> Term:
        return mul(self._holds(plan.condition, row, time), self._product(plan.left, plan.right, row, time))

    def _partner(self, condition: Expression, row: RowTerms, right: Plan, time: Term) -> Term:
        """Is there a row on the right for which the condition is TRUE?"""
        other = self.row(right.schema, "y")
        holds = self._true(condition, (*row, *other), time)
        return exists(other, conj(holds, positive(self.times(right, other, time))))

    def _left_alone(self, plan: op.LeftJoin | op.FullJoin, row: RowTerms, time: Term) -> Term:
        """The left rows without a partner, before NULLs."""
        width = len(plan.left.schema)
        alone = neg(self._partner(plan.condition, row[:width], plan.right, time))
        padded = conj(*map(is_null, row[width:]))
        return mul(indicator(conj(padded, alone)), self.times(plan.left, row[:width], time))

    def _right_alone(self, plan: op.RightJoin | op.FullJoin, row: RowTerms, time: Term) -> Term:
        """The right rows without a partner, after NULLs."""
        width = len(plan.left.schema)
        other = self.row(plan.left.schema, "y")
        holds = self._true(plan.condition, (*other, *row[width:]), time)
        partner = exists(other, conj(holds, positive(self.times(plan.left, other, time))))
        padded = conj(*map(is_null, row[:width]))
        return mul(indicator(conj(padded, neg(partner))), self.times(plan.right, row[width:], time))

    # Aggregation

    def _aggregation(self, plan: op.Aggregation, row: RowTerms, time: Term) -> Term:
        """One row, if there is something to aggregate, or in any case."""
        rows = self._group(plan.input, (), (), time)
        there = ONE if plan.on_empty else indicator(rows.nonempty)
        return mul(there, self._values(plan.aggregates, row, plan.input, (), (), time))

    def _grouping(self, plan: op.Grouping, row: RowTerms, time: Term) -> Term:
        """One row for each group that has a member."""
        key, rest = row[: len(plan.keys)], row[len(plan.keys) :]
        there = indicator(self._group(plan.input, plan.keys, key, time).nonempty)
        return mul(there, self._values(plan.aggregates, rest, plan.input, plan.keys, key, time))

    def _group(self, input: Plan, keys: Sequence[int], key: RowTerms, time: Term) -> RowMultiset:
        """The rows of the input that have these values in the key columns."""
        member = self.row(input.schema)
        same = conj(*(equal(member[k], value) for k, value in zip(keys, key, strict=True)))
        return RowMultiset(member, mul(indicator(same), self.times(input, member, time)), time)

    def _values(
        self,
        aggregates: Sequence[Aggregate],
        row: RowTerms,
        input: Plan,
        keys: Sequence[int],
        key: RowTerms,
        time: Term,
    ) -> Term:
        """Does the row hold the values of the aggregates over this group?"""
        pairs = zip(row, aggregates, strict=True)
        return indicator(
            conj(*(equal(value, self._aggregates.value(a, self._group(input, keys, key, time))) for value, a in pairs))
        )

    def _limited(self, plan: op.Limit, row: RowTerms, time: Term) -> Term:
        """The copies of a row whose places are kept; without a count they are all that are not skipped."""
        plan = merged(plan)
        inner = below(plan, plan.input) if isinstance(plan.input, op.Map) else None
        if inner is not None and isinstance(plan.input, op.Map):
            return self._mapped(inner, plan.input.expressions, row, time)
        here, place = self.times(plan.input, row, time), self._place(plan, row, time)
        first, stop = integer(plan.offset), None if plan.count is None else integer(plan.offset + plan.count)
        if plan.ranking != "rows":
            kept = [at_most(first, place), *([] if stop is None else [less(place, stop)])]
            return mul(indicator(conj(*kept)), here)
        end = add(place, here) if stop is None else least(add(place, here), stop)
        return monus(end, add(first, monus(place, first)))

    def _place(self, plan: op.Limit, row: RowTerms, time: Term) -> Term:
        """How many rows of its group are before a row, or how many different sort keys."""
        rows = self._group(plan.input, plan.keys, tuple(row[k] for k in plan.keys), time)
        ahead = in_order_before(plan.order, rows.variables, row)
        if plan.ranking == "rows":
            tie = conj(peers(plan.order, rows.variables, row), precedes(rows.variables, row))
            return SumTerm(rows.variables, mul(indicator(disj(ahead, tie)), rows.times))
        if plan.ranking == "rank":
            return SumTerm(rows.variables, mul(indicator(ahead), rows.times))
        sorted_by = {key.column for key in plan.order}
        others = tuple(v for i, v in enumerate(rows.variables) if i not in sorted_by)
        values = tuple(v for i, v in enumerate(rows.variables) if i in sorted_by)
        return SumTerm(values, mul(indicator(ahead), indicator(exists(others, positive(rows.times)))))

    # Windows

    def _time_window(self, plan: op.TimeWindow, row: RowTerms, time: Term) -> Term:
        """Σ over the instants from max(b − w + 1, 0) to the last boundary b."""
        boundary = sub(time, mod(time, integer(plan.slide)))
        u = self._fresh.var("u", SmtSort.INT)
        inside = [at_most(ZERO, u), at_most(u, boundary)]
        if plan.size != FOREVER:
            inside.append(less(sub(boundary, integer(plan.size)), u))
        return SumTerm((u,), mul(indicator(conj(*inside)), self.times(plan.input, row, u)))

    def _landmark_window(self, plan: op.LandmarkWindow, row: RowTerms, time: Term) -> Term:
        """Σ over the instants since the last landmark; nothing before the first."""
        start = integer(plan.start)
        first = start if plan.reset is None else sub(time, mod(sub(time, start), integer(plan.reset)))
        u = self._fresh.var("u", SmtSort.INT)
        inside = conj(at_most(start, time), at_most(first, u), at_most(u, time))
        return SumTerm((u,), mul(indicator(inside), self.times(plan.input, row, u)))

    def _rows_window(
        self, plan: op.CountWindow | op.PartitionedWindow, keys: Sequence[int], row: RowTerms, time: Term
    ) -> Term:
        """Σ over the instants of the occurrences of the row then that are among the last."""
        u = self._fresh.var("u", SmtSort.INT)
        past = indicator(conj(at_most(ZERO, u), at_most(u, time)))
        if plan.ties:
            kept = mul(
                indicator(less(self._later(plan, keys, row, u, time), integer(plan.rows))), self._at(plan, row, u)
            )
        elif integer(plan.slide) == ONE:
            kept = self._kept(plan, keys, row, u, time)
        else:
            kept = self._kept_with_slide(plan, keys, row, u, time)
        return SumTerm((u,), mul(past, kept))

    def _kept(
        self, plan: op.CountWindow | op.PartitionedWindow, keys: Sequence[int], row: RowTerms, u: Term, time: Term
    ) -> Term:
        """Of equal rows of one instant those stay for which there is room after all that come later."""
        later = add(self._later(plan, keys, row, u, time), self._larger(plan, keys, row, u))
        return least(self._at(plan, row, u), monus(integer(plan.rows), later))

    def _kept_with_slide(
        self, plan: op.CountWindow | op.PartitionedWindow, keys: Sequence[int], row: RowTerms, u: Term, time: Term
    ) -> Term:
        """Occurrences are numbered from the end; the window starts where the last full slide ends."""
        later = add(self._later(plan, keys, row, u, time), self._larger(plan, keys, row, u))
        skipped = mod(self._count(plan, keys, row, ZERO, time), integer(plan.slide))
        here = self._at(plan, row, u)
        unseen = monus(skipped, later)
        return least(monus(here, unseen), monus(add(skipped, integer(plan.rows)), add(later, unseen)))

    def _at(self, plan: op.CountWindow | op.PartitionedWindow, row: RowTerms, u: Term) -> Term:
        return self.times(plan.input, row, u)

    def _later(
        self, plan: op.CountWindow | op.PartitionedWindow, keys: Sequence[int], row: RowTerms, u: Term, time: Term
    ) -> Term:
        """How many occurrences of the row's partition come at later instants."""
        return self._count(plan, keys, row, add(u, ONE), time)

    def _count(
        self, plan: op.CountWindow | op.PartitionedWindow, keys: Sequence[int], row: RowTerms, first: Term, last: Term
    ) -> Term:
        """How many occurrences of the row's partition there are from the first to the last instant."""
        v = self._fresh.var("u", SmtSort.INT)
        inside = indicator(conj(at_most(first, v), at_most(v, last)))
        rows = self._group(plan.input, keys, tuple(row[k] for k in keys), v)
        return SumTerm((v, *rows.variables), mul(inside, rows.times))

    def _larger(self, plan: op.CountWindow | op.PartitionedWindow, keys: Sequence[int], row: RowTerms, u: Term) -> Term:
        """How many occurrences of the row's partition at this instant are larger in the order of rows."""
        rows = self._group(plan.input, keys, tuple(row[k] for k in keys), u)
        return SumTerm(rows.variables, mul(indicator(precedes(row, rows.variables)), rows.times))

    def _session(self, plan: op.SessionWindow, row: RowTerms, time: Term) -> Term:
        *values, start, end = row
        key = tuple(values[k] for k in plan.keys)
        return in_session(
            plan,
            (start, end),
            time,
            lambda u: self.times(plan.input, tuple(values), u),
            lambda u: self._group(plan.input, plan.keys, key, u).nonempty,
            self._fresh,
        )

    def _over(self, plan: op.Over, row: RowTerms, time: Term) -> Term:
        width = len(plan.input.schema)
        values, made = row[:width], row[width:]
        key = tuple(values[k] for k in plan.keys)
        group = GroupInTimeOrder(lambda u: self._group(plan.input, plan.keys, key, u), plan.order, self._fresh)
        here = self.times(plan.input, values, time)
        return OverTerms(values, time, here, group, self.expressions, self._aggregates).held(plan.functions, made)

    def _before(self, input: Plan, row: RowTerms, time: Term) -> Term:
        """How often the row was there an instant ago; before time 0 nothing was."""
        return mul(indicator(at_most(ONE, time)), self.times(input, row, sub(time, ONE)))
