"""Tempting claims about time windows that are false: each mistakes a window for an operator on single instants."""

from typing import Final

from equivalence.rules.catalogue.delays import delayed
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER, Type, avg, col, count, max_


@rule("ω_v(ω_w(A)) ≐ ω_{v+w−1}(A)", source="snapeq", valid=False)
def window_sizes_add_up(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(w).window(v), a.window(v + w - 1)


@rule("ω_∞(ω_∞(A)) ≐ ω_∞(A)", source="snapeq", valid=False)
def unbounded_window_is_idempotent(free: Free) -> Sides:
    a = free.stream("A")
    return a.window(FOREVER).window(FOREVER), a.window(FOREVER)


@rule("ω_w(δ(A)) ≐ δ(ω_w(A))", source="snapeq", valid=False)
def distinct_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.distinct().window(w), a.window(w).distinct()


@rule("ω_w(A − B) ≐ ω_w(A) − ω_w(B)", source="snapeq", valid=False)
def difference_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    b = free.stream("B", like=a)
    return a.difference(b).window(w), a.window(w).difference(b.window(w))


@rule("ω_w(A ∩ B) ≐ ω_w(A) ∩ ω_w(B)", source="snapeq", valid=False)
def intersection_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    b = free.stream("B", like=a)
    return a.intersection(b).window(w), a.window(w).intersection(b.window(w))


@rule("ω_w(A × B) ≐ ω_w(A) × ω_w(B)", source="snapeq", valid=False)
def product_through_window(free: Free) -> Sides:
    a, b, w = free.stream("A"), free.stream("B"), free.number("w")
    return a.product(b).window(w), a.window(w).product(b.window(w))


@rule("ω_w(A ⋉_{a=b} B) ≐ ω_w(A) ⋉_{a=b} ω_w(B)", source="snapeq", valid=False)
def semijoin_through_window(free: Free) -> Sides:
    a, b, w = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT,)), free.number("w")
    on = col("a1") == col("b1")
    return a.semijoin(b, on).window(w), a.window(w).semijoin(b.window(w), on)


@rule("ω_w(A ▷_{a=b} B) ≐ ω_w(A) ▷_{a=b} ω_w(B)", source="snapeq", valid=False)
def antijoin_through_window(free: Free) -> Sides:
    a, b, w = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT,)), free.number("w")
    on = col("a1") == col("b1")
    return a.antijoin(b, on).window(w), a.window(w).antijoin(b.window(w), on)


@rule("ω_w(α_max(A)) ≐ α_max(ω_w(A))", source="snapeq", valid=False)
def aggregation_through_window(free: Free) -> Sides:
    a, w = free.stream("A", types=(Type.INT,)), free.number("w")
    return a.aggregate(y=max_("a1")).window(w), a.window(w).aggregate(y=max_("a1"))


@rule("α_count(ω_w(α_count(A))) ≐ α_count(ω_w(A))", source="snapeq", valid=False)
def windowed_count_of_counts(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.aggregate(n=count()).window(w).aggregate(n=count()), a.window(w).aggregate(n=count())


@rule("α_avg(ω_w(α_avg(A))) ≐ α_avg(ω_w(A))", source="snapeq", valid=False)
def windowed_average_of_averages(free: Free) -> Sides:
    a, w = free.stream("A", types=(Type.INT,)), free.number("w")
    return a.aggregate(y=avg("a1")).window(w).aggregate(y=avg("y")), a.window(w).aggregate(y=avg("a1"))


@rule("ω_v(A) ∪ ω_w(A) ≐ ω_{v+w}(A)", source="snapeq", valid=False)
def union_of_windows(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(v).union(a.window(w)), a.window(v + w)


@rule("ω_{w,s}(A) ≐ ω_w(ω_{1,s}(A))", source="snapeq", valid=False)
def sample_before_the_window(free: Free) -> Sides:
    a, w, s = free.stream("A"), free.number("w"), free.number("s")
    return a.window(w, s), a.window(1, s).window(w)


@rule("ω_{w,w}(ω_{w,w}(A)) ≐ ω_{w,w}(A)", source="snapeq", valid=False)
def tumbling_is_idempotent(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w, w).window(w, w), a.window(w, w)


@rule("ω_{1,r}(ω_{1,s}(A)) ≐ ω_{1,s}(ω_{1,r}(A))", source="snapeq", valid=False)
def samples_commute(free: Free) -> Sides:
    a, r, s = free.stream("A"), free.number("r"), free.number("s")
    return a.window(1, s).window(1, r), a.window(1, r).window(1, s)


@rule("ω_{w,s}(A) ∩ ω_w(A) ≐ ω_{w,s}(A)", source="snapeq", valid=False)
def slide_is_contained(free: Free) -> Sides:
    a, w, s = free.stream("A"), free.number("w"), free.number("s")
    return a.window(w, s).intersection(a.window(w)), a.window(w, s)


@rule("ω_{r,r}(A) ≐ ω_{1,r}(ω_[1,r](A))", source="snapeq", valid=False)
def tumbling_is_a_landmark_from_the_start(free: Free) -> Sides:
    a, r = free.stream("A"), free.number("r")
    return a.window(r, r), a.landmark(1, r).window(1, r)


@rule("ω_{r,r}(A) ≐ ω_[0,r](A)", source="snapeq", valid=False)
def tumbling_is_a_reset_landmark(free: Free) -> Sides:
    a, r = free.stream("A"), free.number("r")
    return a.window(r, r), a.landmark(0, r)


@rule("ω_w(ω_[a](A)) ≐ ω_[a](ω_w(A))", source="snapeq", valid=False)
def window_and_landmark_commute(free: Free) -> Sides:
    a, w, start = free.stream("A"), free.number("w"), free.number("a", at_least=0)
    return a.landmark(start).window(w), a.window(w).landmark(start)


@rule("ω_[a,r](A) ∩ ω_[b,r](A) ≐ ω_[max(a,b),r](A)", source="snapeq", valid=False)
def intersection_of_reset_landmarks(free: Free) -> Sides:
    a, r = free.stream("A"), free.number("r")
    one, other = free.number("a", at_least=0), free.number("b", at_least=0)
    return a.landmark(one, r).intersection(a.landmark(other, r)), a.landmark(max(one, other), r)


@rule("α_count(A)[k] ≐ α_count(A[k]), with COUNT(∅) = 0", source="snapeq", valid=False)
def delay_through_total_aggregation(free: Free) -> Sides:
    a, k = free.stream("A"), free.number("k")
    return (
        delayed(a.aggregate(on_empty=True, n=count()), k),
        delayed(a, k).aggregate(on_empty=True, n=count()),
    )


FALSE: Final[tuple[Rule, ...]] = (
    window_sizes_add_up,
    unbounded_window_is_idempotent,
    distinct_through_window,
    difference_through_window,
    intersection_through_window,
    product_through_window,
    semijoin_through_window,
    antijoin_through_window,
    aggregation_through_window,
    windowed_count_of_counts,
    windowed_average_of_averages,
    union_of_windows,
    sample_before_the_window,
    tumbling_is_idempotent,
    samples_commute,
    slide_is_contained,
    tumbling_is_a_landmark_from_the_start,
    tumbling_is_a_reset_landmark,
    window_and_landmark_commute,
    intersection_of_reset_landmarks,
    delay_through_total_aggregation,
)
