"""Tempting, and false: laws of sets that multisets do not obey."""

from typing import Final

from equivalence.rules.idioms import equal, pair, triplets, twins
from equivalence.rules.literature import OURS
from equivalence.rules.statement import Free, Sides, rule


@rule("A ∪ A ≐ A", source=OURS, valid=False)
def union_with_itself(free: Free) -> Sides:
    a = free.stream("A")
    return a.union(a), a


@rule("A ∪ (A ∩ B) ≐ A", source=OURS, valid=False)
def union_absorbs_intersection(free: Free) -> Sides:
    a, b = twins(free)
    return a.union(a.intersection(b)), a


@rule("A ∩ (B ∪ C) ≐ (A ∩ B) ∪ (A ∩ C)", source=OURS, valid=False)
def intersection_over_union(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.intersection(b.union(c)), a.intersection(b).union(a.intersection(c))


@rule("(A ∪ B) − C ≐ (A − C) ∪ (B − C)", source=OURS, valid=False)
def difference_over_union(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.union(b).difference(c), a.difference(c).union(b.difference(c))


@rule("A ∪ (B − C) ≐ (A ∪ B) − C", source=OURS, valid=False)
def union_and_difference_associate(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.union(b.difference(c)), a.union(b).difference(c)


@rule("A − (B − C) ≐ (A − B) ∪ (A ∩ C)", source=OURS, valid=False)
def difference_from_difference(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.difference(b.difference(c)), a.difference(b).union(a.intersection(c))


@rule("(A − B) ∩ C ≐ (A ∩ C) − B", source=OURS, valid=False)
def intersection_through_difference(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.difference(b).intersection(c), a.intersection(c).difference(b)


@rule("A ∩ (B − C) ≐ (A ∩ B) − (A ∩ C)", source=OURS, valid=False)
def intersection_over_difference(free: Free) -> Sides:
    a, b, c = triplets(free)
    return a.intersection(b.difference(c)), a.intersection(b).difference(a.intersection(c))


@rule("(A − B) ∪ B ≐ A", source=OURS, valid=False)
def union_undoes_difference(free: Free) -> Sides:
    a, b = twins(free)
    return a.difference(b).union(b), a


@rule("A − (B − A) ≐ A", source=OURS, valid=False)
def difference_from_the_rest(free: Free) -> Sides:
    a, b = twins(free)
    return a.difference(b.difference(a)), a


@rule("(A ∪ B) − (A ∩ B) ≐ (A − B) ∪ (B − A)", source=OURS, valid=False)
def symmetric_difference_from_union(free: Free) -> Sides:
    a, b = twins(free)
    return a.union(b).difference(a.intersection(b)), a.difference(b).union(b.difference(a))


@rule("δ(A ∪ B) ≐ δ(A) ∪ δ(B)", source=OURS, valid=False)
def distinct_through_union(free: Free) -> Sides:
    a, b = twins(free)
    return a.union(b).distinct(), a.distinct().union(b.distinct())


@rule("δ(A − B) ≐ δ(A) − δ(B)", source=OURS, valid=False)
def distinct_through_difference(free: Free) -> Sides:
    a, b = twins(free)
    return a.difference(b).distinct(), a.distinct().difference(b.distinct())


@rule("δ(A ⋈_θ B) ≐ δ(A) ⋈_θ B", source=OURS, valid=False)
def distinct_on_one_side_of_join(free: Free) -> Sides:
    a, b, on = pair(free)
    return a.join(b, on).distinct(), a.distinct().join(b, on)


@rule("δ(A) ∩ δ(B) ≐ δ(A) ⋉_= B, = in all columns", source=OURS, valid=False)
def distinct_intersection_by_equality(free: Free) -> Sides:
    a, b = twins(free)
    return a.distinct().intersection(b.distinct()), a.distinct().semijoin(b, equal(a))


@rule("δ(A) − δ(B) ≐ δ(A) ▷_= B, = in all columns", source=OURS, valid=False)
def distinct_difference_by_equality(free: Free) -> Sides:
    a, b = twins(free)
    return a.distinct().difference(b.distinct()), a.distinct().antijoin(b, equal(a))


@rule("A ∩ B ≐ A ⋉_= B, = in all columns", source=OURS, valid=False)
def intersection_by_equality(free: Free) -> Sides:
    a, b = twins(free)
    return a.intersection(b), a.semijoin(b, equal(a))


FALSE: Final = (
    union_with_itself,
    union_absorbs_intersection,
    intersection_over_union,
    difference_over_union,
    union_and_difference_associate,
    difference_from_difference,
    intersection_through_difference,
    intersection_over_difference,
    union_undoes_difference,
    difference_from_the_rest,
    symmetric_difference_from_union,
    distinct_through_union,
    distinct_through_difference,
    distinct_on_one_side_of_join,
    distinct_intersection_by_equality,
    distinct_difference_by_equality,
    intersection_by_equality,
)
