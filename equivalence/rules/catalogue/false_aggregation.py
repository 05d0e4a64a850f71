"""Tempting, and false: aggregates that forget NULL, duplicates, rounding or the empty snapshot."""

from typing import Final

from equivalence.rules.catalogue.eager import MATCH
from equivalence.rules.idioms import pair, twins
from equivalence.rules.literature import COUNT_BUG, OURS
from equivalence.rules.statement import Free, Sides, rule
from semantics import Query, Type, avg, case, coalesce, col, count, count_distinct, lit, max_, median, min_, sum_


def _measured(free: Free, type_: Type = Type.INT) -> Query:
    """A stream with groups a1 and values a2."""
    return free.stream("A", types=(Type.INT, type_))


@rule("total α_{COUNT(*)}(A) ≐ total α_{SUM(1)}(A)", source=OURS, valid=False)
def total_count_as_plain_sum(free: Free) -> Sides:
    a = free.stream("A")
    return a.aggregate(on_empty=True, n=count()), a.aggregate(on_empty=True, n=sum_(lit(1)))


@rule("α_{COUNT(*)}(σ_p(A)) ≐ α_{COUNT(1 where p)}(A)", source=OURS, valid=False)
def conditional_count_without_rows(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a.filter(p).aggregate(n=count()), a.aggregate(n=count(case((p, 1))))


@rule("α_{COUNT(*)}(A ∪ B) ≐ α_{SUM(n)}(total α_{n=COUNT(*)}(A) ∪ total α_{n=COUNT(*)}(B))", source=OURS, valid=False)
def count_over_union_from_totals(free: Free) -> Sides:
    a, b = twins(free)
    parts = a.aggregate(on_empty=True, n=count()).union(b.aggregate(on_empty=True, n=count()))
    return a.union(b).aggregate(n=count()), parts.aggregate(n=sum_("n"))


@rule("σ_{m > c}(total α_{m=MAX(x)}(A)) ≐ total α_{m=MAX(x)}(σ_{x > c}(A))", source=OURS, valid=False)
def filter_on_a_total_maximum(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    c = free.constant("c", Type.INT)
    late = a.aggregate(on_empty=True, m=max_("a1")).filter(col("m") > c)
    return late, a.filter(col("a1") > c).aggregate(on_empty=True, m=max_("a1"))


@rule("σ_{m < c}(γ_{G; m=MAX(x)}(A)) ≐ γ_{G; m=MAX(x)}(σ_{x < c}(A))", source=OURS, valid=False)
def filter_on_a_maximum_from_above(free: Free) -> Sides:
    a, c = _measured(free), free.constant("c", Type.INT)
    late = a.group_by("a1").aggregate(m=max_("a2")).filter(col("m") < c)
    return late, a.filter(col("a2") < c).group_by("a1").aggregate(m=max_("a2"))


@rule("α_{AVG(x)}(A) ≐ α_{AVG(m)}(γ_{G; m=AVG(x)}(A)), x a digit", source=OURS, valid=False)
def average_of_averages(free: Free) -> Sides:
    a, x = _measured(free), col("a2") % 10
    return a.aggregate(m=avg(x)), a.group_by("a1").aggregate(m=avg(x)).aggregate(m=avg("m"))


@rule("α_{MEDIAN(x)}(A) ≐ α_{MEDIAN(m)}(γ_{G; m=MEDIAN(x)}(A)), x a digit", source=OURS, valid=False)
def median_of_medians(free: Free) -> Sides:
    a, x = _measured(free), col("a2") % 10
    return a.aggregate(m=median(x)), a.group_by("a1").aggregate(m=median(x)).aggregate(m=median("m"))


@rule("α_{COUNT(*)}(A) ≐ α_{COUNT(n)}(γ_{G; n=COUNT(*)}(A))", source=OURS, valid=False)
def count_of_counts(free: Free) -> Sides:
    a = _measured(free)
    return a.aggregate(n=count()), a.group_by("a1").aggregate(n=count()).aggregate(n=count("n"))


@rule("α_{COUNT(DISTINCT x)}(A) ≐ α_{SUM(n)}(γ_{G; n=COUNT(DISTINCT x)}(A))", source=OURS, valid=False)
def distinct_counts_add_up(free: Free) -> Sides:
    a = _measured(free)
    partial = a.group_by("a1").aggregate(n=count_distinct("a2"))
    return a.aggregate(n=count_distinct("a2")), partial.aggregate(n=sum_("n"))


@rule("α_{SUM(x)}(A) ≐ α_{SUM(s)}(γ_{G; s=SUM(x)}(A)), over floats", source=OURS, valid=False)
def sum_of_rounded_sums(free: Free) -> Sides:
    a = _measured(free, Type.FLOAT)
    return a.aggregate(s=sum_("a2")), a.group_by("a1").aggregate(s=sum_("a2")).aggregate(s=sum_("s"))


@rule("α_{AVG(x)}(A) ≐ μ_{s/n}(α_{s=SUM(x), n=COUNT(x)}(A)), over integers", source=OURS, valid=False)
def average_as_quotient_of_integers(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    return a.aggregate(m=avg("a1")), a.aggregate(s=sum_("a1"), n=count("a1")).select(m=col("s") / col("n"))


@rule("α_{AVG(x)}(A) ≐ μ_{s/n}(α_{s=SUM(x), n=COUNT(x)}(A)), over floats", source=OURS, valid=False)
def average_as_quotient_of_floats(free: Free) -> Sides:
    a = free.stream("A", types=(Type.FLOAT,))
    return a.aggregate(m=avg("a1")), a.aggregate(s=sum_("a1"), n=count("a1")).select(m=col("s") / col("n"))


@rule("α_{AVG(x)}(A) ≐ μ_{s/n}(α_{s=SUM(x), n=COUNT(*)}(A))", source=OURS, valid=False)
def average_over_all_rows(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    return a.aggregate(m=avg("a1")), a.aggregate(s=sum_("a1"), n=count()).select(m=col("s") / col("n"))


@rule("α_{SUM(x)}(A) ≐ α_{SUM(x)}(δ(A))", source=OURS, valid=False)
def sum_without_duplicates(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    return a.aggregate(s=sum_("a1")), a.distinct().aggregate(s=sum_("a1"))


@rule("α_{SUM(x+c)}(A) ≐ μ_{s+c}(α_{s=SUM(x)}(A))", source=OURS, valid=False)
def sum_shifted_once(free: Free) -> Sides:
    a, c = free.stream("A", types=(Type.INT,)), free.constant("c", Type.INT)
    return a.aggregate(s=sum_(col("a1") + c)), a.aggregate(s=sum_("a1")).select(s=col("s") + c)


@rule("α_{MAX(c·x)}(A) ≐ μ_{c·m}(α_{m=MAX(x)}(A))", source=OURS, valid=False)
def maximum_of_multiples(free: Free) -> Sides:
    a, c = free.stream("A", types=(Type.INT,)), free.constant("c", Type.INT)
    return a.aggregate(m=max_(c * col("a1"))), a.aggregate(m=max_("a1")).select(m=c * col("m"))


@rule("α_{MAX(x)}(A) ≐ μ_{−m}(α_{m=MIN(−x)}(A)), over floats", source=OURS, valid=False)
def maximum_of_floats_as_minimum(free: Free) -> Sides:
    a = free.stream("A", types=(Type.FLOAT,))
    return a.aggregate(m=max_("a1")), a.aggregate(m=min_(-col("a1"))).select(m=-col("m"))


@rule("α_{MAX(x)}(A ∪ B) ≐ α_{MAX(x)}(A) ∪ α_{MAX(x)}(B)", source=OURS, valid=False)
def aggregation_through_union(free: Free) -> Sides:
    a, b = twins(free)
    x = free.function("x", a)
    return a.union(b).aggregate(m=max_(x)), a.aggregate(m=max_(x)).union(b.aggregate(m=max_(x)))


@rule("α_{COUNT(*)}(A − B) ≐ μ_{n−m}(α_{n=COUNT(*)}(A) × total α_{m=COUNT(*)}(B))", source=OURS, valid=False)
def count_of_a_difference(free: Free) -> Sides:
    a, b = twins(free)
    counts = a.aggregate(n=count()).product(b.aggregate(on_empty=True, m=count()))
    return a.difference(b).aggregate(n=count()), counts.select(n=col("n") - col("m"))


@rule("γ_{x; SUM(p)}(A ⋈_θ B) ≐ γ_{x; SUM(p)}(A ⋉_θ B)", source=OURS, valid=False)
def sum_over_join_as_semijoin(free: Free) -> Sides:
    a, b, on = pair(free)
    x = free.function("x", a, type_=Type.INT)
    return a.join(b, on).aggregate(s=sum_(x)), a.semijoin(b, on).aggregate(s=sum_(x))


@rule(
    "γ_{x; COUNT(*)}(A ⟕_{x=y} B) ≐ μ_{x, COALESCE(n, 0)}(δ(A) ⟕_{x=y} γ_{y; n=COUNT(*)}(B))",
    source=COUNT_BUG,
    valid=False,
)
def count_bug(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT,))
    counted = b.group_by("b1").aggregate(n=count())
    late = a.left_join(b, MATCH).group_by("a1").aggregate(n=count())
    return late, a.distinct().left_join(counted, MATCH).select("a1", n=coalesce(col("n"), 0))


@rule("π_A(A ⋈_{x=g} γ_{g=x; COUNT(*)}(A)) ≐ A: every row finds its group", source=OURS, valid=False)
def every_row_finds_its_group_by_equality(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    groups = a.group_by("a1").aggregate(n=count()).rename(a1="g")
    return a.join(groups, col("a1") == col("g")).select("a1"), a


FALSE: Final = (
    total_count_as_plain_sum,
    conditional_count_without_rows,
    count_over_union_from_totals,
    filter_on_a_total_maximum,
    filter_on_a_maximum_from_above,
    average_of_averages,
    median_of_medians,
    count_of_counts,
    distinct_counts_add_up,
    sum_of_rounded_sums,
    average_as_quotient_of_integers,
    average_as_quotient_of_floats,
    average_over_all_rows,
    sum_without_duplicates,
    sum_shifted_once,
    maximum_of_multiples,
    maximum_of_floats_as_minimum,
    aggregation_through_union,
    count_of_a_difference,
    sum_over_join_as_semijoin,
    count_bug,
    every_row_finds_its_group_by_equality,
)
