"""Landmark windows: everything since a, or since the last of a, a + r, a + 2r, …; ω_[a] and ω_[a,r]."""

from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER


@rule("ω_∞(A) ≐ ω_[0](A)", source="snapeq")
def unbounded_window_is_a_landmark(free: Free) -> Sides:
    a = free.stream("A")
    return a.window(FOREVER), a.landmark(0)


@rule("ω_[0,1](A) ≐ A", source="snapeq")
def landmark_at_every_instant(free: Free) -> Sides:
    a = free.stream("A")
    return a.landmark(0, reset=1), a


@rule("σ_p(ω_[a,r](A)) ≐ ω_[a,r](σ_p(A))", source="snapeq")
def filter_through_landmark(free: Free) -> Sides:
    a, start, r = free.stream("A"), free.number("a", at_least=0), free.number("r")
    p = free.predicate("p", a)
    return a.landmark(start, r).filter(p), a.filter(p).landmark(start, r)


@rule("μ_f(ω_[a,r](A)) ≐ ω_[a,r](μ_f(A))", source="snapeq")
def map_through_landmark(free: Free) -> Sides:
    a, start, r = free.stream("A"), free.number("a", at_least=0), free.number("r")
    f = free.function("f", a)
    return a.landmark(start, r).select(y=f), a.select(y=f).landmark(start, r)


@rule("ω_[a,r](A) ∪ ω_[a,r](B) ≐ ω_[a,r](A ∪ B)", source="snapeq")
def union_through_landmark(free: Free) -> Sides:
    a, start, r = free.stream("A"), free.number("a", at_least=0), free.number("r")
    b = free.stream("B", like=a)
    return a.landmark(start, r).union(b.landmark(start, r)), a.union(b).landmark(start, r)


@rule("ω_[a](A) ∩ ω_[b](A) ≐ ω_[max(a,b)](A)", source="snapeq")
def intersection_of_landmarks(free: Free) -> Sides:
    a, one, other = free.stream("A"), free.number("a", at_least=0), free.number("b", at_least=0)
    return a.landmark(one).intersection(a.landmark(other)), a.landmark(max(one, other))


@rule("ω_[a](A) ∩ ω_∞(A) ≐ ω_[a](A)", source="snapeq")
def landmark_is_contained(free: Free) -> Sides:
    a, start = free.stream("A"), free.number("a", at_least=0)
    return a.landmark(start).intersection(a.window(FOREVER)), a.landmark(start)


@rule("ω_[a,r](A) ∩ ω_w(A) ≐ ω_[a,r](A) where r ≤ w", source="snapeq")
def landmark_is_contained_in_a_window(free: Free) -> Sides:
    a, start = free.stream("A"), free.number("a", at_least=0)
    r, w = free.number("r"), free.number("w")
    free.require("r ≤ w", r <= w)
    return a.landmark(start, r).intersection(a.window(w)), a.landmark(start, r)


@rule("ω_[b,r](A) ∩ ω_[a,r](A) ≐ ω_[b,r](A) where b = a + kr", source="snapeq")
def later_landmark_is_contained(free: Free) -> Sides:
    a, r = free.stream("A"), free.number("r")
    first, after = free.number("a", at_least=0), free.number("b − a", at_least=0)
    free.require("r divides b − a", after // r * r == after)
    later = a.landmark(first + after, r)
    return later.intersection(a.landmark(first, r)), later


@rule("δ(ω_[a,r](ω_[a,r](A))) ≐ δ(ω_[a,r](A))", source="snapeq")
def landmark_twice(free: Free) -> Sides:
    a, start, r = free.stream("A"), free.number("a", at_least=0), free.number("r")
    return a.landmark(start, r).landmark(start, r).distinct(), a.landmark(start, r).distinct()


@rule("δ(ω_[b](ω_[a](A))) ≐ δ(ω_[a](A)) where b ≤ a", source="snapeq")
def landmark_of_a_later_landmark(free: Free) -> Sides:
    a, start, before = free.stream("A"), free.number("a", at_least=0), free.number("b", at_least=0)
    free.require("b ≤ a", before <= start)
    return a.landmark(start).landmark(before).distinct(), a.landmark(start).distinct()


@rule("ω_{1,r}(ω_[1,r](A)) ∩ ω_{r,r}(A) ≐ ω_{1,r}(ω_[1,r](A))", source="snapeq")
def tumbling_window_ends_a_landmark(free: Free) -> Sides:
    a, r = free.stream("A"), free.number("r")
    ended = a.landmark(1, r).window(1, r)
    return ended.intersection(a.window(r, r)), ended


@rule("from r on, ω_{r,r}(A) ≐ ω_{1,r}(ω_[1,r](A))", source="snapeq")
def tumbling_window_is_an_ended_landmark(free: Free) -> Sides:
    """A landmark at every instant from r on leaves out the instants before, and nothing else."""
    a, r = free.stream("A"), free.number("r")
    return a.window(r, r).landmark(r, reset=1), a.landmark(1, r).window(1, r).landmark(r, reset=1)


RULES: Final[tuple[Rule, ...]] = (
    unbounded_window_is_a_landmark,
    landmark_at_every_instant,
    filter_through_landmark,
    map_through_landmark,
    union_through_landmark,
    intersection_of_landmarks,
    landmark_is_contained,
    landmark_is_contained_in_a_window,
    later_landmark_is_contained,
    landmark_twice,
    landmark_of_a_later_landmark,
    tumbling_window_ends_a_landmark,
    tumbling_window_is_an_ended_landmark,
)
