"""Time windows that are renewed every s instants only: ω_{w,s} shows, at t, what ω_w showed at the last multiple of s.

A slide is a sample of the sliding window, and the sample ω_{1,s} only moves instants about: so it goes through every
operator that works instant by instant, where windows of more than one instant do not.
"""

from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER


@rule("σ_p(ω_{w,s}(A)) ≐ ω_{w,s}(σ_p(A))", source="snapeq")
def filter_through_slide(free: Free) -> Sides:
    a, w, s = free.stream("A"), free.number("w"), free.number("s")
    p = free.predicate("p", a)
    return a.window(w, s).filter(p), a.filter(p).window(w, s)


@rule("μ_f(ω_{w,s}(A)) ≐ ω_{w,s}(μ_f(A))", source="snapeq")
def map_through_slide(free: Free) -> Sides:
    a, w, s = free.stream("A"), free.number("w"), free.number("s")
    f = free.function("f", a)
    return a.window(w, s).select(y=f), a.select(y=f).window(w, s)


@rule("ω_{w,s}(A) ∪ ω_{w,s}(B) ≐ ω_{w,s}(A ∪ B)", source="snapeq")
def union_through_slide(free: Free) -> Sides:
    a, w, s = free.stream("A"), free.number("w"), free.number("s")
    b = free.stream("B", like=a)
    return a.window(w, s).union(b.window(w, s)), a.union(b).window(w, s)


@rule("ω_{w,s}(A) ≐ ω_{1,s}(ω_w(A))", source="snapeq")
def slide_is_a_sample(free: Free) -> Sides:
    a, w, s = free.stream("A"), free.number("w"), free.number("s")
    return a.window(w, s), a.window(w).window(1, s)


@rule("ω_{∞,s}(A) ≐ ω_{1,s}(ω_∞(A))", source="snapeq")
def unbounded_slide_is_a_sample(free: Free) -> Sides:
    a, s = free.stream("A"), free.number("s")
    return a.window(FOREVER, s), a.window(FOREVER).window(1, s)


