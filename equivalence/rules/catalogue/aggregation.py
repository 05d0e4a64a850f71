"""Grouping and aggregation: what passes through, what one aggregate says of another, and the empty snapshot."""

from typing import Final

from equivalence.rules.idioms import not_true, twins
from equivalence.rules.literature import OURS, TEXTBOOK
from equivalence.rules.statement import Free, Sides, rule
from semantics import (
    Type,
    avg,
    case,
    coalesce,
    col,
    count,
    count_distinct,
    lit,
    max_,
    median,
    min_,
    sum_,
    top,
    var_pop,
)
from semantics.constraint import DuplicateFree, NotNull

INSENSITIVE: Final = ("min", "max", "count_distinct", "largest")
"""Aggregates that do not see duplicates."""


@rule("σ_p(γ_{G;f}(A)) ≐ γ_{G;f}(σ_p(A)), p over G", source=TEXTBOOK)
def filter_through_grouping(free: Free) -> Sides:
    a = free.stream("A")
    groups, f = free.columns("G", a), free.aggregate("f", a)
    p = free.predicate("p", a.select(*groups))
    return a.group_by(*groups).aggregate(x=f).filter(p), a.filter(p).group_by(*groups).aggregate(x=f)


@rule("γ_{G;f}(A) ⋉_θ B ≐ γ_{G;f}(A ⋉_θ B), θ over G and B", source=OURS)
def semijoin_through_grouping(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    groups, f = free.columns("G", a), free.aggregate("f", a)
    on = free.predicate("θ", a.select(*groups), b)
    return a.group_by(*groups).aggregate(x=f).semijoin(b, on), a.semijoin(b, on).group_by(*groups).aggregate(x=f)


@rule("γ_{G;f}(A) ▷_θ B ≐ γ_{G;f}(A ▷_θ B), θ over G and B", source=OURS)
def antijoin_through_grouping(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    groups, f = free.columns("G", a), free.aggregate("f", a)
    on = free.predicate("θ", a.select(*groups), b)
    return a.group_by(*groups).aggregate(x=f).antijoin(b, on), a.antijoin(b, on).group_by(*groups).aggregate(x=f)


@rule("γ_{G;f}(σ_p(A) ∪ σ_{p is not TRUE}(B)) ≐ γ_{G;f}(σ_p(A)) ∪ γ_{G;f}(σ_{p is not TRUE}(B)), p over G", source=OURS)
def grouping_over_disjoint_groups(free: Free) -> Sides:
    a, b = twins(free)
    groups, f = free.columns("G", a), free.aggregate("f", a)
    p = free.predicate("p", a.select(*groups))
    a, b = a.filter(p), b.filter(not_true(p))
    separately = a.group_by(*groups).aggregate(x=f).union(b.group_by(*groups).aggregate(x=f))
    return a.union(b).group_by(*groups).aggregate(x=f), separately


@rule("σ_{m > c}(γ_{G; m=MAX(x)}(A)) ≐ γ_{G; m=MAX(x)}(σ_{x > c}(A))", source=OURS)
def filter_on_a_maximum(free: Free) -> Sides:
    a = free.stream("A")
    groups, x = free.columns("G", a), free.function("x", a, type_=Type.INT)
    c = free.constant("c", Type.INT)
    grouped = a.group_by(*groups).aggregate(m=max_(x))
    return grouped.filter(col("m") > c), a.filter(x > c).group_by(*groups).aggregate(m=max_(x))


@rule("σ_{m < c}(α_{m=MIN(x)}(A)) ≐ α_{m=MIN(x)}(σ_{x < c}(A))", source=OURS)
def filter_on_a_minimum(free: Free) -> Sides:
    a = free.stream("A")
    x, c = free.function("x", a, type_=Type.INT), free.constant("c", Type.INT)
    return a.aggregate(m=min_(x)).filter(col("m") < c), a.filter(x < c).aggregate(m=min_(x))


@rule("γ_{G;f}(A) ≐ γ_{G;f}(δ(A)), f one of MIN, MAX, COUNT DISTINCT", source=TEXTBOOK)
def grouping_that_ignores_duplicates(free: Free) -> Sides:
    a = free.stream("A")
    groups, f = free.columns("G", a), free.aggregate("f", a, among=INSENSITIVE)
    return a.group_by(*groups).aggregate(x=f), a.distinct().group_by(*groups).aggregate(x=f)


@rule("α_f(A ∪ A) ≐ α_f(A), f one of MIN, MAX, COUNT DISTINCT, AVG", source=OURS)
def aggregate_of_everything_twice(free: Free) -> Sides:
    a = free.stream("A")
    f = free.aggregate("f", a, among=(*INSENSITIVE, "avg", "var_pop", "median"))
    return a.union(a).aggregate(x=f), a.aggregate(x=f)


@rule("γ_{G;f}(A) ≐ γ_{G;f}(δ(A))", source=TEXTBOOK)
def aggregate_without_duplicates(free: Free) -> Sides:
    a = free.stream("A")
    groups, f = free.columns("G", a), free.aggregate("f", a)
    free.given(DuplicateFree("A"))
    return a.group_by(*groups).aggregate(x=f), a.distinct().group_by(*groups).aggregate(x=f)


@rule("γ_{G; COUNT(DISTINCT x)}(A) ≐ γ_{G; COUNT(x)}(δ(π_{G,x}(A)))", source=TEXTBOOK)
def count_distinct_as_count(free: Free) -> Sides:
    a = free.stream("A")
    groups, x = free.columns("G", a), free.function("x", a)
    values = a.select(*groups, x=x).distinct()
    return a.group_by(*groups).aggregate(n=count_distinct(x)), values.group_by(*groups).aggregate(n=count("x"))


@rule("α_{COUNT(*)}(A) ≐ α_{SUM(1)}(A)", source=OURS)
def count_as_sum(free: Free) -> Sides:
    a = free.stream("A")
    return a.aggregate(n=count()), a.aggregate(n=sum_(lit(1)))


@rule("total α_{COUNT(x)}(A) ≐ μ_{COALESCE(s, 0)}(total α_{s=SUM(0 or 1)}(A))", source=OURS)
def total_count_as_sum(free: Free) -> Sides:
    a = free.stream("A")
    x = free.function("x", a)
    ones = sum_(case((x.is_null(), 0), default=1))
    by_sum = a.aggregate(on_empty=True, s=ones).select(n=coalesce(col("s"), 0))
    return a.aggregate(on_empty=True, n=count(x)), by_sum


@rule("γ_{G; COUNT(x)}(A) ≐ γ_{G; COUNT(*)}(A)", source=TEXTBOOK)
def count_of_what_is_never_null(free: Free) -> Sides:
    a = free.stream("A")
    groups, x = free.columns("G", a), a.schema.names[0]
    free.given(NotNull("A", (x,)))
    return a.group_by(*groups).aggregate(n=count(x)), a.group_by(*groups).aggregate(n=count())


@rule("γ_{G; SUM(x+y)}(A) ≐ μ_{G, s+t}(γ_{G; s=SUM(x), t=SUM(y)}(A)), over integers", source=OURS)
def sum_of_a_sum(free: Free) -> Sides:
    a = free.stream("A", types=(Type.STR, Type.INT, Type.INT))
    free.given(NotNull("A", ("a2",)))
    free.given(NotNull("A", ("a3",)))
    groups = a.group_by("a1")
    apart = groups.aggregate(s=sum_("a2"), t=sum_("a3")).select("a1", u=col("s") + col("t"))
    return groups.aggregate(u=sum_(col("a2") + col("a3"))), apart


@rule("α_{SUM(c·x)}(A) ≐ μ_{c·s}(α_{s=SUM(x)}(A)), over integers", source=OURS)
def sum_of_multiples(free: Free) -> Sides:
    a = free.stream("A")
    x, c = free.function("x", a, type_=Type.INT), free.constant("c", Type.INT)
    return a.aggregate(s=sum_(c * x)), a.aggregate(s=sum_(x)).select(s=c * col("s"))


@rule("α_{SUM(x+c)}(A) ≐ μ_{s+c·n}(α_{s=SUM(x), n=COUNT(x)}(A)), over integers, c not NULL", source=OURS)
def sum_of_shifted(free: Free) -> Sides:
    a = free.stream("A")
    x, c = free.function("x", a, type_=Type.INT), coalesce(free.constant("c", Type.INT), 0)
    return a.aggregate(s=sum_(x + c)), a.aggregate(s=sum_(x), n=count(x)).select(s=col("s") + c * col("n"))


@rule("α_{MAX(x+c)}(A) ≐ μ_{m+c}(α_{m=MAX(x)}(A)), over integers", source=OURS)
def maximum_of_shifted(free: Free) -> Sides:
    a = free.stream("A")
    x, c = free.function("x", a, type_=Type.INT), free.constant("c", Type.INT)
    return a.aggregate(m=max_(x + c)), a.aggregate(m=max_(x)).select(m=col("m") + c)


@rule("α_{MAX(x)}(A) ≐ μ_{−m}(α_{m=MIN(−x)}(A)), over integers", source=OURS)
def maximum_as_minimum(free: Free) -> Sides:
    a = free.stream("A")
    x = free.function("x", a, type_=Type.INT)
    return a.aggregate(m=max_(x)), a.aggregate(m=min_(-x)).select(m=-col("m"))


@rule("α_{VAR_POP(x+c)}(A) ≐ α_{VAR_POP(x)}(A), over integers, c not NULL", source=OURS)
def variance_of_shifted(free: Free) -> Sides:
    a = free.stream("A")
    x, c = free.function("x", a, type_=Type.INT), coalesce(free.constant("c", Type.INT), 1)
    return a.aggregate(v=var_pop(x + c)), a.aggregate(v=var_pop(x))


@rule("α_{MEDIAN(−x)}(A) ≐ μ_{−m}(α_{m=MEDIAN(x)}(A)), over integers", source=OURS)
def median_of_negated(free: Free) -> Sides:
    a = free.stream("A")
    x = free.function("x", a, type_=Type.INT)
    return a.aggregate(m=median(-x)), a.aggregate(m=median(x)).select(m=-col("m"))


@rule("γ_{G; TOP-1(x)}(A) ≐ γ_{G; MAX(x)}(A)", source=OURS)
def top_one(free: Free) -> Sides:
    a = free.stream("A")
    groups, x = free.columns("G", a), free.function("x", a)
    return a.group_by(*groups).aggregate(m=top(x, 1)), a.group_by(*groups).aggregate(m=max_(x))


@rule("α_f(A) ≐ π_f(σ_{n > 0}(total α_{f, n=COUNT(*)}(A)))", source=OURS)
def aggregation_as_total_aggregation(free: Free) -> Sides:
    a = free.stream("A")
    f = free.aggregate("f", a)
    total = a.aggregate(on_empty=True, x=f, n=count())
    return a.aggregate(x=f), total.filter(col("n") > 0).select("x")


@rule("α_f(A) ≐ π_f(γ_{c;f}(μ_{A,c}(A))): one group for all", source=OURS)
def aggregation_as_grouping(free: Free) -> Sides:
    a = free.stream("A")
    f, c = free.aggregate("f", a), free.constant("c", Type.INT)
    return a.aggregate(x=f), a.select(*a.schema.names, c=c).group_by("c").aggregate(x=f).select("x")


@rule("total α_{COUNT(*)}(σ_p(A)) ≐ total α_{COUNT(1 where p)}(A)", source=OURS)
def conditional_count(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a.filter(p).aggregate(on_empty=True, n=count()), a.aggregate(on_empty=True, n=count(case((p, 1))))


@rule("total α_{AVG(x)}(σ_p(A)) ≐ total α_{AVG(x where p)}(A)", source=OURS)
def conditional_average(free: Free) -> Sides:
    a = free.stream("A")
    p, x = free.predicate("p", a), free.function("x", a, type_=Type.FLOAT)
    return a.filter(p).aggregate(on_empty=True, m=avg(x)), a.aggregate(on_empty=True, m=avg(case((p, x))))


RULES: Final = (
    filter_through_grouping,
    semijoin_through_grouping,
    antijoin_through_grouping,
    grouping_over_disjoint_groups,
    filter_on_a_maximum,
    filter_on_a_minimum,
    grouping_that_ignores_duplicates,
    aggregate_of_everything_twice,
    aggregate_without_duplicates,
    count_distinct_as_count,
    count_as_sum,
    total_count_as_sum,
    count_of_what_is_never_null,
    sum_of_a_sum,
    sum_of_multiples,
    sum_of_shifted,
    maximum_of_shifted,
    maximum_as_minimum,
    variance_of_shifted,
    median_of_negated,
    top_one,
    aggregation_as_total_aggregation,
    aggregation_as_grouping,
    conditional_count,
    conditional_average,
)
