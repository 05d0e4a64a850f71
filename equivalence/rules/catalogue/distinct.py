"""δ: where duplicates go away early, late, or were never there."""

from typing import Final

from equivalence.rules.idioms import larger_union, not_true, pair, same, twins
from equivalence.rules.literature import BAGS, OURS, TEXTBOOK, paper
from equivalence.rules.statement import Free, Sides, rule
from semantics.constraint import DuplicateFree, NotNull


@rule("δ(δ(A)) ≐ δ(A)", source=TEXTBOOK)
def distinct_twice(free: Free) -> Sides:
    a = free.stream("A")
    return a.distinct().distinct(), a.distinct()


@rule("δ(A ∪ B) ≐ δ(δ(A) ∪ δ(B))", source=BAGS)
def distinct_into_union(free: Free) -> Sides:
    a, b = twins(free)
    return a.union(b).distinct(), a.distinct().union(b.distinct()).distinct()


@rule("δ(A ∪ B) ≐ δ(A) ∪ (δ(B) − δ(A))", source=BAGS)
def distinct_union_as_disjoint_union(free: Free) -> Sides:
    a, b = twins(free)
    return a.union(b).distinct(), a.distinct().union(b.distinct().difference(a.distinct()))


@rule("δ(A ⊔ B) ≐ δ(A ∪ B)", source=BAGS)
def distinct_of_either_union(free: Free) -> Sides:
    a, b = twins(free)
    return larger_union(a, b).distinct(), a.union(b).distinct()


@rule("δ(σ_p(A) ∪ σ_{p is not TRUE}(B)) ≐ δ(σ_p(A)) ∪ δ(σ_{p is not TRUE}(B))", source=OURS)
def distinct_over_disjoint_union(free: Free) -> Sides:
    a, b = twins(free)
    p = free.predicate("p", a)
    a, b = a.filter(p), b.filter(not_true(p))
    return a.union(b).distinct(), a.distinct().union(b.distinct())


