"""Aggregation before a join instead of after it."""

from typing import Final

from equivalence.rules.catalogue.aggregation import INSENSITIVE
from equivalence.rules.idioms import pair
from equivalence.rules.literature import COUNT_BUG, EAGER, OURS, paper
from equivalence.rules.statement import Free, Sides, rule
from semantics import Query, Type, coalesce, col, count, lit, max_, sum_
from semantics.constraint import Key

MATCH: Final = col("a1") == col("b1")


def _keyed(free: Free) -> tuple[Query, Query]:
    """A(item, price) and B(item, seller), to be joined on the item."""
    return free.stream("A", types=(Type.INT, Type.INT)), free.stream("B", types=(Type.INT, Type.INT))


@rule("γ_{x,s;f}(A ⋈_{x=y} B(y,s)) ≐ π_{x,s,f}(γ_{x;f}(A) ⋈_{x=y} B), f over A", source=paper("Example 10"))
def grouping_below_join(free: Free) -> Sides:
    a, b = _keyed(free)
    f = free.aggregate("f", a)
    free.given(Key("B", ("b1",)))
    late = a.join(b, MATCH).group_by("a1", "b2").aggregate(m=f)
    return late, a.group_by("a1").aggregate(m=f).join(b, MATCH).select("a1", "b2", "m")


@rule(
    "γ_{x,s; MAX(p)}((A ⋈_{x=y} B) ⋈_{x=z} C(z,s)) ≐ π_{x,s,m}((γ_{x; m=MAX(p)}(A) ⋈_{x=y} B) ⋈_{x=z} C)",
    source=paper("Example 10 (Figure 9)"),
)
def closing_price(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT, Type.INT)), free.stream("B", types=(Type.INT,))
    c = free.stream("C", types=(Type.INT, Type.INT))
    free.given(Key("B", ("b1",)))
    free.given(Key("C", ("c1",)))
    opened = col("a1") == col("c1")
    late = a.join(b, MATCH).join(c, opened).group_by("a1", "c2").aggregate(m=max_("a2"))
    early = a.group_by("a1").aggregate(m=max_("a2")).join(b, MATCH).join(c, opened)
    return late, early.select("a1", "c2", "m")


@rule("γ_{s; SUM(p)}(A ⋈_{x=y} B) ≐ γ_{s; SUM(t)}(γ_{x; t=SUM(p)}(A) ⋈_{x=y} B), over integers", source=EAGER)
def eager_sum(free: Free) -> Sides:
    a, b = _keyed(free)
    partial = a.group_by("a1").aggregate(t=sum_("a2"))
    return (
        a.join(b, MATCH).group_by("b2").aggregate(t=sum_("a2")),
        partial.join(b, MATCH).group_by("b2").aggregate(t=sum_("t")),
    )


@rule("γ_{s; MAX(p)}(A ⋈_{x=y} B) ≐ γ_{s; MAX(m)}(γ_{x; m=MAX(p)}(A) ⋈_{x=y} B)", source=EAGER)
def eager_maximum(free: Free) -> Sides:
    a, b = _keyed(free)
    partial = a.group_by("a1").aggregate(m=max_("a2"))
    return (
        a.join(b, MATCH).group_by("b2").aggregate(m=max_("a2")),
        partial.join(b, MATCH).group_by("b2").aggregate(m=max_("m")),
    )


@rule("γ_{s; COUNT(*)}(A ⋈_{x=y} B) ≐ γ_{s; SUM(n)}(γ_{x; n=COUNT(*)}(A) ⋈_{x=y} B)", source=EAGER)
def eager_count(free: Free) -> Sides:
    a, b = _keyed(free)
    partial = a.group_by("a1").aggregate(n=count())
    return (
        a.join(b, MATCH).group_by("b2").aggregate(n=count()),
        partial.join(b, MATCH).group_by("b2").aggregate(n=sum_("n")),
    )


@rule("γ_{x; SUM(s)}(A ⋈_{x=y} B) ≐ γ_{x; SUM(n·s)}(γ_{x; n=COUNT(*)}(A) ⋈_{x=y} B), over integers", source=EAGER)
def eager_count_of_the_other_side(free: Free) -> Sides:
    a, b = _keyed(free)
    counted = a.group_by("a1").aggregate(n=count())
    return (
        a.join(b, MATCH).group_by("a1").aggregate(t=sum_("b2")),
        counted.join(b, MATCH).group_by("a1").aggregate(t=sum_(col("n") * col("b2"))),
    )