@rule("ω_{1,r}(ω_{w,s}(A)) ≐ ω_{w,s}(A) where r divides s", source="snapeq")
def sample_more_often_than_it_changes(free: Free) -> Sides:
    a, w, r, s = free.stream("A"), free.number("w"), free.number("r"), free.number("s")
    free.require("r divides s", s // r * r == s)
    return a.window(w, s).window(1, r), a.window(w, s)


@rule("ω_{1,s}(ω_{w,r}(A)) ≐ ω_{w,s}(A) where r divides s", source="snapeq")
def sample_less_often_than_it_changes(free: Free) -> Sides:
    a, w, r, s = free.stream("A"), free.number("w"), free.number("r"), free.number("s")
    free.require("r divides s", s // r * r == s)
    return a.window(w, r).window(1, s), a.window(w, s)


@rule("δ(ω_{j+s,s}(A)) ≐ δ(ω_{j+1,s}(ω_{s,s}(A))) where s divides j", source="Li et al. 2005 (panes)")
def window_made_of_panes(free: Free) -> Sides:
    a, j, s = free.stream("A"), free.number("j", at_least=0), free.number("s")
    free.require("s divides j", j // s * s == j)
    return a.window(j + s, s).distinct(), a.window(s, s).window(j + 1, s).distinct()


@rule("δ(ω_{v,s}(ω_w(A))) ≐ δ(ω_{v+w−1,s}(A))", source="snapeq")
def distinct_slide_of_window(free: Free) -> Sides:
    a, v, w, s = free.stream("A"), free.number("v"), free.number("w"), free.number("s")
    return a.window(w).window(v, s).distinct(), a.window(v + w - 1, s).distinct()


@rule("ω_{v,s}(ω_w(A)) ≐ ω_{w,s}(ω_v(A))", source="snapeq")
def sizes_under_a_slide_commute(free: Free) -> Sides:
    a, v, w, s = free.stream("A"), free.number("v"), free.number("w"), free.number("s")
    return a.window(w).window(v, s), a.window(v).window(w, s)


@rule("ω_{v,s}(A) ∩ ω_{w,s}(A) ≐ ω_{min(v,w),s}(A)", source="snapeq")
def intersection_of_slides(free: Free) -> Sides:
    a, v, w, s = free.stream("A"), free.number("v"), free.number("w"), free.number("s")
    return a.window(v, s).intersection(a.window(w, s)), a.window(min(v, w), s)


@rule("ω_{w,s}(A) ∩ ω_v(A) ≐ ω_{w,s}(A) where v ≥ w + s − 1", source="snapeq")
def slide_is_contained_in_a_longer_window(free: Free) -> Sides:
    a, v, w, s = free.stream("A"), free.number("v"), free.number("w"), free.number("s")
    free.require("v ≥ w + s − 1", v >= w + s - 1)
    return a.window(w, s).intersection(a.window(v)), a.window(w, s)


@rule("ω_{∞,s}(A) ∩ ω_∞(A) ≐ ω_{∞,s}(A)", source="snapeq")
def unbounded_slide_is_contained(free: Free) -> Sides:
    a, s = free.stream("A"), free.number("s")
    return a.window(FOREVER, s).intersection(a.window(FOREVER)), a.window(FOREVER, s)


@rule("ω_{1,s}(A − B) ≐ ω_{1,s}(A) − ω_{1,s}(B)", source="snapeq")
def sample_through_difference(free: Free) -> Sides:
    a, s = free.stream("A"), free.number("s")
    b = free.stream("B", like=a)
    return a.difference(b).window(1, s), a.window(1, s).difference(b.window(1, s))


@rule("ω_{1,s}(A ∩ B) ≐ ω_{1,s}(A) ∩ ω_{1,s}(B)", source="snapeq")
def sample_through_intersection(free: Free) -> Sides:
    a, s = free.stream("A"), free.number("s")
    b = free.stream("B", like=a)
    return a.intersection(b).window(1, s), a.window(1, s).intersection(b.window(1, s))


@rule("ω_{1,s}(δ(A)) ≐ δ(ω_{1,s}(A))", source="snapeq")
def sample_through_distinct(free: Free) -> Sides:
    a, s = free.stream("A"), free.number("s")
    return a.distinct().window(1, s), a.window(1, s).distinct()


@rule("ω_{1,s}(A ⋈_p B) ≐ ω_{1,s}(A) ⋈_p ω_{1,s}(B)", source="snapeq")
def sample_through_join(free: Free) -> Sides:
    a, b, s = free.stream("A"), free.stream("B"), free.number("s")
    p = free.predicate("p", a, b)
    return a.join(b, p).window(1, s), a.window(1, s).join(b.window(1, s), p)


@rule("ω_{1,s}(A ⟕_p B) ≐ ω_{1,s}(A) ⟕_p ω_{1,s}(B)", source="snapeq")
def sample_through_left_join(free: Free) -> Sides:
    a, b, s = free.stream("A"), free.stream("B"), free.number("s")
    p = free.predicate("p", a, b)
    return a.left_join(b, p).window(1, s), a.window(1, s).left_join(b.window(1, s), p)


@rule("ω_{1,s}(γ_{P,f}(A)) ≐ γ_{P,f}(ω_{1,s}(A))", source="snapeq")
def sample_through_grouping(free: Free) -> Sides:
    a, s = free.stream("A"), free.number("s")
    by, f = free.columns("P", a), free.aggregate("f", a)
    return a.group_by(*by).aggregate(y=f).window(1, s), a.window(1, s).group_by(*by).aggregate(y=f)


@rule("ω_{1,s}(α_f(A)) ≐ α_f(ω_{1,s}(A)), with f(∅) too", source="snapeq")
def sample_through_total_aggregation(free: Free) -> Sides:
    a, s = free.stream("A"), free.number("s")
    f = free.aggregate("f", a)
    return a.aggregate(on_empty=True, y=f).window(1, s), a.window(1, s).aggregate(on_empty=True, y=f)


RULES: Final[tuple[Rule, ...]] = (
    filter_through_slide,
    map_through_slide,
    union_through_slide,
    slide_is_a_sample,
    unbounded_slide_is_a_sample,
    sample_more_often_than_it_changes,
    sample_less_often_than_it_changes,
    window_made_of_panes,
    distinct_slide_of_window,
    sizes_under_a_slide_commute,
    intersection_of_slides,
    slide_is_contained_in_a_longer_window,
    unbounded_slide_is_contained,
    sample_through_difference,
    sample_through_intersection,
    sample_through_distinct,
    sample_through_join,
    sample_through_left_join,
    sample_through_grouping,
    sample_through_total_aggregation,
)
