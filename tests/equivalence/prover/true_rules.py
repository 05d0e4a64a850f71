"""Rules that hold, over all kinds of operators: each must be proved."""

from collections.abc import Callable
from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER, ColumnExpression, Query, Type, col, count, lit, max_, sum_
from semantics.constraint import DuplicateFree, Key, NotNull, References, UniqueInstants

RULES: Final[list[Rule]] = []


def holds(statement: str) -> Callable[[Callable[[Free], Sides]], None]:
    """A rule that is true."""
    return lambda sides: RULES.append(rule(statement, source="test")(sides))


def twins(free: Free) -> tuple[Query, Query]:
    a = free.stream("A")
    return a, free.stream("B", like=a)


def pair(free: Free) -> tuple[Query, Query, ColumnExpression]:
    a, b = free.stream("A"), free.stream("B")
    return a, b, free.predicate("θ", a, b)


@holds("(9) (A × B) × C ≐ A × (B × C)")
def product_is_associative(free: Free) -> Sides:
    a, b, c = free.stream("A"), free.stream("B"), free.stream("C")
    return a.product(b).product(c), a.product(b.product(c))


@holds("(10) σ_p(A ∪ B) ≐ σ_p(A) ∪ σ_p(B)")
def filter_over_union(free: Free) -> Sides:
    a, b = twins(free)
    p = free.predicate("p", a)
    return a.union(b).filter(p), a.filter(p).union(b.filter(p))


