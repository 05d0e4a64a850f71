"""Aggregates computed in two steps: from finer groups, or from the parts of a union."""

from collections.abc import Callable
from typing import Final

from equivalence.rules.idioms import twins
from equivalence.rules.literature import OURS, PARTIAL
from equivalence.rules.statement import Free, Sides, rule
from semantics import ColumnExpression, Query, Type, avg, case, col, count, lit, max_, min_, sum_
from semantics.builder.aggregate_expression import AggregateExpression

Over = Callable[[ColumnExpression], AggregateExpression]
"""An aggregate that waits for what it is over."""


def _regrouped(free: Free, first: Over, second: Over, type_: Type | None) -> Sides:
    """Groups from finer groups, by a second aggregate over the first."""
    a = free.stream("A", types=(Type.INT, Type.STR, Type.INT))
    finer = free.columns("H", a)
    groups, x = free.columns("G", a.select(*finer)), free.function("x", a, type_=type_)
    partial = a.group_by(*finer).aggregate(x=first(x))
    return a.group_by(*groups).aggregate(x=first(x)), partial.group_by(*groups).aggregate(x=second(col("x")))


def _summed_up(free: Free, first: Over, second: Over, type_: Type | None) -> Sides:
    """One result from groups, by a second aggregate over the first."""
    a = free.stream("A")
    groups, x = free.columns("G", a), free.function("x", a, type_=type_)
    return a.aggregate(x=first(x)), a.group_by(*groups).aggregate(x=first(x)).aggregate(x=second(col("x")))


def _of_parts(free: Free, first: Over, second: Over, type_: Type | None) -> Sides:
    """One result from those of two parts, by a second aggregate over the first."""
    a, b = twins(free)
    x = free.function("x", a, type_=type_)
    parts = a.aggregate(x=first(x)).union(b.aggregate(x=first(x)))
    return a.union(b).aggregate(x=first(x)), parts.aggregate(x=second(col("x")))


def _rows(_: ColumnExpression) -> AggregateExpression:
    return count()


@rule("γ_{G; SUM(x)}(A) ≐ γ_{G; SUM(s)}(γ_{H; s=SUM(x)}(A)), G ⊆ H, over integers", source=PARTIAL)
def sum_of_sums(free: Free) -> Sides:
    return _regrouped(free, sum_, sum_, Type.INT)


@rule("γ_{G; COUNT(*)}(A) ≐ γ_{G; SUM(n)}(γ_{H; n=COUNT(*)}(A)), G ⊆ H", source=PARTIAL)
def sum_of_counts_of_rows(free: Free) -> Sides:
    return _regrouped(free, _rows, sum_, None)


@rule("γ_{G; COUNT(x)}(A) ≐ γ_{G; SUM(n)}(γ_{H; n=COUNT(x)}(A)), G ⊆ H", source=PARTIAL)
def sum_of_counts(free: Free) -> Sides:
    return _regrouped(free, count, sum_, None)


@rule("γ_{G; MIN(x)}(A) ≐ γ_{G; MIN(m)}(γ_{H; m=MIN(x)}(A)), G ⊆ H", source=PARTIAL)
def minimum_of_minima(free: Free) -> Sides:
    return _regrouped(free, min_, min_, None)


@rule("γ_{G; MAX(x)}(A) ≐ γ_{G; MAX(m)}(γ_{H; m=MAX(x)}(A)), G ⊆ H", source=PARTIAL)
def maximum_of_maxima(free: Free) -> Sides:
    return _regrouped(free, max_, max_, None)


@rule("α_{SUM(x)}(A) ≐ α_{SUM(s)}(γ_{G; s=SUM(x)}(A)), over integers", source=PARTIAL)
def sum_of_all_groups(free: Free) -> Sides:
    return _summed_up(free, sum_, sum_, Type.INT)


@rule("α_{COUNT(x)}(A) ≐ α_{SUM(n)}(γ_{G; n=COUNT(x)}(A))", source=PARTIAL)
def count_of_all_groups(free: Free) -> Sides:
    return _summed_up(free, count, sum_, None)


@rule("α_{MAX(x)}(A) ≐ α_{MAX(m)}(γ_{G; m=MAX(x)}(A))", source=PARTIAL)
def maximum_of_all_groups(free: Free) -> Sides:
    return _summed_up(free, max_, max_, None)


