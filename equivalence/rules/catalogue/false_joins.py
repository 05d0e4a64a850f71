"""Tempting, and false: joins of all kinds that forget multiplicities, NULL or the rows that are padded."""

from typing import Final

from equivalence.rules.idioms import chain, equal, in_order, pair, twins
from equivalence.rules.literature import OURS
from equivalence.rules.statement import Free, Sides, rule
from semantics import col


@rule("A ⋉_θ B ≐ π_A(A ⋈_θ B)", source=OURS, valid=False)
def semijoin_as_join(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.semijoin(b, on), in_order(a.join(b, on), a)


@rule("A ⋉_θ B ≐ π_A(A ⋈_θ δ(B))", source=OURS, valid=False)
def semijoin_as_join_with_distinct(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.semijoin(b, on), in_order(a.join(b.distinct(), on), a)


@rule("A ⋉_θ B ≐ δ(π_A(A ⋈_θ B))", source=OURS, valid=False)
def semijoin_as_distinct_join(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.semijoin(b, on), in_order(a.join(b, on), a).distinct()


@rule("C ⋉_θ (A ∪ B) ≐ (C ⋉_θ A) ∪ (C ⋉_θ B)", source=OURS, valid=False)
def semijoin_over_union_on_the_right(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C")
    on = free.predicate("θ", c, a)
    return c.semijoin(a.union(b), on), c.semijoin(a, on).union(c.semijoin(b, on))


@rule("C ▷_θ (A ∪ B) ≐ (C ▷_θ A) ∪ (C ▷_θ B)", source=OURS, valid=False)
def antijoin_over_union_on_the_right(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C")
    on = free.predicate("θ", c, a)
    return c.antijoin(a.union(b), on), c.antijoin(a, on).union(c.antijoin(b, on))


@rule("C ⟕_θ (A ∪ B) ≐ (C ⟕_θ A) ∪ (C ⟕_θ B)", source=OURS, valid=False)
def left_join_over_union_on_the_right(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C")
    on = free.predicate("θ", c, a)
    return c.left_join(a.union(b), on), c.left_join(a, on).union(c.left_join(b, on))


@rule("A ⋉_{θ ∧ φ} B ≐ (A ⋉_θ B) ⋉_φ B", source=OURS, valid=False)
def semijoin_on_both_conditions(free: Free) -> Sides:
    a, b, on = pair(free)
    also = free.predicate("φ", a, b)
    return a.semijoin(b, on & also), a.semijoin(b, on).semijoin(b, also)


@rule("A ⋉_{θ ∨ φ} B ≐ (A ⋉_θ B) ∪ (A ⋉_φ B)", source=OURS, valid=False)
def semijoin_on_either_condition_as_union(free: Free) -> Sides:
    a, b, on = pair(free)
    also = free.predicate("φ", a, b)
    return a.semijoin(b, on | also), a.semijoin(b, on).union(a.semijoin(b, also))


@rule("A ▷_θ B ≐ A ⋉_{¬θ} B", source=OURS, valid=False)
def antijoin_by_negation(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.antijoin(b, on), a.semijoin(b, ~on)


@rule("A ▷_θ B ≐ π_A(σ_{y is NULL}(A ⟕_θ B)), y a column of B", source=OURS, valid=False)
def antijoin_by_missing_partner(free: Free) -> Sides:
    a, b, on = pair(free)
    missing = col(b.schema.names[0]).is_null()
    return a.antijoin(b, on), in_order(a.left_join(b, on).filter(missing), a)


@rule("A ⋉_= A ≐ A, = in all columns", source=OURS, valid=False)
def every_row_equals_itself(free: Free) -> Sides:
    a = free.stream("A")
    return a.semijoin(a, equal(a)), a


@rule("A ⟕_θ B ≐ π_{A,B}(B ⟕_θ A)", source=OURS, valid=False)
def left_join_commutes(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.left_join(b, on), in_order(b.left_join(a, on), a, b)


@rule("(A ⟕_θ B) ∪ (A ⟖_θ B) ≐ A ⟗_θ B", source=OURS, valid=False)
def full_join_as_left_and_right(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.left_join(b, on).union(a.right_join(b, on)), a.full_join(b, on)


@rule("(A ⟕_θ B) ⟕_φ C ≐ A ⟕_θ (B ⟕_φ C), φ over B and C", source=OURS, valid=False)
def left_join_associates_with_any_condition(free: Free) -> Sides:
    a, b, on, c, also = chain(free)
    return a.left_join(b, on).left_join(c, also), a.left_join(b.left_join(c, also), on)


@rule("(A ⟕_θ B) ⋈_φ C ≐ A ⟕_θ (B ⋈_φ C), φ over B and C", source=OURS, valid=False)
def left_join_and_join_associate(free: Free) -> Sides:
    a, b, on, c, also = chain(free)
    return a.left_join(b, on).join(c, also), a.left_join(b.join(c, also), on)


@rule("A ▷_θ (B ▷_φ C) ≐ (A ▷_θ B) ∪ (A ⋉_θ (B ⋉_φ C)), φ over B and C", source=OURS, valid=False)
def nested_antijoin(free: Free) -> Sides:
    a, b, on, c, also = chain(free)
    flat = a.antijoin(b, on).union(a.semijoin(b.semijoin(c, also), on))
    return a.antijoin(b.antijoin(c, also), on), flat


@rule("(A ∩ B) × (C ∩ D) ≐ (A × C) ∩ (B × D)", source=OURS, valid=False)
def product_of_intersections(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C")
    d = free.stream("D", like=c)
    return a.intersection(b).product(c.intersection(d)), a.product(c).intersection(b.product(d))


@rule("A ⋈_≡ ρ(A) ≐ μ_{A,A}(A), joined on all columns", source=OURS, valid=False)
def self_join_on_all_columns(free: Free) -> Sides:
    a = free.stream("A")
    again = a.prefix("other_")
    names = list(zip(a.schema.names, again.schema.names, strict=True))
    on = [~col(old).is_distinct_from(col(new)) for old, new in names]
    return a.join(again, *on), a.select(*a.schema.names, **{new: col(old) for old, new in names})


FALSE: Final = (
    semijoin_as_join,
    semijoin_as_join_with_distinct,
    semijoin_as_distinct_join,
    semijoin_over_union_on_the_right,
    antijoin_over_union_on_the_right,
    left_join_over_union_on_the_right,
    semijoin_on_both_conditions,
    semijoin_on_either_condition_as_union,
    antijoin_by_negation,
    antijoin_by_missing_partner,
    every_row_equals_itself,
    left_join_commutes,
    full_join_as_left_and_right,
    left_join_associates_with_any_condition,
    left_join_and_join_associate,
    nested_antijoin,
    product_of_intersections,
    self_join_on_all_columns,
)
