"""Filters go down: fewer elements reach what is above."""

from collections.abc import Iterator
from typing import Final

from equivalence.rewrites.predicates import at, columns, conjunction, conjuncts, filtered, parted, through
from equivalence.rewrites.rewrite import Constraints, Rewrite, with_inputs
from semantics import Plan
from semantics.plan import (
    Antijoin,
    Difference,
    Distinct,
    Dstream,
    Filter,
    Grouping,
    Intersection,
    Istream,
    Join,
    LandmarkWindow,
    LeftJoin,
    Map,
    PartitionedWindow,
    Product,
    RightJoin,
    Rstream,
    Semijoin,
    TimeWindow,
    Union,
)


def merged(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(σ_q(A)) → σ_{q and p}(A)"""
    match node:
        case Filter(input=Filter(input=a, predicate=q), predicate=p):
            yield Filter(a, conjunction([q, p]))


def below_window(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(ω(A)) → ω(σ_p(A)) for windows over time, which look at no other row"""
    match node:
        case Filter(input=TimeWindow() | LandmarkWindow() as window, predicate=p):
            yield with_inputs(window, Filter(window.input, p))


def below_partitioned_window(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(ω_P(A)) → ω_P(σ_p(A)) if p is about the columns P alone"""
    match node:
        case Filter(input=PartitionedWindow() as window, predicate=p) if columns(p) <= set(window.keys):
            yield with_inputs(window, Filter(window.input, p))


def below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A ∪ B) → σ_p(A) ∪ σ_p(B)"""
    match node:
        case Filter(input=Union(left=a, right=b), predicate=p):
            yield Union(Filter(a, p), Filter(b, p))


def below_difference(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A − B) → σ_p(A) − σ_p(B)"""
    match node:
        case Filter(input=Difference(left=a, right=b), predicate=p):
            yield Difference(Filter(a, p), Filter(b, p))


def below_intersection(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A ∩ B) → σ_p(A) ∩ σ_p(B)"""
    match node:
        case Filter(input=Intersection(left=a, right=b), predicate=p):
            yield Intersection(Filter(a, p), Filter(b, p))


def below_distinct(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(δ(A)) → δ(σ_p(A))"""
    match node:
        case Filter(input=Distinct(input=a), predicate=p):
            yield Distinct(Filter(a, p))


def below_map(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(μ_f(A)) → μ_f(σ_{p∘f}(A))"""
    match node:
        case Filter(input=Map() as mapping, predicate=p):
            yield with_inputs(mapping, Filter(mapping.input, through(p, mapping)))


def below_group(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_{p and q}(γ(A)) → σ_q(γ(σ_p(A))) if p is about group columns alone"""
    match node:
        case Filter(input=Grouping() as group, predicate=predicate):
            keys = set(range(len(group.keys)))
            down = [part for part in conjuncts(predicate) if columns(part) and columns(part) <= keys]
            if down:
                below = Filter(group.input, at(conjunction(down), group.keys))
                yield filtered(with_inputs(group, below), [p for p in conjuncts(predicate) if p not in down])


def below_product(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A × B) → A ⋈_p B"""
    match node:
        case Filter(input=Product(left=a, right=b), predicate=p):
            yield Join(a, b, p)


def into_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A ⋈_q B) → A ⋈_{q and p} B"""
    match node:
        case Filter(input=Join(left=a, right=b, condition=q), predicate=p):
            yield Join(a, b, conjunction([q, p]))


def below_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    """A ⋈_{p and q and r} B → σ_p(A) ⋈_r σ_q(B) if p is about A alone and q about B alone"""
    match node:
        case Join(left=a, right=b, condition=condition):
            left, right, both = parted(condition, len(a.schema))
            if left or right:
                below = filtered(a, left), filtered(b, right)
                yield Join(*below, conjunction(both)) if both else Product(*below)


def below_outer_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_{p and q}(A ⟕ B) → σ_q(σ_p(A) ⟕ B) if p is about A alone; likewise A ⟖ B and B"""
    match node:
        case Filter(input=LeftJoin() | RightJoin() as join, predicate=predicate):
            width = len(join.left.schema)
            left, right, *_rest = parted(predicate, width)
            if isinstance(join, LeftJoin) and left:
                rest = [p for p in conjuncts(predicate) if p not in left]
                yield filtered(with_inputs(join, filtered(join.left, left), join.right), rest)
            if isinstance(join, RightJoin) and right:
                rest = [p for p in conjuncts(predicate) if not columns(p) or min(columns(p)) < width]
                yield filtered(with_inputs(join, join.left, filtered(join.right, right)), rest)


def below_semijoin(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A ⋉ B) → σ_p(A) ⋉ B; likewise ▷"""
    match node:
        case Filter(input=Semijoin() | Antijoin() as join, predicate=p):
            yield with_inputs(join, Filter(join.left, p), join.right)


def below_changes(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(Istream(A)) → Istream(σ_p(A)); likewise Dstream, Rstream"""
    match node:
        case Filter(input=Istream() | Dstream() | Rstream() as changes, predicate=p):
            yield with_inputs(changes, Filter(changes.input, p))


FILTERS: Final = (
    Rewrite("filter-cascade", merged),
    Rewrite("filter-through-window", below_window),
    Rewrite("filter-on-key-through-partitions", below_partitioned_window),
    Rewrite("filter-through-union", below_union),
    Rewrite("filter-through-difference", below_difference),
    Rewrite("filter-through-intersection", below_intersection),
    Rewrite("filter-through-distinct", below_distinct),
    Rewrite("filter-through-map", below_map),
    Rewrite("filter-through-grouping", below_group),
    Rewrite("join-as-filtered-product", below_product),
    Rewrite("filter-into-join", into_join),
    Rewrite("condition-out-of-join", below_join),
    Rewrite("filter-through-left-join", below_outer_join),
    Rewrite("filter-through-semijoin", below_semijoin),
    Rewrite("filter-through-istream", below_changes),
)
