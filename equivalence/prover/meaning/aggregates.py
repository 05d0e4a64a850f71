"""Aggregates as terms over the multiset of rows that they take in.

COUNT, SUM over ints and COUNT DISTINCT are sums. AVG over ints is SUM by COUNT, rounded. MIN and MAX are folds of the
set of values, and `kernel.facts` knows more about them; MIN_BY(x, y) is MIN of the x where y is MIN(y). DISTINCT is the
same aggregate over the set of values. Everything else of one argument is a fold of the multiset, known by its name; a
fold is of single values, so that for an aggregate of several arguments there is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from equivalence.prover.meaning.expressions import SORTS, ExpressionTerms
from equivalence.prover.meaning.list_elements import NoSuchView
from equivalence.prover.meaning.typed_terms import name_of_type
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


def _parameters(aggregate: agg.Aggregate) -> str:
    """What else tells two aggregates of one class apart."""
    match aggregate:
        case agg.Largest(rank=rank):
            return f" {rank}"
        case agg.Percentile(fraction=fraction, discrete=discrete):
            return f" {'value' if discrete else 'number'} at {fraction}"
        case agg.Bitwise(symbol=symbol):
            return f" {symbol}"
        case agg.Listed(separator=separator, order=order):
            return f" {separator!r} in order {order}"
        case _:
            return ""


class AggregateTerms:
    """Translates aggregates over rows; equal user-defined ones get equal names, others never."""

    def __init__(self, expressions: ExpressionTerms, fresh: Fresh) -> None:
        self._expressions = expressions
        self._fresh = fresh
        self._names: dict[agg.AggregateFunction, str] = {}

    def value(self, aggregate: agg.Aggregate, rows: RowMultiset) -> Term:
        if isinstance(aggregate, agg.CountRows):
            return some(SumTerm(rows.variables, rows.times))
        arguments = [self._argument(argument, rows) for argument in agg.arguments_of(aggregate)]
        return self._of_values(aggregate, arguments, rows)

    def _argument(self, argument: Expression, rows: RowMultiset) -> Term:
        return self._expressions.value(*with_instant(argument, rows.variables, rows.instant))

    def _of_values(self, aggregate: agg.Aggregate, arguments: Sequence[Term], rows: RowMultiset) -> Term:
        """An aggregate whose arguments are these terms over the rows."""
        argument, *others = arguments
        there = mul(indicator(neg(is_null(argument))), rows.times)
        match aggregate:
            case agg.CountRows() | agg.Count():
                return some(SumTerm(rows.variables, there))
            case agg.CountDistinct():
                return some(SumTerm(*self._set(RowMultiset(rows.variables, there), arguments)))
            case agg.ExtremeBy(greatest=greatest):
                return self._extreme_by("max" if greatest else "min", rows, argument, others[0])
            case _ if others:
                name = agg.name_of(aggregate).upper()
                raise NoSuchView(f"{name} of several columns: the prover knows functions of single values")
            case agg.OfDistinct(function=function):
                (value,), once = self._set(rows, [argument])
                return self._of_values(function, [some(value)], RowMultiset((value,), once))
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
                | agg.VarSamp()
                | agg.StddevSamp()
                | agg.Median()
                | agg.Percentile()
                | agg.Mode()
                | agg.Bitwise()
                | agg.Largest()
                | agg.Paired()
                | agg.Listed()
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
        (value,), there = self._set(rows, [argument])
        return Fold(name, value, there, value.sort)

    def _extreme_by(self, name: str, rows: RowMultiset, by: Term, argument: Term) -> Term:
        """The extreme argument of the rows with the extreme key; NULL is less than every value."""
        apart = {variable: self._fresh.var("r", variable.sort) for variable in rows.variables}
        others = RowMultiset(tuple(apart.values()), substitute(rows.times, apart))
        extreme = self._extreme(name, others, substitute(by, apart))
        there = mul(indicator(neg(is_null(by))), rows.times)
        best = mul(indicator(equal(by, some(extreme))), rows.times)
        known = SumTerm(rows.variables, mul(indicator(neg(is_null(argument))), best))
        missing = SumTerm(rows.variables, mul(indicator(is_null(argument)), best))
        none = positive(missing) if name == "min" else neg(positive(known))
        value = some(self._extreme(name, RowMultiset(rows.variables, best), argument))
        return self._unless_none(rows, there, ite(none, null(value.sort), value))

    def _set(self, rows: RowMultiset, arguments: Sequence[Term]) -> tuple[tuple[Var, ...], Term]:
        """1 for every plain value that is there, or for every row of plain values."""
        plain = tuple(self._fresh.var("z", argument.sort.plain) for argument in arguments)
        alike = [indicator(equal(some(value), argument)) for value, argument in zip(plain, arguments, strict=True)]
        return plain, indicator(positive(SumTerm(rows.variables, mul(*alike, rows.times))))

    def _described(self, aggregate: agg.Aggregate) -> str:
        """A name that tells apart what are different functions of a multiset of values."""
        if isinstance(aggregate, agg.UserDefined):
            return self._name(aggregate.function)
        of = "" if aggregate.argument is None else f" of {name_of_type(aggregate.argument.type)}"
        return type(aggregate).__name__ + _parameters(aggregate) + of

    def _name(self, function: agg.AggregateFunction) -> str:
        if function not in self._names:
            alike = sum(known.name == function.name for known in self._names)
            self._names[function] = f"aggregate {function.name}" + (f" {alike + 1}" if alike else "")
        return self._names[function]
