"""Products and joins: reordered, taken apart, and distributed over set operations."""

from typing import Final

from equivalence.rules.idioms import chain, in_order, pair, star, twins, twins_and_another
from equivalence.rules.literature import BAGS, OURS, SEMIJOINS, TEXTBOOK, paper
from equivalence.rules.statement import Free, Sides, rule
from semantics import Type, col


@rule("A × B ≐ π_{A,B}(B × A)", source=TEXTBOOK)
def product_commutes(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    return a.product(b), in_order(b.product(a), a, b)


@rule("(A × B) × C ≐ A × (B × C)", source=paper("rule (9)"))
def product_associates(free: Free) -> Sides:
    a, b, c = free.stream("A"), free.stream("B"), free.stream("C")
    return a.product(b).product(c), a.product(b.product(c))


@rule("A ⋈_θ B ≐ σ_θ(A × B)", source=TEXTBOOK)
def join_as_filtered_product(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.join(b, on), a.product(b).filter(on)


@rule("A ⋈_θ B ≐ π_{A,B}(B ⋈_θ A)", source=TEXTBOOK)
def join_commutes(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.join(b, on), in_order(b.join(a, on), a, b)


@rule("(A ⋈_θ B) ⋈_φ C ≐ A ⋈_θ (B ⋈_φ C), θ over A and B, φ over B and C", source=TEXTBOOK)
def join_associates(free: Free) -> Sides:
    a, b, on, c, also = chain(free)
    return a.join(b, on).join(c, also), a.join(b.join(c, also), on)


@rule("(A ⋈_θ B) ⋈_φ C ≐ A ⋈_{θ ∧ φ} (B × C), φ over all three", source=TEXTBOOK)
def join_associates_with_any_condition(free: Free) -> Sides:
    a, b, on = pair(free)
    c = free.stream("C")
    also = free.predicate("φ", a.product(b), c)
    return a.join(b, on).join(c, also), a.join(b.product(c), on & also)


@rule("(A ⋈_θ B) ⋈_φ C ≐ π_{A,B,C}((A ⋈_φ C) ⋈_θ B), φ over A and C", source=TEXTBOOK)
def joins_of_one_stream_commute(free: Free) -> Sides:
    a, b, on, c, also = star(free)
    return a.join(b, on).join(c, also), in_order(a.join(c, also).join(b, on), a, b, c)


@rule("A ⋈_{x=y} B ⋈_{y=z} C ≐ A ⋈_{x=y} B ⋈_{x=z} C", source=TEXTBOOK)
def join_on_equal_columns_may_take_either(free: Free) -> Sides:
    a, b, c = (free.stream(name, types=(Type.INT,)) for name in "ABC")
    x, y, z = col("a1"), col("b1"), col("c1")
    return a.join(b, x == y).join(c, y == z), a.join(b, x == y).join(c, x == z)


@rule("(A ∪ B) × C ≐ (A × C) ∪ (B × C)", source=TEXTBOOK)
def product_over_union(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C")
    return a.union(b).product(c), a.product(c).union(b.product(c))


@rule("(A − B) × C ≐ (A × C) − (B × C)", source=BAGS)
def product_over_difference(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C")
    return a.difference(b).product(c), a.product(c).difference(b.product(c))


@rule("(A ∩ B) × C ≐ (A × C) ∩ (B × C)", source=BAGS)
def product_over_intersection(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C")
    return a.intersection(b).product(c), a.product(c).intersection(b.product(c))


@rule("(A ∪ B) ⋈_θ C ≐ (A ⋈_θ C) ∪ (B ⋈_θ C)", source=TEXTBOOK)
def join_over_union(free: Free) -> Sides:
    a, b, c, on = twins_and_another(free)
    return a.union(b).join(c, on), a.join(c, on).union(b.join(c, on))


@rule("C ⋈_θ (A ∪ B) ≐ (C ⋈_θ A) ∪ (C ⋈_θ B)", source=TEXTBOOK)
def join_over_union_on_the_right(free: Free) -> Sides:
    a, b = twins(free)
    c = free.stream("C")
    on = free.predicate("θ", c, a)
    return c.join(a.union(b), on), c.join(a, on).union(c.join(b, on))


@rule("(A − B) ⋈_θ C ≐ (A ⋈_θ C) − (B ⋈_θ C)", source=BAGS)
def join_over_difference(free: Free) -> Sides:
    a, b, c, on = twins_and_another(free)
    return a.difference(b).join(c, on), a.join(c, on).difference(b.join(c, on))


@rule("A ⋈_θ B ≐ (A ⋉_θ B) ⋈_θ B", source=SEMIJOINS)
def join_after_reduction(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.join(b, on), a.semijoin(b, on).join(b, on)


@rule("(A ⋈_θ B) ⋉_φ C ≐ (A ⋉_φ C) ⋈_θ B, φ over A and C", source=SEMIJOINS)
def semijoin_through_join(free: Free) -> Sides:
    a, b, on, c, also = star(free)
    return a.join(b, on).semijoin(c, also), a.semijoin(c, also).join(b, on)


@rule("(A ⋈_θ B) ▷_φ C ≐ (A ▷_φ C) ⋈_θ B, φ over A and C", source=OURS)
def antijoin_through_join(free: Free) -> Sides:
    a, b, on, c, also = star(free)
    return a.join(b, on).antijoin(c, also), a.antijoin(c, also).join(b, on)


@rule("A ⋈_{θ ∨ φ} B ≐ (A ⋈_θ B) ∪ ((A ⋈_φ B) − (A ⋈_θ B))", source=BAGS)
def join_on_either_condition(free: Free) -> Sides:
    a, b, on = pair(free)
    also = free.predicate("φ", a, b)
    return a.join(b, on | also), a.join(b, on).union(a.join(b, also).difference(a.join(b, on)))


RULES: Final = (
    product_commutes,
    product_associates,
    join_as_filtered_product,
    join_commutes,
    join_associates,
    join_associates_with_any_condition,
    joins_of_one_stream_commute,
    join_on_equal_columns_may_take_either,
    product_over_union,
    product_over_difference,
    product_over_intersection,
    join_over_union,
    join_over_union_on_the_right,
    join_over_difference,
    join_after_reduction,
    semijoin_through_join,
    antijoin_through_join,
    join_on_either_condition,
)
