"""Filters go down: fewer elements reach what is above."""

from collections.abc import Iterator
from typing import Final

from equivalence.optimizer.rewrites.plan_rewrite import Constraints, RuleRewrite
from equivalence.optimizer.rewrites.predicates import at, columns, conjunction, filtered, parted, through
from equivalence.rules.catalogue import aggregation, cql, joins, partitions, pushdown, selection, windows
from semantics import Plan
from semantics import plan as op
from semantics.expression import conjuncts


def merged(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(σ_q(A)) → σ_{q and p}(A)"""
    match node:
        case op.Filter(input=op.Filter(input=a, predicate=q), predicate=p):
            yield op.Filter(a, conjunction([q, p]))


def below_window(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(ω(A)) → ω(σ_p(A)) for windows over time, which look at no other row; below, p would see another now"""
    match node:
        case op.Filter(input=op.TimeWindow() | op.LandmarkWindow() as window, predicate=p) if node.reducible:
            yield window.with_inputs(op.Filter(window.input, p))


def below_partitioned_window(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(ω_P(A)) → ω_P(σ_p(A)) if p is about the columns P alone"""
    match node:
        case op.Filter(input=op.PartitionedWindow() as window, predicate=p) if node.reducible:
            if columns(p) <= set(window.keys):
                yield window.with_inputs(op.Filter(window.input, p))


def below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A ∪ B) → σ_p(A) ∪ σ_p(B)"""
    match node:
        case op.Filter(input=op.Union(left=a, right=b), predicate=p):
            yield op.Union(op.Filter(a, p), op.Filter(b, p))


def below_difference(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A − B) → σ_p(A) − σ_p(B)"""
    match node:
        case op.Filter(input=op.Difference(left=a, right=b), predicate=p):
            yield op.Difference(op.Filter(a, p), op.Filter(b, p))


def below_intersection(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A ∩ B) → σ_p(A) ∩ σ_p(B)"""
    match node:
        case op.Filter(input=op.Intersection(left=a, right=b), predicate=p):
            yield op.Intersection(op.Filter(a, p), op.Filter(b, p))


def below_distinct(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(δ(A)) → δ(σ_p(A))"""
    match node:
        case op.Filter(input=op.Distinct(input=a), predicate=p):
            yield op.Distinct(op.Filter(a, p))


def below_map(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(μ_f(A)) → μ_f(σ_{p∘f}(A))"""
    match node:
        case op.Filter(input=op.Map() as mapping, predicate=p):
            yield mapping.with_inputs(op.Filter(mapping.input, through(p, mapping)))


def below_group(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_{p and q}(γ(A)) → σ_q(γ(σ_p(A))) if p is about group columns alone"""
    match node:
        case op.Filter(input=op.Grouping() as group, predicate=predicate):
            keys = set(range(len(group.keys)))
            down = [part for part in conjuncts(predicate) if columns(part) and columns(part) <= keys]
            if down:
                below = op.Filter(group.input, at(conjunction(down), group.keys))
                yield filtered(group.with_inputs(below), [p for p in conjuncts(predicate) if p not in down])


def below_product(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A × B) → A ⋈_p B"""
    match node:
        case op.Filter(input=op.Product(left=a, right=b), predicate=p):
            yield op.Join(a, b, p)


def into_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A ⋈_q B) → A ⋈_{q and p} B"""
    match node:
        case op.Filter(input=op.Join(left=a, right=b, condition=q), predicate=p):
            yield op.Join(a, b, conjunction([q, p]))


def below_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    """A ⋈_{p and q and r} B → σ_p(A) ⋈_r σ_q(B) if p is about A alone and q about B alone"""
    match node:
        case op.Join(left=a, right=b, condition=condition):
            left, right, both = parted(condition, len(a.schema))
            if left or right:
                below = filtered(a, left), filtered(b, right)
                yield op.Join(*below, conjunction(both)) if both else op.Product(*below)


def below_outer_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_{p and q}(A ⟕ B) → σ_q(σ_p(A) ⟕ B) if p is about A alone; likewise A ⟖ B and B"""
    match node:
        case op.Filter(input=op.LeftJoin() | op.RightJoin() as join, predicate=predicate):
            width = len(join.left.schema)
            left, right, *_rest = parted(predicate, width)
            if isinstance(join, op.LeftJoin) and left:
                rest = [p for p in conjuncts(predicate) if p not in left]
                yield filtered(join.with_inputs(filtered(join.left, left), join.right), rest)
            if isinstance(join, op.RightJoin) and right:
                rest = [p for p in conjuncts(predicate) if not columns(p) or min(columns(p)) < width]
                yield filtered(join.with_inputs(join.left, filtered(join.right, right)), rest)


def below_semijoin(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(A ⋉ B) → σ_p(A) ⋉ B; likewise ▷"""
    match node:
        case op.Filter(input=op.Semijoin() | op.Antijoin() as join, predicate=p):
            yield join.with_inputs(op.Filter(join.left, p), join.right)


def below_changes(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_p(Istream(A)) → Istream(σ_p(A)); likewise Dstream, Rstream"""
    match node:
        case op.Filter(input=op.Istream() | op.Dstream() | op.Rstream() as changes, predicate=p) if node.reducible:
            yield changes.with_inputs(op.Filter(changes.input, p))


FILTERS: Final = (
    RuleRewrite(selection.filter_cascade, merged),
    RuleRewrite(windows.filter_through_window, below_window),
    RuleRewrite(partitions.filter_on_key_through_partitions, below_partitioned_window, same_rows=True),
    RuleRewrite(selection.filter_through_union, below_union, same_rows=True),
    RuleRewrite(selection.filter_through_difference, below_difference),
    RuleRewrite(selection.filter_through_intersection, below_intersection),
    RuleRewrite(selection.filter_through_distinct, below_distinct, same_rows=True),
    RuleRewrite(selection.filter_through_map, below_map, same_rows=True),
    RuleRewrite(aggregation.filter_through_grouping, below_group, same_rows=True),
    RuleRewrite(joins.join_as_filtered_product, below_product, same_rows=True),
    RuleRewrite(pushdown.filter_into_join, into_join),
    RuleRewrite(pushdown.condition_out_of_join, below_join),
    RuleRewrite(pushdown.filter_through_left_join, below_outer_join),
    RuleRewrite(pushdown.filter_through_semijoin, below_semijoin),
    RuleRewrite(cql.filter_through_istream, below_changes),
)