@rule("γ_{x; COUNT(*)}(A ⋈_{x=y} B) ≐ μ_{x, n·m}(γ_{x; n=COUNT(*)}(A) ⋈_{x=y} γ_{y; m=COUNT(*)}(B))", source=EAGER)
def eager_counts_on_both_sides(free: Free) -> Sides:
    a, b = _keyed(free)
    counted = a.group_by("a1").aggregate(n=count()).join(b.group_by("b1").aggregate(m=count()), MATCH)
    return a.join(b, MATCH).group_by("a1").aggregate(n=count()), counted.select("a1", n=col("n") * col("m"))


@rule("α_{COUNT(*)}(A × B) ≐ μ_{n·m}(α_{n=COUNT(*)}(A) × α_{m=COUNT(*)}(B))", source=EAGER)
def count_of_a_product(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    counted = a.aggregate(n=count()).product(b.aggregate(m=count()))
    return a.product(b).aggregate(n=count()), counted.select(n=col("n") * col("m"))


@rule("α_{SUM(x)}(A × B) ≐ μ_{s·n}(α_{s=SUM(x)}(A) × α_{n=COUNT(*)}(B)), x over A, over integers", source=EAGER)
def sum_over_a_product(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    x = free.function("x", a, type_=Type.INT)
    apart = a.aggregate(s=sum_(x)).product(b.aggregate(n=count()))
    return a.product(b).aggregate(s=sum_(x)), apart.select(s=col("s") * col("n"))


@rule("γ_{G;f}(A × B) ≐ γ_{G;f}(A) ⋉_TRUE B, f over A, one of MIN, MAX, COUNT DISTINCT", source=OURS)
def grouping_of_a_product_that_ignores_duplicates(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    groups, f = free.columns("G", a), free.aggregate("f", a, among=INSENSITIVE)
    return a.product(b).group_by(*groups).aggregate(x=f), a.group_by(*groups).aggregate(x=f).semijoin(b, lit(True))


@rule("γ_{G;f}(A ⋈_θ B) ≐ γ_{G;f}(A ⋉_θ B), G and f over A, f one of MIN, MAX, COUNT DISTINCT", source=OURS)
def join_as_semijoin_under_grouping(free: Free) -> Sides:
    a, b, on = pair(free)
    groups, f = free.columns("G", a), free.aggregate("f", a, among=INSENSITIVE)
    return a.join(b, on).group_by(*groups).aggregate(x=f), a.semijoin(b, on).group_by(*groups).aggregate(x=f)


@rule("γ_{x; COUNT(y)}(A ⟕_{x=y} B) ≐ μ_{x, COALESCE(n, 0)}(A ⟕_{x=y} γ_{y; n=COUNT(*)}(B))", source=COUNT_BUG)
def count_of_partners(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT,))
    free.given(Key("A", ("a1",)))
    counted = b.group_by("b1").aggregate(n=count())
    late = a.left_join(b, MATCH).group_by("a1").aggregate(n=count("b1"))
    return late, a.left_join(counted, MATCH).select("a1", n=coalesce(col("n"), 0))


@rule("γ_{x;f}(A) ⋈_{x=y} B ≐ γ_{x;f}(A ⋉_{x=y} B) ⋈_{x=y} B", source=OURS)
def grouping_after_reduction(free: Free) -> Sides:
    a, b = _keyed(free)
    f = free.aggregate("f", a)
    reduced = a.semijoin(b, MATCH).group_by("a1").aggregate(m=f)
    return a.group_by("a1").aggregate(m=f).join(b, MATCH), reduced.join(b, MATCH)


@rule("π_A(A ⋈_≡ ρ(γ_{G;f}(A))) ≐ A, ≡ being equality of the group columns in which NULL equals NULL", source=OURS)
def every_row_finds_its_group(free: Free) -> Sides:
    a = free.stream("A")
    groups, f = free.columns("G", a), free.aggregate("f", a)
    grouped = a.group_by(*groups).aggregate(x=f).prefix("of_")
    on = [~col(name).is_distinct_from(col(f"of_{name}")) for name in groups]
    return a.join(grouped, *on).select(*a.schema.names), a


RULES: Final = (
    grouping_below_join,
    closing_price,
    eager_sum,
    eager_maximum,
    eager_count,
    eager_count_of_the_other_side,
    eager_counts_on_both_sides,
    count_of_a_product,
    sum_over_a_product,
    grouping_of_a_product_that_ignores_duplicates,
    join_as_semijoin_under_grouping,
    count_of_partners,
    grouping_after_reduction,
    every_row_finds_its_group,
)
