"""Maps, duplicates and sets: operators that merge, move or vanish."""

from collections.abc import Iterator
from typing import Final

from equivalence.optimizer.rewrites.keys import keys
from equivalence.optimizer.rewrites.predicates import through
from equivalence.optimizer.rewrites.rewrite import Constraints, Rewrite
from semantics import Plan
from semantics.expression import Ref
from semantics.plan import Difference, Distinct, Intersection, Join, Map, Product, Rstream, Union


def composed(node: Plan, _: Constraints) -> Iterator[Plan]:
    """μ_g(μ_f(A)) → μ_{g∘f}(A)"""
    match node:
        case Map(input=Map() as inner, expressions=expressions, names=names):
            yield Map(inner.input, tuple(through(expression, inner) for expression in expressions), names)


def identity(node: Plan, _: Constraints) -> Iterator[Plan]:
    """μ_id(A) → A"""
    match node:
        case Map(input=a) if node.schema == a.schema:
            if all(isinstance(e, Ref) and e.index == i for i, e in enumerate(node.expressions)):
                yield a


def map_below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    """μ_f(A ∪ B) → μ_f(A) ∪ μ_f(B)"""
    match node:
        case Map(input=Union(left=a, right=b), expressions=expressions, names=names):
            yield Union(Map(a, expressions, names), Map(b, expressions, names))


def duplicates_gone(node: Plan, constraints: Constraints) -> Iterator[Plan]:
    """δ(A) → A if A has a key, and so no duplicates"""
    match node:
        case Distinct(input=a) if keys(a, constraints):
            yield a


def distinct_below_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    """δ(A ⋈ B) → δ(A) ⋈ δ(B); likewise ×"""
    match node:
        case Distinct(input=Join(left=a, right=b, condition=p)):
            yield Join(Distinct(a), Distinct(b), p)
        case Distinct(input=Product(left=a, right=b)):
            yield Product(Distinct(a), Distinct(b))


def intersection_of_differences(node: Plan, _: Constraints) -> Iterator[Plan]:
    """A − (A − B) → A ∩ B"""
    match node:
        case Difference(left=a, right=Difference(left=b, right=c)) if a == b:
            yield Intersection(a, c)


def rstream_gone(node: Plan, _: Constraints) -> Iterator[Plan]:
    """Rstream(A) → A"""
    match node:
        case Rstream(input=a):
            yield a


SHAPES: Final = (
    Rewrite("map-after-map", composed),
    Rewrite("projection-on-everything", identity),
    Rewrite("map-through-union", map_below_union),
    Rewrite("keyed-rows-are-distinct", duplicates_gone),
    Rewrite("distinct-through-join", distinct_below_join),
    Rewrite("intersection-as-difference", intersection_of_differences),
    Rewrite("rstream-is-the-identity", rstream_gone),
)
