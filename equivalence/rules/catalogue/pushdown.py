"""Selections pushed through joins of every kind, and conditions taken out of them."""

from typing import Final

from equivalence.rules.idioms import not_true, padded, pair, present
from equivalence.rules.literature import OURS, OUTER_JOINS, TEXTBOOK
from equivalence.rules.statement import Free, Sides, rule
from semantics import Type, col


@rule("σ_p(A ⋈_θ B) ≐ A ⋈_{θ ∧ p} B", source=TEXTBOOK)
def filter_into_join(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a, b)
    return a.join(b, on).filter(p), a.join(b, on & p)


@rule("σ_p(A ⋈_θ B) ≐ σ_p(A) ⋈_θ B, p over A", source=TEXTBOOK)
def filter_through_join_to_the_left(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.join(b, on).filter(p), a.filter(p).join(b, on)


@rule("σ_q(A ⋈_θ B) ≐ A ⋈_θ σ_q(B), q over B", source=TEXTBOOK)
def filter_through_join_to_the_right(free: Free) -> Sides:
    a, b, on = pair(free)
    q = free.predicate("q", b)
    return a.join(b, on).filter(q), a.join(b.filter(q), on)


@rule("σ_{x=c}(A ⋈_{x=y} B) ≐ σ_{x=c}(A) ⋈_{x=y} σ_{y=c}(B)", source=TEXTBOOK)
def filter_carried_over_by_an_equation(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT, Type.STR)), free.stream("B", types=(Type.INT, Type.STR))
    c = free.constant("c", Type.INT)
    x, y = col("a1"), col("b1")
    return a.join(b, x == y).filter(x == c), a.filter(x == c).join(b.filter(y == c), x == y)


@rule("σ_p(A ⟕_θ B) ≐ σ_p(A) ⟕_θ B, p over A", source=OUTER_JOINS)
def filter_through_left_join(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.left_join(b, on).filter(p), a.filter(p).left_join(b, on)


@rule("σ_q(A ⟖_θ B) ≐ A ⟖_θ σ_q(B), q over B", source=OUTER_JOINS)
def filter_through_right_join(free: Free) -> Sides:
    a, b, on = pair(free)
    q = free.predicate("q", b)
    return a.right_join(b, on).filter(q), a.right_join(b.filter(q), on)


@rule("A ⟕_{θ ∧ q} B ≐ A ⟕_θ σ_q(B), q over B", source=OUTER_JOINS)
def condition_out_of_left_join(free: Free) -> Sides:
    a, b, on = pair(free)
    q = free.predicate("q", b)
    return a.left_join(b, on & q), a.left_join(b.filter(q), on)


@rule("σ_p(A ⋉_θ B) ≐ σ_p(A) ⋉_θ B", source=TEXTBOOK)
def filter_through_semijoin(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.semijoin(b, on).filter(p), a.filter(p).semijoin(b, on)


@rule("σ_p(A ▷_θ B) ≐ σ_p(A) ▷_θ B", source=TEXTBOOK)
def filter_through_antijoin(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.antijoin(b, on).filter(p), a.filter(p).antijoin(b, on)


@rule("A ⋈_{θ ∧ p} B ≐ σ_p(A) ⋈_θ B, p over A", source=TEXTBOOK)
def condition_out_of_join(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.join(b, on & p), a.filter(p).join(b, on)


@rule("A ⋉_{θ ∧ p} B ≐ σ_p(A) ⋉_θ B, p over A", source=TEXTBOOK)
def condition_out_of_semijoin_to_the_left(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.semijoin(b, on & p), a.filter(p).semijoin(b, on)


@rule("A ⋉_{θ ∧ q} B ≐ A ⋉_θ σ_q(B), q over B", source=TEXTBOOK)
def condition_out_of_semijoin_to_the_right(free: Free) -> Sides:
    a, b, on = pair(free)
    q = free.predicate("q", b)
    return a.semijoin(b, on & q), a.semijoin(b.filter(q), on)


@rule("A ▷_{θ ∧ q} B ≐ A ▷_θ σ_q(B), q over B", source=TEXTBOOK)
def condition_out_of_antijoin_to_the_right(free: Free) -> Sides:
    a, b, on = pair(free)
    q = free.predicate("q", b)
    return a.antijoin(b, on & q), a.antijoin(b.filter(q), on)


@rule("A ▷_{θ ∧ p} B ≐ (σ_p(A) ▷_θ B) ∪ σ_{p is not TRUE}(A), p over A", source=OURS)
def condition_out_of_antijoin_to_the_left(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.antijoin(b, on & p), a.filter(p).antijoin(b, on).union(a.filter(not_true(p)))


@rule("A ⟕_{θ ∧ p} B ≐ (σ_p(A) ⟕_θ B) ∪ (σ_{p is not TRUE}(A) with NULLs), p over A", source=OURS)
def condition_out_of_left_join_to_the_left(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a)
    return a.left_join(b, on & p), a.filter(p).left_join(b, on).union(padded(a.filter(not_true(p)), b))


@rule("σ_p(A ⟗_θ B) ≐ σ_p(A) ⟕_θ B, p over A, true of no row of NULLs", source=OUTER_JOINS)
def filter_through_full_join(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a) & present(a)
    return a.full_join(b, on).filter(p), a.filter(p).left_join(b, on)


@rule("σ_q(A ⟕_θ B) ≐ σ_q(A ⋈_θ B), q over B, true of no row of NULLs", source=OUTER_JOINS)
def filter_makes_left_join_a_join(free: Free) -> Sides:
    a, b, on = pair(free)
    q = free.predicate("q", b) & present(b)
    return a.left_join(b, on).filter(q), a.join(b, on).filter(q)


@rule("σ_{p ∧ q}(A ⟗_θ B) ≐ σ_{p ∧ q}(A ⋈_θ B), p over A and q over B, true of no row of NULLs", source=OUTER_JOINS)
def filter_makes_full_join_a_join(free: Free) -> Sides:
    a, b, on = pair(free)
    p = free.predicate("p", a, b) & present(a) & present(b)
    return a.full_join(b, on).filter(p), a.join(b, on).filter(p)


RULES: Final = (
    filter_into_join,
    filter_through_join_to_the_left,
    filter_through_join_to_the_right,
    filter_carried_over_by_an_equation,
    filter_through_left_join,
    filter_through_right_join,
    condition_out_of_left_join,
    filter_through_semijoin,
    filter_through_antijoin,
    condition_out_of_join,
    condition_out_of_semijoin_to_the_left,
    condition_out_of_semijoin_to_the_right,
    condition_out_of_antijoin_to_the_right,
    condition_out_of_antijoin_to_the_left,
    condition_out_of_left_join_to_the_left,
    filter_through_full_join,
    filter_makes_left_join_a_join,
    filter_makes_full_join_a_join,
)