@rule("α_{SUM(x)}(A ∪ B) ≐ α_{SUM(s)}(α_{s=SUM(x)}(A) ∪ α_{s=SUM(x)}(B)), over integers", source=PARTIAL)
def sum_over_union(free: Free) -> Sides:
    return _of_parts(free, sum_, sum_, Type.INT)


@rule("α_{COUNT(*)}(A ∪ B) ≐ α_{SUM(n)}(α_{n=COUNT(*)}(A) ∪ α_{n=COUNT(*)}(B))", source=PARTIAL)
def count_over_union(free: Free) -> Sides:
    return _of_parts(free, _rows, sum_, None)


@rule("α_{MIN(x)}(A ∪ B) ≐ α_{MIN(m)}(α_{m=MIN(x)}(A) ∪ α_{m=MIN(x)}(B))", source=PARTIAL)
def minimum_over_union(free: Free) -> Sides:
    return _of_parts(free, min_, min_, None)


@rule("total α_{COUNT(x)}(A ∪ B) ≐ α_{SUM(n)}(total α_{n=COUNT(x)}(A) ∪ total α_{n=COUNT(x)}(B))", source=OURS)
def total_count_over_union(free: Free) -> Sides:
    a, b = twins(free)
    x = free.function("x", a)
    parts = a.aggregate(on_empty=True, n=count(x)).union(b.aggregate(on_empty=True, n=count(x)))
    return a.union(b).aggregate(on_empty=True, n=count(x)), parts.aggregate(n=sum_("n"))


@rule("γ_{G; MAX(x)}(A ∪ B) ≐ γ_{G; MAX(m)}(γ_{G; m=MAX(x)}(A) ∪ γ_{G; m=MAX(x)}(B))", source=PARTIAL)
def grouped_maximum_over_union(free: Free) -> Sides:
    a, b = twins(free)
    groups, x = free.columns("G", a), free.function("x", a)
    parts = _grouped(a, groups, max_(x)).union(_grouped(b, groups, max_(x)))
    return _grouped(a.union(b), groups, max_(x)), _grouped(parts, groups, max_("x"))


@rule(
    "γ_{G; SUM(x)}(A ∪ B) ≐ γ_{G; SUM(s)}(A ∪ γ_{G; s=SUM(x)}(B)), over integers: one part aggregated early",
    source=OURS,
)
def grouped_sum_of_a_part(free: Free) -> Sides:
    a, b = (free.stream(name, types=(Type.STR, Type.INT)) for name in "AB")
    left, early = a.rename(a1="g", a2="x"), b.rename(b1="g", b2="x")
    both = left.union(_grouped(early, ("g",), sum_("x")))
    return _grouped(left.union(early), ("g",), sum_("x")), _grouped(both, ("g",), sum_("x"))


@rule("α_{AVG(1 if p else 0)}(A) ≐ μ_{s/n}(α_{s=SUM(1 if p else 0), n=COUNT(*)}(A))", source=PARTIAL)
def share_of_rows(free: Free) -> Sides:
    a = free.stream("A")
    hit = case((free.predicate("p", a), 1), default=0)
    return a.aggregate(m=avg(hit)), a.aggregate(s=sum_(hit), n=count()).select(m=col("s") / col("n"))


@rule("α_{AVG(x)}(A) ≐ μ_{SUM(s)/SUM(n)}(γ_{G; s=SUM(x), n=COUNT(x)}(A)), x an integer of few digits", source=PARTIAL)
def average_from_groups(free: Free) -> Sides:
    a = free.stream("A")
    groups, x = free.columns("G", a), free.function("x", a, type_=Type.INT) % lit(1000)
    partial = a.group_by(*groups).aggregate(s=sum_(x), n=count(x))
    return a.aggregate(m=avg(x)), partial.aggregate(s=sum_("s"), n=sum_("n")).select(m=col("s") / col("n"))


def _grouped(query: Query, groups: tuple[str, ...], aggregate: AggregateExpression) -> Query:
    return query.group_by(*groups).aggregate(x=aggregate)


RULES: Final = (
    sum_of_sums,
    sum_of_counts_of_rows,
    sum_of_counts,
    minimum_of_minima,
    maximum_of_maxima,
    sum_of_all_groups,
    count_of_all_groups,
    maximum_of_all_groups,
    sum_over_union,
    count_over_union,
    minimum_over_union,
    total_count_over_union,
    grouped_maximum_over_union,
    grouped_sum_of_a_part,
    share_of_rows,
    average_from_groups,
)
