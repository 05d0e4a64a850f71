"""Tempting rules that do not hold: none may be proved, each is refuted by a model that replays."""

from collections.abc import Callable
from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER, Query, Type, col, count, left, max_, right, sum_
from tests.equivalence.prover.true_rules import pair, twins

RULES: Final[list[Rule]] = []


def fails(statement: str) -> Callable[[Callable[[Free], Sides]], None]:
    """A rule that is false."""
    return lambda sides: RULES.append(rule(statement, source="test", valid=False)(sides))


@fails("δ(A ∪ B) ≐ δ(A) ∪ δ(B)")
def distinct_over_union(free: Free) -> Sides:
    a, b = twins(free)
    return a.union(b).distinct(), a.distinct().union(b.distinct())


@fails("σ_p(A − B) ≐ A − σ_p(B)")
def filter_to_the_wrong_side(free: Free) -> Sides:
    a, b = twins(free)
    p = free.predicate("p", a)
    return a.difference(b).filter(p), a.difference(b.filter(p))


@fails("A ≐ σ_p(A) ∪ σ_{not p}(A): NULL is neither")
def excluded_middle(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a, a.filter(p).union(a.filter(~p))


@fails("ω_w(δ(A)) ≐ δ(ω_w(A))")
def window_through_distinct(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.distinct().window(w), a.window(w).distinct()


@fails("ω_w(A × B) ≐ ω_w(A) × ω_w(B)")
def window_through_product(free: Free) -> Sides:
    a, b, w = free.stream("A"), free.stream("B"), free.number("w")
    return a.product(b).window(w), a.window(w).product(b.window(w))


@fails("ω_w(A − B) ≐ ω_w(A) − ω_w(B)")
def window_through_difference(free: Free) -> Sides:
    (a, b), w = twins(free), free.number("w")
    return a.difference(b).window(w), a.window(w).difference(b.window(w))


@fails("ω_w(A ∩ B) ≐ ω_w(A) ∩ ω_w(B)")
def window_through_intersection(free: Free) -> Sides:
    (a, b), w = twins(free), free.number("w")
    return a.intersection(b).window(w), a.window(w).intersection(b.window(w))


@fails("ω_w(A ⋉_θ B) ≐ ω_w(A) ⋉_θ ω_w(B)")
def window_through_semijoin(free: Free) -> Sides:
    (a, b, on), w = pair(free), free.number("w")
    return a.semijoin(b, on).window(w), a.window(w).semijoin(b.window(w), on)


@fails("μ_f(A − B) ≐ μ_f(A) − μ_f(B)")
def map_through_difference(free: Free) -> Sides:
    a, b = twins(free)
    f = free.function("f", a)
    return a.difference(b).select(y=f), a.select(y=f).difference(b.select(y=f))


@fails("μ_f(A ∩ B) ≐ μ_f(A) ∩ μ_f(B)")
def map_through_intersection(free: Free) -> Sides:
    a, b = twins(free)
    f = free.function("f", a)
    return a.intersection(b).select(y=f), a.select(y=f).intersection(b.select(y=f))


@fails("μ_f(δ(A)) ≐ δ(μ_f(A))")
def map_through_distinct(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    return a.distinct().select(y=f), a.select(y=f).distinct()


@fails("ω_v(ω_w(A)) ≐ ω_{v+w−1}(A)")
def windows_add_up(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    return a.window(v).window(w), a.window(v + w - 1)


@fails("ω_w(ω_w(A)) ≐ ω_w(A)")
def window_twice(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).window(w), a.window(w)


@fails("δ(A − B) ≐ δ(A) − δ(B)")
def distinct_of_difference(free: Free) -> Sides:
    a, b = twins(free)
    return a.difference(b).distinct(), a.distinct().difference(b.distinct())


@fails("(A − B) ∪ B ≐ A")
def take_away_and_put_back(free: Free) -> Sides:
    a, b = twins(free)
    return a.difference(b).union(b), a


@fails("(A ∪ B) − C ≐ (A − C) ∪ (B − C)")
def difference_of_union(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C", like=a)
    return a.union(b).difference(c), a.difference(c).union(b.difference(c))


@fails("A ∩ (B ∪ C) ≐ (A ∩ B) ∪ (A ∩ C)")
def intersection_of_union(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C", like=a)
    return a.intersection(b.union(c)), a.intersection(b).union(a.intersection(c))


@fails("α_SUM(δ(A)) ≐ α_SUM(A)")
def sum_of_distinct(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    return a.distinct().aggregate(s=sum_("a1")), a.aggregate(s=sum_("a1"))


@fails("α_COUNT(ω_w(A)) ≐ ω_w(α_COUNT(A))")
def count_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).aggregate(n=count()), a.aggregate(n=count()).window(w)


@fails("α_COUNT(A) ≐ α_COUNT(A) with its empty row")
def aggregation_gap(free: Free) -> Sides:
    a = free.stream("A")
    return a.aggregate(n=count()), a.aggregate(on_empty=True, n=count())


@fails("COUNT(x) ≐ COUNT(*)")
def count_of_nulls(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    return a.aggregate(n=count("a1")), a.aggregate(n=count())


@fails("α_MAX(A ∪ B) ≐ α_MAX(A)")
def maximum_of_one_side(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    b = free.stream("B", like=a)
    return a.union(b).aggregate(m=max_("a1")), a.aggregate(m=max_("a1"))


@fails("π_A(A ⋈_θ B) ≐ A ⋉_θ B")
def join_as_semijoin(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.join(b, on).select(*a.schema.names), a.semijoin(b, on)


@fails("A ▷_{same row} B ≐ A − B")
def antijoin_as_difference(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    b = free.stream("B", like=a)
    return a.antijoin(b, ~left("a1").is_distinct_from(right("a1"))), a.difference(b)


@fails("σ_p(A ⟕_θ B) ≐ A ⟕_θ σ_p(B), p over B")
def filter_below_left_join(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", b)
    return a.left_join(b, on).filter(p), a.left_join(b.filter(p), on)


@fails("A ⋈_{x=y} B ≐ A ⋈_{x is y} B: NULL equals nothing")
def null_in_join(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT,))
    return a.join(b, col("a1") == col("b1")), a.join(b, ~col("a1").is_distinct_from(col("b1")))


@fails("ω_w(ω_{w,s}(A)) ≐ ω_{w,s}(ω_w(A))")
def window_through_slide(free: Free) -> Sides:
    a, w, s = free.stream("A"), free.number("w"), free.number("s")
    return a.window(w, s).window(w), a.window(w).window(w, s)


@fails("σ_p(ω^rows_N(A)) ≐ ω^rows_N(σ_p(A)), with ties")
def filter_through_ties(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    p = free.predicate("p", a)
    return a.rows(n, ties=True).filter(p), a.filter(p).rows(n, ties=True)


@fails("ω^rows_N(A ∪ B) ≐ ω^rows_N(A) ∪ ω^rows_N(B)")
def rows_of_union(free: Free) -> Sides:
    (a, b), n = twins(free), free.number("n")
    return a.union(b).rows(n), a.rows(n).union(b.rows(n))


@fails("ω^rows_N(A) ≐ ω^rows_N(A) with ties")
def ties(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    return a.rows(n), a.rows(n, ties=True)


@fails("Istream(ω_w(A)) ≐ A")
def istream_of_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).istream(), a


@fails("ω_∞(A) ≐ ω_[a](A)")
def landmark_as_unbounded(free: Free) -> Sides:
    a, start = free.stream("A"), free.number("a", at_least=0)
    return a.window(FOREVER), a.landmark(start)


def often(a: Query, times: int) -> Query:
    """Every row n times as often."""
    return a if times == 1 else a.union(often(a, times - 1))


@fails("B − (A ∪ A) ≐ (B − δ(A)) − A: holds up to multiplicity 3")
def holds_up_to_three(free: Free) -> Sides:
    a, b = twins(free)
    return b.difference(often(a, 2)), b.difference(a.distinct()).difference(a)


@fails("δ(A − (B ∪ B ∪ B)) ≐ δ(δ(A) − B): needs as many as there are")
def needs_four(free: Free) -> Sides:
    a, b = twins(free)
    return a.difference(often(b, 3)).distinct(), a.distinct().difference(b)


@fails("A − 5·δ(A) ≐ ∅: holds up to multiplicity 5")
def holds_up_to_five(free: Free) -> Sides:
    a = free.stream("A")
    return a.difference(often(a.distinct(), 5)), a.difference(a)


@fails("A ∩ 7·δ(A) ≐ A: holds up to multiplicity 7")
def holds_up_to_seven(free: Free) -> Sides:
    a = free.stream("A")
    return a.intersection(often(a.distinct(), 7)), a
