"""Joins in another order, and groups before joins."""

from collections.abc import Iterator
from typing import Final

from equivalence.optimizer.rewrites.known_keys import equalities, known_keys
from equivalence.optimizer.rewrites.plan_rewrite import Constraints, RuleRewrite
from equivalence.optimizer.rewrites.predicates import columns, conjunction, keep, unlike
from equivalence.rules.catalogue import eager, joins, keys
from semantics import Expression, Plan
from semantics.expression import Comparison, Ref, conjuncts, refs
from semantics.plan import Grouping, Join, Map, Semijoin
from semantics.substitute import substitute


def commuted(node: Plan, _: Constraints) -> Iterator[Plan]:
    """A ⋈ B → μ(B ⋈ A), the columns back in order"""
    match node:
        case Join(left=a, right=b, condition=p):
            left, right = len(a.schema), len(b.schema)
            swapped = Join(b, a, _moved(p, [*range(right, right + left), *range(right)]))
            yield keep(swapped, [*range(right, right + left), *range(right)])


def reordered(node: Plan, _: Constraints) -> Iterator[Plan]:
    """(A ⋈_p B) ⋈_q C → μ((A ⋈_q C) ⋈_p B) if q is about A and C alone"""
    match node:
        case Join(left=Join(left=a, right=b, condition=p), right=c, condition=q):
            left, middle, right = len(a.schema), len(b.schema), len(c.schema)
            if not columns(q) & set(range(left, left + middle)):
                first = Join(a, c, _moved(q, [*range(left), *[-1] * middle, *range(left, left + right)]))
                places = [*range(left), *range(left + right, left + right + middle), *range(left, left + right)]
                yield keep(Join(first, b, _moved(p, places)), places)


def associated(node: Plan, _: Constraints) -> Iterator[Plan]:
    """(A ⋈_p B) ⋈_q C → A ⋈_p (B ⋈_q C) if q is about B and C alone"""
    match node:
        case Join(left=Join(left=a, right=b, condition=p), right=c, condition=q):
            if columns(q) and min(columns(q)) >= len(a.schema):
                places = [-1] * len(a.schema) + list(range(len(b.schema) + len(c.schema)))
                yield Join(a, Join(b, c, _moved(q, places)), p)


def transferred(node: Plan, _: Constraints) -> Iterator[Plan]:
    """(A ⋈_{a=b} B) ⋈_{q(b)} C → (A ⋈_{a=b} B) ⋈_{q(a)} C, and back: equal columns stand for each other"""
    match node:
        case Join(left=Join(left=a, condition=p) as left, right=c, condition=q):
            width = len(a.schema)
            for first, second in equalities(p, width):
                for old, new in ((first, second + width), (second + width, first)):
                    if old in columns(q):
                        places = list(range(len(left.schema) + len(c.schema)))
                        places[old] = new
                        yield Join(left, c, _moved(q, places))


def group_below(node: Plan, constraints: Constraints) -> Iterator[Plan]:
    """γ_{a,c; f}(A ⋈_{a=b} B) → μ(γ_{a; f}(A) ⋈_{a=b} B) if b is a key of B and f is about A alone (Example 10)"""
    match node:
        case Grouping(input=Join(left=a, right=b, condition=p) as join):
            width = len(a.schema)
            inner = tuple(key for key in node.keys if key < width)
            pairs = [(left, right) for left, right in equalities(p, width) if left in inner]
            only_keys = len(pairs) == len(list(conjuncts(p))) and _last_argument(node) < width
            if inner and only_keys and _is_key({right for _, right in pairs}, b, constraints):
                yield _grouped_first(node, join, inner, pairs)


def reduced(node: Plan, constraints: Constraints) -> Iterator[Plan]:
    """μ_f(A ⋈_{a=b} B) → μ_f(A ⋉_{a=b} B) if b is a key of B and f is about A alone"""
    match node:
        case Map(input=Join(left=a, right=b, condition=p), expressions=expressions, names=names):
            width = len(a.schema)
            about_a = all(index < width for expression in expressions for index in columns(expression))
            if about_a and _is_key({right for _, right in equalities(p, width)}, b, constraints):
                yield Map(Semijoin(a, b, p), expressions, names)


def _is_key(positions: set[int], plan: Plan, constraints: Constraints) -> bool:
    return any(key <= positions for key in known_keys(plan, constraints))


def _last_argument(group: Grouping) -> int:
    """The position of the last column that an aggregate uses; -1 if none does."""
    return max((ref.index for argument in group.own_expressions for ref in refs(argument)), default=-1)


def _grouped_first(group: Grouping, join: Join, inner: tuple[int, ...], pairs: list[tuple[int, int]]) -> Map:
    below = Grouping(join.left, inner, group.aggregates, unlike(group.names, join.schema.names))
    width, outside = len(below.schema), len(join.left.schema)
    types = join.left.schema.types
    links = [Comparison("=", Ref(inner.index(i), types[i]), Ref(width + j, types[i])) for i, j in pairs]
    places = [inner.index(key) if key < outside else width + key - outside for key in group.keys]
    joined = Join(below, join.right, conjunction(links))
    return keep(joined, [*places, *range(len(inner), width)], group.schema.names)


def _moved(expression: Expression, places: list[int]) -> Expression:
    """The expression as it reads where column i stands at places[i]."""
    return substitute(expression, lambda ref: Ref(places[ref.index], ref.type))


JOINS: Final = (
    RuleRewrite(joins.join_commutes, commuted, same_rows=True),
    RuleRewrite(joins.joins_of_one_stream_commute, reordered),
    RuleRewrite(joins.join_associates, associated),
    RuleRewrite(joins.join_on_equal_columns_may_take_either, transferred),
    RuleRewrite(eager.grouping_below_join, group_below),
    RuleRewrite(keys.join_on_a_key_as_semijoin, reduced, same_rows=True),
)
