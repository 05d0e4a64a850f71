"""∪, ∩ and − on multisets: the laws of sum, minimum and monus. ⊔ is A ∪ (B − A), the maximum."""

from typing import Final

from equivalence.rules.idioms import larger_union, not_true, nothing, triplets, twins
from equivalence.rules.literature import BAGS, OURS
from equivalence.rules.statement import Free, Sides, rule


@rule("A ∪ B ≐ B ∪ A", source=BAGS)
def union_commutes(free: Free) -> Sides:
    a, b = twins(free)
    return a.union(b), b.union(a)


@rule("(A ∪ B) ∪ C ≐ A ∪ (B ∪ C)", source=BAGS)
def union_associates(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.union(b).union(c), a.union(b.union(c))


@rule("A ∪ ∅ ≐ A", source=BAGS)
def union_with_nothing(free: Free) -> Sides:
    a = free.stream("A")
    return a.union(nothing(a)), a


@rule("A ∩ B ≐ B ∩ A", source=BAGS)
def intersection_commutes(free: Free) -> Sides:
    a, b = twins(free)
    return a.intersection(b), b.intersection(a)


@rule("(A ∩ B) ∩ C ≐ A ∩ (B ∩ C)", source=BAGS)
def intersection_associates(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.intersection(b).intersection(c), a.intersection(b.intersection(c))


@rule("A ∩ A ≐ A", source=BAGS)
def intersection_with_itself(free: Free) -> Sides:
    a = free.stream("A")
    return a.intersection(a), a


@rule("A − ∅ ≐ A", source=BAGS)
def difference_from_nothing(free: Free) -> Sides:
    a = free.stream("A")
    return a.difference(nothing(a)), a


@rule("B ∪ (A − A) ≐ B", source=BAGS)
def difference_from_itself(free: Free) -> Sides:
    a, b = twins(free)
    return b.union(a.difference(a)), b


@rule("A ∩ B ≐ A − (A − B)", source=BAGS)
def intersection_as_difference(free: Free) -> Sides:
    a, b = twins(free)
    return a.intersection(b), a.difference(a.difference(b))


@rule("A − (A ∩ B) ≐ A − B", source=BAGS)
def difference_from_the_common_part(free: Free) -> Sides:
    a, b = twins(free)
    return a.difference(a.intersection(b)), a.difference(b)


@rule("A ≐ (A − B) ∪ (A ∩ B)", source=BAGS)
def difference_and_common_part(free: Free) -> Sides:
    a, b = twins(free)
    return a, a.difference(b).union(a.intersection(b))


@rule("(A − B) − C ≐ A − (B ∪ C)", source=BAGS)
def difference_twice(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.difference(b).difference(c), a.difference(b.union(c))


@rule("(A − B) − C ≐ (A − C) − B", source=BAGS)
def differences_commute(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.difference(b).difference(c), a.difference(c).difference(b)


@rule("(A ∪ B) − B ≐ A", source=BAGS)
def difference_undoes_union(free: Free) -> Sides:
    a, b = twins(free)
    return a.union(b).difference(b), a


@rule("(A ∪ C) − (B ∪ C) ≐ A − B", source=BAGS)
def difference_cancels(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.union(c).difference(b.union(c)), a.difference(b)


@rule("A ∩ (A ∪ B) ≐ A", source=BAGS)
def intersection_absorbs_union(free: Free) -> Sides:
    a, b = twins(free)
    return a.intersection(a.union(b)), a


@rule("A ∪ (B ∩ C) ≐ (A ∪ B) ∩ (A ∪ C)", source=BAGS)
def union_over_intersection(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.union(b.intersection(c)), a.union(b).intersection(a.union(c))


@rule("(A ∩ B) − C ≐ (A − C) ∩ (B − C)", source=BAGS)
def difference_over_intersection(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.intersection(b).difference(c), a.difference(c).intersection(b.difference(c))


@rule("A − (B ∩ C) ≐ (A − B) ⊔ (A − C)", source=BAGS)
def difference_from_intersection(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.difference(b.intersection(c)), larger_union(a.difference(b), a.difference(c))


@rule("A − (B ⊔ C) ≐ (A − B) ∩ (A − C)", source=BAGS)
def difference_from_larger_union(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.difference(larger_union(b, c)), a.difference(b).intersection(a.difference(c))


@rule("A ⊔ B ≐ B ⊔ A", source=BAGS)
def larger_union_commutes(free: Free) -> Sides:
    a, b = twins(free)
    return larger_union(a, b), larger_union(b, a)


@rule("A ∩ (B ⊔ C) ≐ (A ∩ B) ⊔ (A ∩ C)", source=BAGS)
def intersection_over_larger_union(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.intersection(larger_union(b, c)), larger_union(a.intersection(b), a.intersection(c))


@rule("(A ∪ B) − (A ⊔ B) ≐ A ∩ B", source=OURS)
def sum_less_maximum_is_minimum(free: Free) -> Sides:
    a, b = twins(free)
    return a.union(b).difference(larger_union(a, b)), a.intersection(b)


@rule("(A − B) ∪ (B − A) ≐ (A ⊔ B) − (A ∩ B)", source=OURS)
def symmetric_difference(free: Free) -> Sides:
    a, b = twins(free)
    return a.difference(b).union(b.difference(a)), larger_union(a, b).difference(a.intersection(b))


@rule("A ∩ (σ_p(B) ∪ σ_{p is not TRUE}(C)) ≐ (A ∩ σ_p(B)) ∪ (A ∩ σ_{p is not TRUE}(C))", source=OURS)
def intersection_over_disjoint_union(free: Free) -> Sides:
    a, b, c = triplets(free)
    p = free.predicate("p", a)
    b, c = b.filter(p), c.filter(not_true(p))
    return a.intersection(b.union(c)), a.intersection(b).union(a.intersection(c))


@rule("A ∪ A ≐ A as sets", source=OURS, equivalence="snapshot-set")
def union_with_itself_as_sets(free: Free) -> Sides:
    a = free.stream("A")
    return a.union(a), a


@rule("A ∩ (B ∪ C) ≐ (A ∩ B) ∪ (A ∩ C) as sets", source=OURS, equivalence="snapshot-set")
def intersection_over_union_as_sets(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.intersection(b.union(c)), a.intersection(b).union(a.intersection(c))


RULES: Final = (
    union_commutes,
    union_associates,
    union_with_nothing,
    intersection_commutes,
    intersection_associates,
    intersection_with_itself,
    difference_from_nothing,
    difference_from_itself,
    intersection_as_difference,
    difference_from_the_common_part,
    difference_and_common_part,
    difference_twice,
    differences_commute,
    difference_undoes_union,
    difference_cancels,
    intersection_absorbs_union,
    union_over_intersection,
    difference_over_intersection,
    difference_from_intersection,
    difference_from_larger_union,
    larger_union_commutes,
    intersection_over_larger_union,
    sum_less_maximum_is_minimum,
    symmetric_difference,
    intersection_over_disjoint_union,
    union_with_itself_as_sets,
    intersection_over_union_as_sets,
)
