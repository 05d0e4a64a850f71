"""Tempting, and false: selections and maps that forget NULL, duplicates or the rows that a join pads."""

from typing import Final

from equivalence.rules.idioms import extended, pair, twins
from equivalence.rules.literature import OURS
from equivalence.rules.statement import Free, Sides, rule


@rule("σ_{p ∨ q}(A) ≐ σ_p(A) ∪ σ_q(A)", source=OURS, valid=False)
def disjunction_as_union(free: Free) -> Sides:
    a = free.stream("A")
    p, q = free.predicate("p", a), free.predicate("q", a)
    return a.filter(p | q), a.filter(p).union(a.filter(q))


@rule("σ_{p ∨ q}(A) ≐ σ_p(A) ∪ σ_{q ∧ ¬p}(A)", source=OURS, valid=False)
def disjunction_by_negation(free: Free) -> Sides:
    a = free.stream("A")
    p, q = free.predicate("p", a), free.predicate("q", a)
    return a.filter(p | q), a.filter(p).union(a.filter(q & ~p))


@rule("A ≐ σ_p(A) ∪ σ_{¬p}(A)", source=OURS, valid=False)
def two_way_partition(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a, a.filter(p).union(a.filter(~p))


@rule("A − σ_p(A) ≐ σ_{¬p}(A)", source=OURS, valid=False)
def complement_by_negation(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a.difference(a.filter(p)), a.filter(~p)


@rule("σ_p(A − B) ≐ A − σ_p(B)", source=OURS, valid=False)
def filter_through_difference_on_the_right(free: Free) -> Sides:
    a, b = twins(free)
    p = free.predicate("p", a)
    return a.difference(b).filter(p), a.difference(b.filter(p))


@rule("σ_p(A) − σ_q(A) ≐ σ_{p ∧ ¬q}(A)", source=OURS, valid=False)
def difference_of_filters(free: Free) -> Sides:
    a = free.stream("A")
    p, q = free.predicate("p", a), free.predicate("q", a)
    return a.filter(p).difference(a.filter(q)), a.filter(p & ~q)


@rule("σ_q(A ⟕_θ B) ≐ A ⟕_θ σ_q(B), q over B", source=OURS, valid=False)
def filter_into_the_padded_side(free: Free) -> Sides:
    a, b, on = pair(free)
    q = free.predicate("q", b)
    return a.left_join(b, on).filter(q), a.left_join(b.filter(q), on)


@rule("σ_q(A ⟕_θ B) ≐ σ_q(A ⋈_θ B), q over B", source=OURS, valid=False)
def filter_makes_any_left_join_a_join(free: Free) -> Sides:
    a, b, on = pair(free)
    q = free.predicate("q", b)
    return a.left_join(b, on).filter(q), a.join(b, on).filter(q)


@rule("A ⟕_{θ ∧ p} B ≐ σ_p(A) ⟕_θ B, p over A", source=OURS, valid=False)
def condition_out_of_left_join_as_a_filter(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.left_join(b, on & p), a.filter(p).left_join(b, on)


@rule("A ▷_{θ ∧ p} B ≐ σ_p(A) ▷_θ B, p over A", source=OURS, valid=False)
def condition_out_of_antijoin_as_a_filter(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.antijoin(b, on & p), a.filter(p).antijoin(b, on)


@rule("σ_p(A ⟗_θ B) ≐ σ_p(A) ⟗_θ B, p over A", source=OURS, valid=False)
def filter_into_full_join(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.full_join(b, on).filter(p), a.filter(p).full_join(b, on)


@rule("μ_f(A − B) ≐ μ_f(A) − μ_f(B)", source=OURS, valid=False)
def map_through_difference(free: Free) -> Sides:
    a, b = twins(free)
    f = free.function("f", a)
    return a.difference(b).select(y=f), a.select(y=f).difference(b.select(y=f))


@rule("μ_f(A ∩ B) ≐ μ_f(A) ∩ μ_f(B)", source=OURS, valid=False)
def map_through_intersection(free: Free) -> Sides:
    a, b = twins(free)
    f = free.function("f", a)
    return a.intersection(b).select(y=f), a.select(y=f).intersection(b.select(y=f))


@rule("δ(μ_f(A)) ≐ μ_f(δ(A))", source=OURS, valid=False)
def map_through_distinct(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    return a.select(y=f).distinct(), a.distinct().select(y=f)


@rule("μ_{A,B,g}(A ⟕_θ B) ≐ A ⟕_θ μ_{B,g}(B), g over B", source=OURS, valid=False)
def extension_of_the_padded_side(free: Free) -> Sides:
    a, b, on = pair(free)
    g = free.function("g", b)
    return extended(a.left_join(b, on), y=g), a.left_join(extended(b, y=g), on)


FALSE: Final = (
    disjunction_as_union,
    disjunction_by_negation,
    two_way_partition,
    complement_by_negation,
    filter_through_difference_on_the_right,
    difference_of_filters,
    filter_into_the_padded_side,
    filter_makes_any_left_join_a_join,
    condition_out_of_left_join_as_a_filter,
    condition_out_of_antijoin_as_a_filter,
    filter_into_full_join,
    map_through_difference,
    map_through_intersection,
    map_through_distinct,
    extension_of_the_padded_side,
)