@rule("δ(A × B) ≐ δ(A) × δ(B)", source=paper("rule (11)"))
def distinct_through_product(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    return a.product(b).distinct(), a.distinct().product(b.distinct())


@rule("δ(A ⋈_θ B) ≐ δ(A) ⋈_θ δ(B)", source=TEXTBOOK)
def distinct_through_join(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.join(b, on).distinct(), a.distinct().join(b.distinct(), on)


@rule("δ(A ⟕_θ B) ≐ δ(A) ⟕_θ δ(B)", source=OURS)
def distinct_through_left_join(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.left_join(b, on).distinct(), a.distinct().left_join(b.distinct(), on)


@rule("δ(A ⟗_θ B) ≐ δ(A) ⟗_θ δ(B)", source=OURS)
def distinct_through_full_join(free: Free) -> Sides:
    a, b, on = pair(free)
    free.given(NotNull("A", a.schema.names[:1]))
    return a.full_join(b, on).distinct(), a.distinct().full_join(b.distinct(), on)


@rule("δ(A ⋉_θ B) ≐ δ(A) ⋉_θ B", source=TEXTBOOK)
def distinct_through_semijoin(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.semijoin(b, on).distinct(), a.distinct().semijoin(b, on)


@rule("δ(A ▷_θ B) ≐ δ(A) ▷_θ B", source=TEXTBOOK)
def distinct_through_antijoin(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.antijoin(b, on).distinct(), a.distinct().antijoin(b, on)


@rule("δ(A ∩ B) ≐ δ(A) ∩ δ(B)", source=BAGS)
def distinct_through_intersection(free: Free) -> Sides:
    a, b = twins(free)
    return a.intersection(b).distinct(), a.distinct().intersection(b.distinct())


@rule("δ(A ∩ B) ≐ A ∩ δ(B)", source=TEXTBOOK)
def distinct_on_one_side_of_intersection(free: Free) -> Sides:
    a, b = twins(free)
    return a.intersection(b).distinct(), a.intersection(b.distinct())


@rule("δ(A) − B ≐ δ(A) − δ(B)", source=BAGS)
def difference_from_distinct(free: Free) -> Sides:
    a, b = twins(free)
    return a.distinct().difference(b), a.distinct().difference(b.distinct())


@rule("A − (A − δ(A)) ≐ δ(A)", source=OURS)
def less_all_but_one(free: Free) -> Sides:
    a = free.stream("A")
    return a.difference(a.difference(a.distinct())), a.distinct()


@rule("δ(A) ∩ δ(B) ≐ δ(A) ⋉_≡ B, ≡ being equality in which NULL equals NULL", source=OURS)
def distinct_intersection_as_semijoin(free: Free) -> Sides:
    a, b = twins(free)
    return a.distinct().intersection(b.distinct()), a.distinct().semijoin(b, same(a))


@rule("δ(A) − δ(B) ≐ δ(A) ▷_≡ B, ≡ being equality in which NULL equals NULL", source=OURS)
def distinct_difference_as_antijoin(free: Free) -> Sides:
    a, b = twins(free)
    return a.distinct().difference(b.distinct()), a.distinct().antijoin(b, same(a))


@rule("δ(γ_{G;f}(A)) ≐ γ_{G;f}(A)", source=TEXTBOOK)
def groups_are_distinct(free: Free) -> Sides:
    a = free.stream("A")
    groups, f = free.columns("G", a), free.aggregate("f", a)
    grouped = a.group_by(*groups).aggregate(x=f)
    return grouped.distinct(), grouped


@rule("δ(α_f(A)) ≐ α_f(A)", source=TEXTBOOK)
def an_aggregate_is_distinct(free: Free) -> Sides:
    a = free.stream("A")
    aggregated = a.aggregate(x=free.aggregate("f", a))
    return aggregated.distinct(), aggregated


@rule("γ_G(A) without aggregates ≐ δ(π_G(A))", source=TEXTBOOK)
def grouping_as_distinct(free: Free) -> Sides:
    a = free.stream("A")
    groups = free.columns("G", a)
    return a.group_by(*groups).aggregate(), a.select(*groups).distinct()


@rule("δ(A) ≐ A", source=TEXTBOOK)
def nothing_to_remove(free: Free) -> Sides:
    a = free.stream("A")
    free.given(DuplicateFree("A"))
    return a.distinct(), a


@rule("δ(A × B) ≐ A × B", source=TEXTBOOK)
def product_without_duplicates(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    free.given(DuplicateFree("A"))
    free.given(DuplicateFree("B"))
    return a.product(b).distinct(), a.product(b)


@rule("δ(A ∩ B) ≐ A ∩ B", source=OURS)
def intersection_without_duplicates(free: Free) -> Sides:
    a, b = twins(free)
    free.given(DuplicateFree("A"))
    return a.intersection(b).distinct(), a.intersection(b)


@rule("A − B ≐ A − δ(B)", source=OURS)
def difference_of_a_set(free: Free) -> Sides:
    a, b = twins(free)
    free.given(DuplicateFree("A"))
    return a.difference(b), a.difference(b.distinct())


@rule("A ∩ B ≐ A ⋉_≡ B, ≡ being equality in which NULL equals NULL", source=OURS)
def intersection_as_semijoin(free: Free) -> Sides:
    a, b = twins(free)
    free.given(DuplicateFree("A"))
    return a.intersection(b), a.semijoin(b, same(a))


@rule("A − B ≐ A ▷_≡ B, ≡ being equality in which NULL equals NULL", source=OURS)
def difference_as_antijoin(free: Free) -> Sides:
    a, b = twins(free)
    free.given(DuplicateFree("A"))
    return a.difference(b), a.antijoin(b, same(a))


RULES: Final = (
    distinct_twice,
    distinct_into_union,
    distinct_union_as_disjoint_union,
    distinct_of_either_union,
    distinct_over_disjoint_union,
    distinct_through_product,
    distinct_through_join,
    distinct_through_left_join,
    distinct_through_full_join,
    distinct_through_semijoin,
    distinct_through_antijoin,
    distinct_through_intersection,
    distinct_on_one_side_of_intersection,
    difference_from_distinct,
    less_all_but_one,
    distinct_intersection_as_semijoin,
    distinct_difference_as_antijoin,
    groups_are_distinct,
    an_aggregate_is_distinct,
    grouping_as_distinct,
    nothing_to_remove,
    product_without_duplicates,
    intersection_without_duplicates,
    difference_of_a_set,
    intersection_as_semijoin,
    difference_as_antijoin,
)
