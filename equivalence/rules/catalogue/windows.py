"""Time windows that slide by one instant: ω_w, and the unbounded ω_∞."""

from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER, Type, col, count, max_, min_, sum_


@rule("ω_1(A) ≐ A", source="Krämer & Seeger 2009, rule (12)")
def now_window(free: Free) -> Sides:
    a = free.stream("A")
    return a.window(1), a


@rule("σ_p(ω_w(A)) ≐ ω_w(σ_p(A))", source="Krämer & Seeger 2009, rule (13)")
def filter_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    p = free.predicate("p", a)
    return a.window(w).filter(p), a.filter(p).window(w)


@rule("μ_f(ω_w(A)) ≐ ω_w(μ_f(A))", source="Krämer & Seeger 2009, rule (14)")
def map_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    f = free.function("f", a)
    return a.window(w).select(y=f), a.select(y=f).window(w)


@rule("ω_w(A) ∪ ω_w(B) ≐ ω_w(A ∪ B)", source="Krämer & Seeger 2009, rule (15)")
def union_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    b = free.stream("B", like=a)
    return a.window(w).union(b.window(w)), a.union(b).window(w)


@rule("σ_p(ω_∞(A)) ≐ ω_∞(σ_p(A))", source="Arasu, Babu & Widom 2006 (filter-window commutativity)")
def filter_through_unbounded_window(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a.window(FOREVER).filter(p), a.filter(p).window(FOREVER)


@rule("ω_v(ω_w(A)) ≐ ω_w(ω_v(A))", source="snapeq")
def windows_commute(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(w).window(v), a.window(v).window(w)


@rule("ω_w(ω_∞(A)) ≐ ω_∞(ω_w(A))", source="snapeq")
def window_and_unbounded_window_commute(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(FOREVER).window(w), a.window(w).window(FOREVER)


@rule("δ(ω_v(ω_w(A))) ≐ δ(ω_{v+w−1}(A))", source="snapeq")
def distinct_window_of_window(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(w).window(v).distinct(), a.window(v + w - 1).distinct()


@rule("ω_v(ω_w(A)) and ω_{v+w−1}(A) hold the same rows", source="snapeq", equivalence="snapshot-set")
def rows_of_window_of_window(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(w).window(v), a.window(v + w - 1)


@rule("δ(ω_w(δ(A))) ≐ δ(ω_w(A))", source="snapeq")
def distinct_below_distinct_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.distinct().window(w).distinct(), a.window(w).distinct()


@rule("δ(ω_∞(ω_w(A))) ≐ δ(ω_∞(A))", source="snapeq")
def unbounded_window_absorbs_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).window(FOREVER).distinct(), a.window(FOREVER).distinct()


@rule("δ(ω_∞(ω_∞(A))) ≐ δ(ω_∞(A))", source="snapeq")
def unbounded_window_twice(free: Free) -> Sides:
    a = free.stream("A")
    return a.window(FOREVER).window(FOREVER).distinct(), a.window(FOREVER).distinct()


@rule("ω_v(A) ∩ ω_w(A) ≐ ω_v(A) where v ≤ w", source="snapeq")
def smaller_window_is_contained(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    free.require("v ≤ w", v <= w)
    return a.window(v).intersection(a.window(w)), a.window(v)


@rule("B ∪ (ω_v(A) − ω_w(A)) ≐ B where v ≤ w", source="snapeq")
def smaller_window_adds_nothing(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    b = free.stream("B", like=a)
    free.require("v ≤ w", v <= w)
    return b.union(a.window(v).difference(a.window(w))), b


@rule("ω_v(A) ∩ ω_w(A) ≐ ω_min(v,w)(A)", source="snapeq")
def intersection_of_windows(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(v).intersection(a.window(w)), a.window(min(v, w))


@rule("δ(ω_v(A) ∪ ω_w(A)) ≐ δ(ω_max(v,w)(A))", source="snapeq")
def distinct_union_of_windows(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(v).union(a.window(w)).distinct(), a.window(max(v, w)).distinct()


@rule("A ∩ ω_w(A) ≐ A", source="snapeq")
def window_contains_its_stream(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.intersection(a.window(w)), a


@rule("ω_w(A) ∩ ω_∞(A) ≐ ω_w(A)", source="snapeq")
def unbounded_window_contains_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).intersection(a.window(FOREVER)), a.window(w)


@rule("ω_w(A − B) ∩ ω_w(A) ≐ ω_w(A − B)", source="snapeq")
def window_of_a_difference_is_contained(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    less = a.difference(free.stream("B", like=a)).window(w)
    return less.intersection(a.window(w)), less


@rule("B ∪ ω_w(A − A) ≐ B", source="snapeq")
def window_of_nothing(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    b = free.stream("B", like=a)
    return b.union(a.difference(a).window(w)), b


@rule("δ(ω_w(A ∩ B)) ∩ δ(ω_w(A) ∩ ω_w(B)) ≐ δ(ω_w(A ∩ B))", source="snapeq")
def what_meets_in_the_streams_meets_in_the_windows(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    b = free.stream("B", like=a)
    met = a.intersection(b).window(w).distinct()
    return met.intersection(a.window(w).intersection(b.window(w)).distinct()), met


@rule("α_max(ω_w(α_max(A))) ≐ α_max(ω_w(A))", source="Li et al. 2005 (panes)")
def windowed_maximum_of_maxima(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    f = free.function("f", a)
    return a.aggregate(y=max_(f)).window(w).aggregate(y=max_("y")), a.window(w).aggregate(y=max_(f))


@rule("α_min(ω_w(α_min(A))) ≐ α_min(ω_w(A))", source="Li et al. 2005 (panes)")
def windowed_minimum_of_minima(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    f = free.function("f", a)
    return a.aggregate(y=min_(f)).window(w).aggregate(y=min_("y")), a.window(w).aggregate(y=min_(f))


@rule("α_sum(ω_w(α_sum(A))) ≐ α_sum(ω_w(A)) for integers", source="Li et al. 2005 (panes)")
def windowed_sum_of_sums(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    f = free.function("f", a, type_=Type.INT)
    return a.aggregate(y=sum_(f)).window(w).aggregate(y=sum_("y")), a.window(w).aggregate(y=sum_(f))


@rule("α_sum(ω_w(α_count(A))) ≐ α_count(ω_w(A))", source="Li et al. 2005 (panes)")
def windowed_sum_of_counts(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.aggregate(n=count()).window(w).aggregate(n=sum_("n")), a.window(w).aggregate(n=count())


@rule("γ_{P,sum}(ω_w(γ_{P,count}(A))) ≐ γ_{P,count}(ω_w(A))", source="Li et al. 2005 (panes)")
def sum_of_counts_of_groups(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    by = free.columns("P", a)
    counted = a.group_by(*by).aggregate(n=count())
    return counted.window(w).group_by(*by).aggregate(n=sum_("n")), a.window(w).group_by(*by).aggregate(n=count())


@rule("π_a(ω_w(A) ⋉_{a=a} ω_w(A)) ≐ σ_{a is not NULL}(ω_w(A))", source="snapeq")
def window_met_with_itself(free: Free) -> Sides:
    a, w = free.stream("A", types=(Type.INT,)), free.number("w")
    met = a.window(w).semijoin(a.window(w).prefix("other_"), col("a1") == col("other_a1"))
    return met, a.window(w).filter(~col("a1").is_null())


RULES: Final[tuple[Rule, ...]] = (
    now_window,
    filter_through_window,
    map_through_window,
    union_through_window,
    filter_through_unbounded_window,
    windows_commute,
    window_and_unbounded_window_commute,
    distinct_window_of_window,
    rows_of_window_of_window,
    distinct_below_distinct_window,
    unbounded_window_absorbs_window,
    unbounded_window_twice,
    smaller_window_is_contained,
    smaller_window_adds_nothing,
    intersection_of_windows,
    distinct_union_of_windows,
    window_contains_its_stream,
    unbounded_window_contains_window,
    window_of_a_difference_is_contained,
    window_of_nothing,
    what_meets_in_the_streams_meets_in_the_windows,
    windowed_maximum_of_maxima,
    windowed_minimum_of_minima,
    windowed_sum_of_sums,
    windowed_sum_of_counts,
    sum_of_counts_of_groups,
    window_met_with_itself,
)