@holds("(11) δ(A × B) ≐ δ(A) × δ(B)")
def distinct_of_product(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    return a.product(b).distinct(), a.distinct().product(b.distinct())


@holds("(12) ω_1(A) ≐ A")
def now_window(free: Free) -> Sides:
    a = free.stream("A")
    return a.window(1), a


@holds("(13) σ_p(ω_w(A)) ≐ ω_w(σ_p(A))")
def filter_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    p = free.predicate("p", a)
    return a.window(w).filter(p), a.filter(p).window(w)


@holds("(14) μ_f(ω_w(A)) ≐ ω_w(μ_f(A))")
def map_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    f = free.function("f", a)
    return a.window(w).select(y=f), a.select(y=f).window(w)


@holds("(15) ω_w(A ∪ B) ≐ ω_w(A) ∪ ω_w(B)")
def window_of_union(free: Free) -> Sides:
    (a, b), w = twins(free), free.number("w")
    return a.union(b).window(w), a.window(w).union(b.window(w))


@holds("ω_v(ω_w(A)) ≐ ω_w(ω_v(A))")
def windows_commute(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(v).window(w), a.window(w).window(v)


@holds("δ(ω_v(ω_w(A))) ≐ δ(ω_{v+w−1}(A))")
def windows_add_up_for_sets(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(v).window(w).distinct(), a.window(v + w - 1).distinct()


@holds("σ_p(ω_{w,s}(A)) ≐ ω_{w,s}(σ_p(A))")
def filter_through_slide(free: Free) -> Sides:
    a, w, s = free.stream("A"), free.number("w"), free.number("s")
    p = free.predicate("p", a)
    return a.window(w, s).filter(p), a.filter(p).window(w, s)


@holds("ω_v(ω_w(A)) ≐ ω_v(A) where w = 1")
def narrow_window(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    free.require("w = 1", w == 1)
    return a.window(w).window(v), a.window(v)


@holds("ω_{max(v,w)}(A) ∩ ω_w(A) ≐ ω_w(A)")
def larger_window_holds_more(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(max(v, w)).intersection(a.window(w)), a.window(w)


@holds("Istream(ω_∞(A)) ≐ A")
def istream_of_unbounded(free: Free) -> Sides:
    a = free.stream("A")
    return a.window(FOREVER).istream(), a


@holds("Dstream(ω_w(A)) ≐ (ω_{w+1}(A) − ω_w(A)) − A")
def dstream_of_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).dstream(), a.window(w + 1).difference(a.window(w)).difference(a)


@holds("ω_[s](A ∪ B) ≐ ω_[s](A) ∪ ω_[s](B), with resets")
def landmark_of_union(free: Free) -> Sides:
    (a, b), start, reset = twins(free), free.number("start", at_least=0), free.number("reset")
    return a.union(b).landmark(start, reset), a.landmark(start, reset).union(b.landmark(start, reset))


@holds("μ_f(ω^rows_N(A)) ≐ ω^rows_N(μ_f(A)), with ties")
def map_through_ties(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    f = free.function("f", a)
    return a.rows(n, ties=True).select(y=f), a.select(y=f).rows(n, ties=True)


@holds("ω^rows_N(A) ≐ ω^rows_N(A) with ties, where instants are unique")
def ties_do_not_matter(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    free.given(UniqueInstants("A"))
    return a.rows(n), a.rows(n, ties=True)


@holds("σ_p(ω^rows_{K,N}(A)) ≐ ω^rows_{K,N}(σ_p(A)), p over K")
def filter_through_partitions(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    k = free.columns("K", a)
    p = free.predicate("p", a.select(*k))
    return a.rows(n, by=k).filter(p), a.filter(p).rows(n, by=k)


@holds("A ▷_θ (B ∪ C) ≐ (A ▷_θ B) ▷_θ C")
def antijoin_of_union(free: Free) -> Sides:
    a, b, on = pair(free)
    c = free.stream("C", like=b)
    return a.antijoin(b.union(c), on), a.antijoin(b, on).antijoin(c, on)


@holds("σ_p(A ⟕_θ B) ≐ σ_p(A) ⟕_θ B, p over A")
def filter_into_left_join(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.left_join(b, on).filter(p), a.filter(p).left_join(b, on)


@holds("(A ⟗_θ B) ∪ (A ⋈_θ B) ≐ (A ⟕_θ B) ∪ (A ⟖_θ B)")
def outer_joins(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.full_join(b, on).union(a.join(b, on)), a.left_join(b, on).union(a.right_join(b, on))


@holds("σ_p(ω_w(A) − ω_w(B)) ≐ ω_w(σ_p(A)) − ω_w(B)")
def filter_into_difference(free: Free) -> Sides:
    (a, b), w = twins(free), free.number("w")
    p = free.predicate("p", a)
    return a.window(w).difference(b.window(w)).filter(p), a.filter(p).window(w).difference(b.window(w))


@holds("γ_{K;f}(ω_w(A ∪ B)) ≐ γ_{K;f}(ω_w(A) ∪ ω_w(B))")
def grouping_of_windows(free: Free) -> Sides:
    (a, b), w = twins(free), free.number("w")
    k, f = free.columns("K", a), free.aggregate("f", a)
    windows = a.window(w).union(b.window(w))
    return a.union(b).window(w).group_by(*k).aggregate(y=f), windows.group_by(*k).aggregate(y=f)


@holds("σ_p(γ_{K;f}(A)) ≐ γ_{K;f}(σ_p(A)), p over K")
def filter_through_grouping(free: Free) -> Sides:
    a = free.stream("A")
    k, f = free.columns("K", a), free.aggregate("f", a)
    p = free.predicate("p", a.select(*k))
    return a.group_by(*k).aggregate(y=f).filter(p), a.filter(p).group_by(*k).aggregate(y=f)


@holds("α_f(δ(A)) ≐ α_f(A), f one of MIN, MAX, COUNT DISTINCT")
def duplicates_ignored(free: Free) -> Sides:
    a = free.stream("A")
    f = free.aggregate("f", a, among=("min", "max", "count_distinct"))
    return a.distinct().aggregate(y=f), a.aggregate(y=f)


@holds("γ_{x; SUM(s)}(γ_{x,y; s = SUM(z)}(A)) ≐ γ_{x; SUM(z)}(A)")
def sum_of_sums(free: Free) -> Sides:
    a = free.stream("A", types=(Type.STR, Type.STR, Type.INT))
    partial = a.group_by("a1", "a2").aggregate(s=sum_("a3"))
    return partial.group_by("a1").aggregate(s=sum_("s")), a.group_by("a1").aggregate(s=sum_("a3"))


@holds("α_MAX(A ∪ B) ≐ α_MAX(α_MAX(A) ∪ α_MAX(B))")
def maximum_of_maxima(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    b = free.stream("B", like=a)
    maxima = a.aggregate(m=max_("a1")).union(b.aggregate(m=max_("a1")))
    return a.union(b).aggregate(m=max_("a1")), maxima.aggregate(m=max_("m"))


@holds("α_COUNT(A) with its empty row ≐ the same of A ∪ ∅")
def total_aggregation(free: Free) -> Sides:
    a = free.stream("A")
    return a.aggregate(on_empty=True, n=count()), a.union(a.filter(lit(False))).aggregate(on_empty=True, n=count())


@holds("π_A(A ⋈_{x=y} B) ≐ A ⋉_{x=y} B where y is a key")
def join_on_a_key(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT, Type.STR))
    free.given(Key("B", ("b1",)))
    match = col("a1") == col("b1")
    return a.join(b, match).select("a1"), a.semijoin(b, match)


@holds("π_A(A ⋈_{x=y} B) ≐ A where x is never NULL and refers to the key y")
def join_with_the_referenced(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT, Type.STR))
    free.given(Key("B", ("b1",)))
    free.given(NotNull("A", ("a1",)))
    free.given(References("A", ("a1",), "B", ("b1",)))
    return a.join(b, col("a1") == col("b1")).select("a1"), a


@holds("δ(A − B) ≐ A − B where A has no duplicates")
def difference_without_duplicates(free: Free) -> Sides:
    a, b = twins(free)
    free.given(DuplicateFree("A"))
    return a.difference(b).distinct(), a.difference(b)
