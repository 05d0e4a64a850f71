"""Delays: ω_{k+1}(A) − ω_k(A) is the stream A, k instants later; written A[k].

A delay only moves instants about, so it goes through every operator that makes nothing of nothing. With it, larger
windows are made of smaller ones, and Istream and Dstream of windows and set operations.
"""

from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER, Query


def delayed(query: Query, by: int) -> Query:
    """The same stream so many instants later."""
    return query.window(by + 1).difference(query.window(by))


@rule("A[j][k] ≐ A[j+k]", source="snapeq")
def delays_add_up(free: Free) -> Sides:
    a, j, k = free.stream("A"), free.number("j"), free.number("k")
    return delayed(delayed(a, j), k), delayed(a, j + k)


@rule("ω_{v+w}(A) ≐ ω_v(A) ∪ ω_w(A)[v]", source="snapeq")
def window_in_two_parts(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(v + w), a.window(v).union(delayed(a.window(w), v))


@rule("ω_∞(A) ≐ ω_w(A) ∪ ω_∞(A)[w]", source="snapeq")
def unbounded_window_in_two_parts(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(FOREVER), a.window(w).union(delayed(a.window(FOREVER), w))


@rule("ω_w(A) ≐ ω_∞(A) − ω_∞(A)[w]", source="snapeq")
def window_as_a_difference(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w), a.window(FOREVER).difference(delayed(a.window(FOREVER), w))


@rule("ω_w(A[k]) ≐ ω_w(A)[k]", source="snapeq")
def delay_through_window(free: Free) -> Sides:
    a, w, k = free.stream("A"), free.number("w"), free.number("k")
    return delayed(a, k).window(w), delayed(a.window(w), k)


@rule("(A − B)[k] ≐ A[k] − B[k]", source="snapeq")
def delay_through_difference(free: Free) -> Sides:
    a, k = free.stream("A"), free.number("k")
    b = free.stream("B", like=a)
    return delayed(a.difference(b), k), delayed(a, k).difference(delayed(b, k))


@rule("(A ⋈_p B)[k] ≐ A[k] ⋈_p B[k]", source="snapeq")
def delay_through_join(free: Free) -> Sides:
    a, b, k = free.stream("A"), free.stream("B"), free.number("k")
    p = free.predicate("p", a, b)
    return delayed(a.join(b, p), k), delayed(a, k).join(delayed(b, k), p)


@rule("(A ▷_p B)[k] ≐ A[k] ▷_p B[k]", source="snapeq")
def delay_through_antijoin(free: Free) -> Sides:
    a, b, k = free.stream("A"), free.stream("B"), free.number("k")
    p = free.predicate("p", a, b)
    return delayed(a.antijoin(b, p), k), delayed(a, k).antijoin(delayed(b, k), p)


@rule("δ(A)[k] ≐ δ(A[k])", source="snapeq")
def delay_through_distinct(free: Free) -> Sides:
    a, k = free.stream("A"), free.number("k")
    return delayed(a.distinct(), k), delayed(a, k).distinct()


@rule("γ_{P,f}(A)[k] ≐ γ_{P,f}(A[k])", source="snapeq")
def delay_through_grouping(free: Free) -> Sides:
    a, k = free.stream("A"), free.number("k")
    by, f = free.columns("P", a), free.aggregate("f", a)
    return delayed(a.group_by(*by).aggregate(y=f), k), delayed(a, k).group_by(*by).aggregate(y=f)


@rule("ω_[a+k](A[k]) ≐ ω_[a](A)[k]", source="snapeq")
def delay_through_landmark(free: Free) -> Sides:
    a, start, k = free.stream("A"), free.number("a", at_least=0), free.number("k")
    return delayed(a, k).landmark(start + k), delayed(a.landmark(start), k)


@rule("Istream(A) ≐ A − A[1]", source="Arasu, Babu & Widom 2006 (Istream by windows)")
def istream_by_windows(free: Free) -> Sides:
    a = free.stream("A")
    return a.istream(), a.difference(delayed(a, 1))


@rule("Dstream(A) ≐ A[1] − A", source="Arasu, Babu & Widom 2006 (Dstream by windows)")
def dstream_by_windows(free: Free) -> Sides:
    a = free.stream("A")
    return a.dstream(), delayed(a, 1).difference(a)


@rule("Istream(ω_w(A)) ≐ A − A[w]", source="snapeq")
def istream_of_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).istream(), a.difference(delayed(a, w))


@rule("Dstream(ω_w(A)) ≐ A[w] − A", source="snapeq")
def dstream_of_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).dstream(), delayed(a, w).difference(a)


@rule("Istream(A) ∪ A[1] ≐ Dstream(A) ∪ A", source="snapeq")
def what_comes_and_what_goes(free: Free) -> Sides:
    a = free.stream("A")
    return a.istream().union(delayed(a, 1)), a.dstream().union(a)


@rule("A ≐ Istream(A) ∪ (A ∩ A[1])", source="snapeq")
def what_is_new_and_what_stayed(free: Free) -> Sides:
    a = free.stream("A")
    return a, a.istream().union(a.intersection(delayed(a, 1)))


@rule("Istream(ω_∞(A) ⋈_p ω_∞(B)) ≐ (A ⋈_p ω_∞(B)) ∪ (ω_∞(A)[1] ⋈_p B)", source="Blakeley, Larson & Tompa 1986")
def istream_of_join(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    p = free.predicate("p", a, b)
    all_a, all_b = a.window(FOREVER), b.window(FOREVER)
    return all_a.join(all_b, p).istream(), a.join(all_b, p).union(delayed(all_a, 1).join(b, p))


RULES: Final[tuple[Rule, ...]] = (
    delays_add_up,
    window_in_two_parts,
    unbounded_window_in_two_parts,
    window_as_a_difference,
    delay_through_window,
    delay_through_difference,
    delay_through_join,
    delay_through_antijoin,
    delay_through_distinct,
    delay_through_grouping,
    delay_through_landmark,
    istream_by_windows,
    dstream_by_windows,
    istream_of_window,
    dstream_of_window,
    what_comes_and_what_goes,
    what_is_new_and_what_stayed,
    istream_of_join,
)
