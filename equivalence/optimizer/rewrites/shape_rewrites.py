"""Maps, duplicates and sets: operators that merge, move or vanish."""

from collections.abc import Iterator
from typing import Final

from equivalence.optimizer.rewrites.known_keys import known_keys
from equivalence.optimizer.rewrites.plan_rewrite import Constraints, RuleRewrite
from equivalence.optimizer.rewrites.predicates import columns, keep, through, unlike
from equivalence.rules.catalogue import cql, distinct, keys, projection, sets
from semantics import Plan
from semantics.expression import Ref
from semantics.plan import Difference, Distinct, Grouping, Intersection, Join, Map, Product, Rstream, Union
from semantics.substitute import substitute_in_aggregate


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


def grouped_before_projection(node: Plan, _: Constraints) -> Iterator[Plan]:
    """γ_{G;f}(π(A)) → ρ(γ_{G;f}(A)) if G and f use columns that π takes as they are"""
    match node:
        case Grouping(input=Map() as mapping):
            used = {*node.keys, *(index for argument in node.own_expressions for index in columns(argument))}
            if all(isinstance(mapping.expressions[i], Ref) for i in used):
                yield _grouped_below(node, mapping)


def _grouped_below(group: Grouping, mapping: Map) -> Map:
    """The group over the map's input, and its columns as they were; a key that the map repeats is one key below."""
    where = {i: e.index for i, e in enumerate(mapping.expressions) if isinstance(e, Ref)}
    keys = tuple(dict.fromkeys(where[key] for key in group.keys))
    aggregates = tuple(
        substitute_in_aggregate(a, lambda ref: Ref(where[ref.index], ref.type)) for a in group.aggregates
    )
    names = unlike(group.names, tuple(mapping.input.schema.names[key] for key in keys))
    below = Grouping(mapping.input, keys, aggregates, names)
    places = [keys.index(where[key]) for key in group.keys]
    return keep(below, [*places, *range(len(keys), len(below.schema))], group.schema.names)


def map_below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    """μ_f(A ∪ B) → μ_f(A) ∪ μ_f(B)"""
    match node:
        case Map(input=Union(left=a, right=b), expressions=expressions, names=names):
            yield Union(Map(a, expressions, names), Map(b, expressions, names))


def duplicates_gone(node: Plan, constraints: Constraints) -> Iterator[Plan]:
    """δ(A) → A if A has a key, and so no duplicates"""
    match node:
        case Distinct(input=a) if known_keys(a, constraints):
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
    RuleRewrite(projection.map_after_map, composed, same_rows=True),
    RuleRewrite(projection.projection_on_everything, identity, same_rows=True),
    RuleRewrite(projection.grouping_needs_only_what_it_uses, grouped_before_projection, same_rows=True),
    RuleRewrite(projection.map_through_union, map_below_union, same_rows=True),
    RuleRewrite(keys.keyed_rows_are_distinct, duplicates_gone, same_rows=True),
    RuleRewrite(distinct.distinct_through_join, distinct_below_join, same_rows=True),
    RuleRewrite(sets.intersection_as_difference, intersection_of_differences, same_rows=True),
    RuleRewrite(cql.rstream_is_the_identity, rstream_gone, same_rows=True),
)
