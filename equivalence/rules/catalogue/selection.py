"""Selections: split, merged, and moved through maps, set operations and products."""

from typing import Final

from equivalence.rules.idioms import after, not_true, twins
from equivalence.rules.literature import BAGS, OURS, TEXTBOOK, paper
from equivalence.rules.statement import Free, Sides, rule
from semantics import Type, lit, null


@rule("σ_p(σ_q(A)) ≐ σ_{p ∧ q}(A)", source=TEXTBOOK)
def filter_cascade(free: Free) -> Sides:
    a = free.stream("A")
    p, q = free.predicate("p", a), free.predicate("q", a)
    return a.filter(q).filter(p), a.filter(p & q)


@rule("σ_p(σ_q(A)) ≐ σ_q(σ_p(A))", source=TEXTBOOK)
def filters_commute(free: Free) -> Sides:
    a = free.stream("A")
    p, q = free.predicate("p", a), free.predicate("q", a)
    return a.filter(q).filter(p), a.filter(p).filter(q)


@rule("σ_p(σ_p(A)) ≐ σ_p(A)", source=TEXTBOOK)
def filter_twice(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a.filter(p).filter(p), a.filter(p)


@rule("σ_TRUE(A) ≐ A", source=TEXTBOOK)
def filter_true(free: Free) -> Sides:
    a = free.stream("A")
    return a.filter(lit(True)), a


@rule("B ∪ σ_NULL(A) ≐ B", source=OURS)
def filter_unknown(free: Free) -> Sides:
    a, b = twins(free)
    return b.union(a.filter(null(Type.BOOL))), b


@rule("σ_{p ∧ q}(A) ≐ σ_p(A) ∩ σ_q(A)", source=TEXTBOOK)
def conjunction_as_intersection(free: Free) -> Sides:
    a = free.stream("A")
    p, q = free.predicate("p", a), free.predicate("q", a)
    return a.filter(p & q), a.filter(p).intersection(a.filter(q))


@rule("σ_{p ∨ q}(A) ≐ σ_p(A) ∪ (σ_q(A) − σ_p(A))", source=BAGS)
def disjunction_as_difference(free: Free) -> Sides:
    a = free.stream("A")
    p, q = free.predicate("p", a), free.predicate("q", a)
    return a.filter(p | q), a.filter(p).union(a.filter(q).difference(a.filter(p)))


@rule("σ_{p ∨ q}(A) ≐ σ_p(A) ∪ σ_{q ∧ p is not TRUE}(A)", source=OURS)
def disjunction_as_disjoint_union(free: Free) -> Sides:
    a = free.stream("A")
    p, q = free.predicate("p", a), free.predicate("q", a)
    return a.filter(p | q), a.filter(p).union(a.filter(q & not_true(p)))


@rule("A ≐ σ_p(A) ∪ σ_{¬p}(A) ∪ σ_{p is NULL}(A)", source=OURS)
def three_way_partition(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a, a.filter(p).union(a.filter(~p)).union(a.filter(p.is_null()))


@rule("A − σ_p(A) ≐ σ_{p is not TRUE}(A)", source=OURS)
def complement(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a.difference(a.filter(p)), a.filter(not_true(p))


@rule("σ_p(A ∪ B) ≐ σ_p(A) ∪ σ_p(B)", source=paper("rule (10)"))
def filter_through_union(free: Free) -> Sides:
    a, b = twins(free)
    p = free.predicate("p", a)
    return a.union(b).filter(p), a.filter(p).union(b.filter(p))


@rule("σ_p(A − B) ≐ σ_p(A) − σ_p(B)", source=TEXTBOOK)
def filter_through_difference(free: Free) -> Sides:
    a, b = twins(free)
    p = free.predicate("p", a)
    return a.difference(b).filter(p), a.filter(p).difference(b.filter(p))


@rule("σ_p(A − B) ≐ σ_p(A) − B", source=TEXTBOOK)
def filter_through_difference_on_the_left(free: Free) -> Sides:
    a, b = twins(free)
    p = free.predicate("p", a)
    return a.difference(b).filter(p), a.filter(p).difference(b)


@rule("σ_p(A ∩ B) ≐ σ_p(A) ∩ σ_p(B)", source=TEXTBOOK)
def filter_through_intersection(free: Free) -> Sides:
    a, b = twins(free)
    p = free.predicate("p", a)
    return a.intersection(b).filter(p), a.filter(p).intersection(b.filter(p))


@rule("σ_p(A ∩ B) ≐ A ∩ σ_p(B)", source=TEXTBOOK)
def filter_through_intersection_on_one_side(free: Free) -> Sides:
    a, b = twins(free)
    p = free.predicate("p", a)
    return a.intersection(b).filter(p), a.intersection(b.filter(p))


@rule("σ_p(δ(A)) ≐ δ(σ_p(A))", source=TEXTBOOK)
def filter_through_distinct(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a.distinct().filter(p), a.filter(p).distinct()


@rule("σ_p(μ_f(A)) ≐ μ_f(σ_{p∘f}(A))", source=TEXTBOOK)
def filter_through_map(free: Free) -> Sides:
    a = free.stream("A")
    f, g = free.function("f", a), free.function("g", a)
    mapped = a.select(y=f, z=g)
    p = free.predicate("p", mapped)
    return mapped.filter(p), a.filter(after(p, mapped, y=f, z=g)).select(y=f, z=g)


@rule("σ_p(A × B) ≐ σ_p(A) × B, p over A", source=TEXTBOOK)
def filter_through_product(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    p = free.predicate("p", a)
    return a.product(b).filter(p), a.filter(p).product(b)


@rule("σ_{p ∧ q}(A × B) ≐ σ_p(A) × σ_q(B), p over A, q over B", source=TEXTBOOK)
def filter_split_over_product(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    p, q = free.predicate("p", a), free.predicate("q", b)
    return a.product(b).filter(p & q), a.filter(p).product(b.filter(q))


RULES: Final = (
    filter_cascade,
    filters_commute,
    filter_twice,
    filter_true,
    filter_unknown,
    conjunction_as_intersection,
    disjunction_as_difference,
    disjunction_as_disjoint_union,
    three_way_partition,
    complement,
    filter_through_union,
    filter_through_difference,
    filter_through_difference_on_the_left,
    filter_through_intersection,
    filter_through_intersection_on_one_side,
    filter_through_distinct,
    filter_through_map,
    filter_through_product,
    filter_split_over_product,
)
