"""Outer joins: what they are made of, reordered, simplified."""

from typing import Final

from equivalence.rules.idioms import chain, in_order, padded, padded_before, pair, present, star, twins_and_another
from equivalence.rules.literature import OURS, OUTER_JOINS
from equivalence.rules.statement import Free, Sides, rule
from semantics import lit


@rule("A ⟕_θ B ≐ (A ⋈_θ B) ∪ ((A ▷_θ B) with NULLs)", source=OUTER_JOINS)
def left_join_as_union(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.left_join(b, on), a.join(b, on).union(padded(a.antijoin(b, on), b))


@rule("A ⟖_θ B ≐ (A ⋈_θ B) ∪ (NULLs with (B ▷_θ A))", source=OUTER_JOINS)
def right_join_as_union(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.right_join(b, on), a.join(b, on).union(padded_before(a, b.antijoin(a, on)))


@rule("A ⟗_θ B ≐ (A ⟕_θ B) ∪ (NULLs with (B ▷_θ A))", source=OUTER_JOINS)
def full_join_as_union(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.full_join(b, on), a.left_join(b, on).union(padded_before(a, b.antijoin(a, on)))


@rule("(A ⟕_θ B) ∪ (A ⟖_θ B) ≐ (A ⟗_θ B) ∪ (A ⋈_θ B)", source=OURS)
def left_and_right_make_full_and_inner(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.left_join(b, on).union(a.right_join(b, on)), a.full_join(b, on).union(a.join(b, on))


@rule("A ⟖_θ B ≐ π_{A,B}(B ⟕_θ A)", source=OUTER_JOINS)
def right_join_as_left_join(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.right_join(b, on), in_order(b.left_join(a, on), a, b)


@rule("A ⟗_θ B ≐ π_{A,B}(B ⟗_θ A)", source=OUTER_JOINS)
def full_join_commutes(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.full_join(b, on), in_order(b.full_join(a, on), a, b)


@rule("A ⟗_FALSE B ≐ (A with NULLs) ∪ (NULLs with B): the outer union", source=OUTER_JOINS)
def outer_union(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    return a.full_join(b, lit(False)), padded(a, b).union(padded_before(a, b))


@rule("A ⟕_θ B ≐ A ⟕_θ (B ⋉_θ A)", source=OURS)
def left_join_with_reduction(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.left_join(b, on), a.left_join(b.semijoin(a, on), on)


@rule("A ⟕_θ B ≐ ((A ⋉_θ B) ⋈_θ B) ∪ ((A ▷_θ B) ⟕_θ B)", source=OURS)
def left_join_in_two_parts(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.left_join(b, on), a.semijoin(b, on).join(b, on).union(a.antijoin(b, on).left_join(b, on))


@rule("(A ∪ B) ⟕_θ C ≐ (A ⟕_θ C) ∪ (B ⟕_θ C)", source=OUTER_JOINS)
def left_join_over_union(free: Free) -> Sides:
    a, b, c, on = twins_and_another(free)
    return a.union(b).left_join(c, on), a.left_join(c, on).union(b.left_join(c, on))


@rule("(A − B) ⟕_θ C ≐ (A ⟕_θ C) − (B ⟕_θ C)", source=OURS)
def left_join_over_difference(free: Free) -> Sides:
    a, b, c, on = twins_and_another(free)
    return a.difference(b).left_join(c, on), a.left_join(c, on).difference(b.left_join(c, on))


@rule("(A ⟕_θ B) ⟕_φ C ≐ π_{A,B,C}((A ⟕_φ C) ⟕_θ B), φ over A and C", source=OUTER_JOINS)
def left_joins_of_one_stream_commute(free: Free) -> Sides:
    a, b, on, c, also = star(free)
    return a.left_join(b, on).left_join(c, also), in_order(a.left_join(c, also).left_join(b, on), a, b, c)


@rule("(A ⟕_θ B) ⟕_φ C ≐ A ⟕_θ (B ⟕_φ C), φ over B and C, true of no row of NULLs for B", source=OUTER_JOINS)
def left_join_associates(free: Free) -> Sides:
    a, b, on, c, also = chain(free)
    also &= present(b)
    return a.left_join(b, on).left_join(c, also), a.left_join(b.left_join(c, also), on)


@rule("(A ⋈_θ B) ⟕_φ C ≐ A ⋈_θ (B ⟕_φ C), φ over B and C", source=OUTER_JOINS)
def join_and_left_join_associate(free: Free) -> Sides:
    a, b, on, c, also = chain(free)
    return a.join(b, on).left_join(c, also), a.join(b.left_join(c, also), on)


@rule("(A ⟕_θ B) ⋈_φ C ≐ π_{A,B,C}((A ⋈_φ C) ⟕_θ B), φ over A and C", source=OUTER_JOINS)
def join_and_left_join_commute(free: Free) -> Sides:
    a, b, on, c, also = star(free)
    return a.left_join(b, on).join(c, also), in_order(a.join(c, also).left_join(b, on), a, b, c)


@rule("(A ⟕_θ B) ⋈_φ C ≐ (A ⋈_θ B) ⋈_φ C, φ true of no row of NULLs for B", source=OUTER_JOINS)
def join_makes_left_join_a_join(free: Free) -> Sides:
    a, b, on, c, also = chain(free)
    also &= present(b)
    return a.left_join(b, on).join(c, also), a.join(b, on).join(c, also)


@rule("(A ⟗_θ B) ⟕_φ C ≐ A ⟗_θ (B ⟕_φ C), φ over B and C, true of no row of NULLs for B", source=OUTER_JOINS)
def full_join_and_left_join_associate(free: Free) -> Sides:
    a, b, on, c, also = chain(free)
    also &= present(b)
    return a.full_join(b, on).left_join(c, also), a.full_join(b.left_join(c, also), on)


@rule("(A ⟕_θ B) ⋉_φ C ≐ (A ⋉_φ C) ⟕_θ B, φ over A and C", source=OURS)
def semijoin_through_left_join(free: Free) -> Sides:
    a, b, on, c, also = star(free)
    return a.left_join(b, on).semijoin(c, also), a.semijoin(c, also).left_join(b, on)


RULES: Final = (
    left_join_as_union,
    right_join_as_union,
    full_join_as_union,
    left_and_right_make_full_and_inner,
    right_join_as_left_join,
    full_join_commutes,
    outer_union,
    left_join_with_reduction,
    left_join_in_two_parts,
    left_join_over_union,
    left_join_over_difference,
    left_joins_of_one_stream_commute,
    left_join_associates,
    join_and_left_join_associate,
    join_and_left_join_commute,
    join_makes_left_join_a_join,
    full_join_and_left_join_associate,
    semijoin_through_left_join,
)
