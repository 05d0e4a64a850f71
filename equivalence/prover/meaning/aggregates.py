"""Aggregates as terms over the multiset of rows that they take in.

COUNT, SUM over ints and COUNT DISTINCT are sums. AVG over ints is SUM by COUNT, rounded. MIN and MAX are folds of the
set of values, and `kernel.facts` knows more about them. Everything else is a fold of the multiset, known by its name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from equivalence.prover.meaning.expressions import SORTS, ExpressionTerms
from equivalence.prover.terms.build import (
    call,
    equal,
    get,
    indicator,
    is_null,
    ite,
    mul,
    neg,
    null,
    positive,
    ratio,
    some,
)
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import Fold, Fresh, SmtSort, SumTerm, Symbol, Term, Var
from semantics import Expression, Type
from semantics import aggregate as agg
from semantics.expression import mentions_now
from semantics.now_in_expressions import now_as_column

_ROUNDED: Final = Symbol("rounded", (SmtSort.REAL,), SmtSort.REAL)


@dataclass(frozen=True, slots=True)
class FreeAggregate(agg.AggregateFunction):
    """Any function of the multiset of its arguments: it sees NULLs, and has some value for the empty multiset too."""


@dataclass(frozen=True)
class RowMultiset:
    """A multiset of rows: how often a row of these variables is in it."""

    variables: tuple[Var, ...]
    times: Term
    instant: Term | None = None
    """Of the snapshot, for arguments that ask for now."""

    @property
    def nonempty(self) -> Term:
        return positive(SumTerm(self.variables, self.times))


def with_instant(
    expression: Expression, row: Sequence[Term], instant: Term | None
) -> tuple[Expression, tuple[Term, ...]]:
    """An expression and its row; if it asks for now, with the instant as one more column."""
    if instant is None or not mentions_now(expression):
        return expression, tuple(row)
    return now_as_column(expression, len(row)), (*row, some(instant))


class AggregateTerms:
    """Translates aggregates over rows; equal user-defined ones get equal names, others never."""

    def __init__(self, expressions: ExpressionTerms, fresh: Fresh) -> None:
        self._expressions = expressions
        self._fresh = fresh
        self._names: dict[agg.AggregateFunction, str] = {}

    def value(self, aggregate: agg.Aggregate, rows: RowMultiset) -> Term:
        if isinstance(aggregate, agg.CountRows):
            return some(SumTerm(rows.variables, rows.times))
        argument = self._expressions.value(*with_instant(aggregate.argument, rows.variables, rows.instant))
        there = mul(indicator(neg(is_null(argument))), rows.times)
        match aggregate:
            case agg.Count():
                return some(SumTerm(rows.variables, there))
            case agg.CountDistinct():
                return some(SumTerm(*self._set(RowMultiset(rows.variables, there), argument)))
            case agg.Sum() if aggregate.type is Type.INT:
                return self._unless_none(rows, there, some(self._total(rows, there, argument)))
            case agg.Avg() if aggregate.argument.type is Type.INT:
                total, count = self._total(rows, there, argument), SumTerm(rows.variables, there)
                return self._unless_none(rows, there, some(call(_ROUNDED, ratio(total, count))))
            case agg.Min() | agg.Max() | agg.Largest(rank=1):
                name = "min" if isinstance(aggregate, agg.Min) else "max"
                return self._unless_none(
                    rows, there, some(self._extreme(name, RowMultiset(rows.variables, there), argument))
                )
            case agg.UserDefined(function=FreeAggregate() as function):
                return self._fold(self._name(function), rows, argument, SORTS[aggregate.type])
            case (
                agg.Sum()
                | agg.Avg()
                | agg.VarPop()
                | agg.StddevPop()
                | agg.Median()
                | agg.Largest()
                | agg.UserDefined()
            ):
                fold = self._fold(
                    self._described(aggregate), RowMultiset(rows.variables, there), argument, SORTS[aggregate.type]
                )
                return self._unless_none(rows, there, fold)
            case _:
                assert_never(aggregate)

    def _total(self, rows: RowMultiset, there: Term, argument: Term) -> Term:
        return SumTerm(rows.variables, mul(there, get(argument)))

    def _unless_none(self, rows: RowMultiset, there: Term, value: Term) -> Term:
        """NULL where no argument is other than NULL."""
        return ite(positive(SumTerm(rows.variables, there)), value, null(value.sort))

    def _values(self, rows: RowMultiset, argument: Term) -> tuple[Var, Term]:
        """How often a value of the argument is there."""
        value = self._fresh.var("z", argument.sort)
        return value, SumTerm(rows.variables, mul(indicator(equal(value, argument)), rows.times))

    def _fold(self, name: str, rows: RowMultiset, argument: Term, sort: SmtSort) -> Term:
        return Fold(name, *self._values(rows, argument), sort)

    def _extreme(self, name: str, rows: RowMultiset, argument: Term) -> Term:
        """The fold of the set of values; used only where the set is not empty."""
        (value,), there = self._set(rows, argument)
        return Fold(name, value, there, value.sort)

    def _set(self, rows: RowMultiset, argument: Term) -> tuple[tuple[Var], Term]:
        """1 for every plain value that is there."""
        value, times = self._values(rows, argument)
        plain = self._fresh.var("z", argument.sort.plain)
        return (plain,), indicator(positive(substitute(times, {value: some(plain)})))

    def _described(self, aggregate: agg.Aggregate) -> str:
        """A name that tells apart what are different functions of a multiset of values."""
        if isinstance(aggregate, agg.UserDefined):
            return self._name(aggregate.function)
        rank = f" {aggregate.rank}" if isinstance(aggregate, agg.Largest) else ""
        of = "" if aggregate.argument is None else f" of {aggregate.argument.type.name}"
        return type(aggregate).__name__ + rank + of

    def _name(self, function: agg.AggregateFunction) -> str:
        if function not in self._names:
            alike = sum(known.name == function.name for known in self._names)
            self._names[function] = f"aggregate {function.name}" + (f" {alike + 1}" if alike else "")
        return self._names[function]
