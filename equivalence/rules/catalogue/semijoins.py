"""Semijoins and antijoins: what they are made of, and how they go together."""

from typing import Final

from equivalence.rules.idioms import chain, in_order, pair, present, same, star, twins, twins_and_another
from equivalence.rules.literature import OURS, SEMIJOINS, TEXTBOOK
from equivalence.rules.statement import Free, Sides, rule


@rule("A ≐ (A ⋉_θ B) ∪ (A ▷_θ B)", source=TEXTBOOK)
def with_or_without_a_partner(free: Free) -> Sides:
    a, b, on = pair(free)
    return a, a.semijoin(b, on).union(a.antijoin(b, on))


@rule("A ▷_θ B ≐ A − (A ⋉_θ B)", source=TEXTBOOK)
def antijoin_as_difference(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.antijoin(b, on), a.difference(a.semijoin(b, on))


@rule("A ⋉_θ B ≐ A − (A ▷_θ B)", source=TEXTBOOK)
def semijoin_as_difference(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.semijoin(b, on), a.difference(a.antijoin(b, on))


@rule("A ⋉_θ B ≐ A ∩ π_A(A ⋈_θ B)", source=OURS)
def semijoin_as_intersection(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.semijoin(b, on), a.intersection(in_order(a.join(b, on), a))


@rule("A ▷_θ B ≐ A − π_A(A ⋈_θ B)", source=OURS)
def antijoin_as_difference_from_the_join(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.antijoin(b, on), a.difference(in_order(a.join(b, on), a))


@rule("δ(A ⋉_θ B) ≐ δ(π_A(A ⋈_θ B))", source=SEMIJOINS)
def distinct_semijoin_as_join(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.semijoin(b, on).distinct(), in_order(a.join(b, on), a).distinct()


@rule("A ▷_θ B ≐ π_A(σ_{y is NULL}(A ⟕_θ B)), θ true of no NULL y", source=OURS)
def antijoin_as_left_join(free: Free) -> Sides:
    a, b, on = pair(free)
    on &= present(b)
    return a.antijoin(b, on), in_order(a.left_join(b, on).filter(~present(b)), a)


@rule("A ⋉_θ B ≐ A ⋉_θ δ(B)", source=TEXTBOOK)
def semijoin_with_distinct(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.semijoin(b, on), a.semijoin(b.distinct(), on)


@rule("A ▷_θ B ≐ A ▷_θ δ(B)", source=TEXTBOOK)
def antijoin_with_distinct(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.antijoin(b, on), a.antijoin(b.distinct(), on)


@rule("(A ⋉_θ B) ⋉_θ B ≐ A ⋉_θ B", source=SEMIJOINS)
def semijoin_twice(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.semijoin(b, on).semijoin(b, on), a.semijoin(b, on)


@rule("(A ▷_θ B) ▷_θ B ≐ A ▷_θ B", source=OURS)
def antijoin_twice(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.antijoin(b, on).antijoin(b, on), a.antijoin(b, on)


@rule("(A ⋉_θ B) ⋉_φ C ≐ (A ⋉_φ C) ⋉_θ B", source=SEMIJOINS)
def semijoins_commute(free: Free) -> Sides:
    a, b, on, c, also = star(free)
    return a.semijoin(b, on).semijoin(c, also), a.semijoin(c, also).semijoin(b, on)


@rule("(A ⋉_θ B) ▷_φ C ≐ (A ▷_φ C) ⋉_θ B", source=OURS)
def semijoin_and_antijoin_commute(free: Free) -> Sides:
    a, b, on, c, also = star(free)
    return a.semijoin(b, on).antijoin(c, also), a.antijoin(c, also).semijoin(b, on)


@rule("A ⋉_θ (B ⋉_φ C) ≐ A ⋉_{θ ∧ φ} (B × C), φ over B and C", source=OURS)
def nested_semijoin_flattened(free: Free) -> Sides:
    a, b, on, c, also = chain(free)
    return a.semijoin(b.semijoin(c, also), on), a.semijoin(b.product(c), on & also)


@rule("(A ∪ B) ⋉_θ C ≐ (A ⋉_θ C) ∪ (B ⋉_θ C)", source=TEXTBOOK)
def semijoin_over_union(free: Free) -> Sides:
    a, b, c, on = twins_and_another(free)
    return a.union(b).semijoin(c, on), a.semijoin(c, on).union(b.semijoin(c, on))


@rule("(A − B) ⋉_θ C ≐ (A ⋉_θ C) − B", source=OURS)
def semijoin_over_difference(free: Free) -> Sides:
    a, b, c, on = twins_and_another(free)
    return a.difference(b).semijoin(c, on), a.semijoin(c, on).difference(b)


@rule("(A ∩ B) ▷_θ C ≐ (A ▷_θ C) ∩ B", source=OURS)
def antijoin_over_intersection(free: Free) -> Sides:
    a, b, c, on = twins_and_another(free)
    return a.intersection(b).antijoin(c, on), a.antijoin(c, on).intersection(b)


@rule("C ⋉_θ (A ∪ B) ≐ (C ⋉_θ A) ∪ ((C ▷_θ A) ⋉_θ B)", source=OURS)
def semijoin_with_union(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C")
    on = free.predicate("θ", c, a)
    return c.semijoin(a.union(b), on), c.semijoin(a, on).union(c.antijoin(a, on).semijoin(b, on))


@rule("C ▷_θ (A ∪ B) ≐ (C ▷_θ A) ▷_θ B", source=OURS)
def antijoin_with_union(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C")
    on = free.predicate("θ", c, a)
    return c.antijoin(a.union(b), on), c.antijoin(a, on).antijoin(b, on)


@rule("A ⋉_{θ ∨ φ} B ≐ (A ⋉_θ B) ∪ ((A ▷_θ B) ⋉_φ B)", source=OURS)
def semijoin_on_either_condition(free: Free) -> Sides:
    a, b, on = pair(free)
    also = free.predicate("φ", a, b)
    return a.semijoin(b, on | also), a.semijoin(b, on).union(a.antijoin(b, on).semijoin(b, also))


@rule("A ▷_{θ ∨ φ} B ≐ (A ▷_θ B) ▷_φ B", source=OURS)
def antijoin_on_either_condition(free: Free) -> Sides:
    a, b, on = pair(free)
    also = free.predicate("φ", a, b)
    return a.antijoin(b, on | also), a.antijoin(b, on).antijoin(b, also)


@rule("A ⋉_≡ A ≐ A, ≡ being equality in which NULL equals NULL", source=OURS)
def every_row_is_its_own_partner(free: Free) -> Sides:
    a = free.stream("A")
    return a.semijoin(a, same(a)), a


@rule("A ⋉_θ B ≐ A ▷_≡ (A ▷_θ B)", source=OURS)
def not_among_those_without_a_partner(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.semijoin(b, on), a.antijoin(a.antijoin(b, on), same(a))


RULES: Final = (
    with_or_without_a_partner,
    antijoin_as_difference,
    semijoin_as_difference,
    semijoin_as_intersection,
    antijoin_as_difference_from_the_join,
    distinct_semijoin_as_join,
    antijoin_as_left_join,
    semijoin_with_distinct,
    antijoin_with_distinct,
    semijoin_twice,
    antijoin_twice,
    semijoins_commute,
    semijoin_and_antijoin_commute,
    nested_semijoin_flattened,
    semijoin_over_union,
    semijoin_over_difference,
    antijoin_over_intersection,
    semijoin_with_union,
    antijoin_with_union,
    semijoin_on_either_condition,
    antijoin_on_either_condition,
    every_row_is_its_own_partner,
    not_among_those_without_a_partner,
)
