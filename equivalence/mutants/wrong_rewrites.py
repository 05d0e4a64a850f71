"""Rewrites that look right and are not: an optimizer with one of them must be caught."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from equivalence.optimizer.rewrites.plan_rewrite import Alternatives, Constraints, Rewrite, steps
from equivalence.optimizer.rewrites.predicates import columns, conjunction, parted
from semantics import Plan
from semantics import plan as op


def filter_below_count_window(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Filter(input=op.CountWindow() | op.PartitionedWindow() as window, predicate=p):
            yield window.with_inputs(op.Filter(window.input, p))


def filter_on_the_subtrahend(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Filter(input=op.Difference(left=a, right=b), predicate=p):
            yield op.Difference(a, op.Filter(b, p))


def filter_below_padding(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Filter(input=op.LeftJoin(left=a, right=b) as join, predicate=p):
            _left, right, _both = parted(p, len(a.schema))
            if right:
                yield join.with_inputs(a, op.Filter(b, conjunction(right)))


def filter_into_outer_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Filter(input=op.LeftJoin(left=a, right=b, condition=q), predicate=p):
            yield op.LeftJoin(a, b, conjunction([q, p]))
        case op.Filter(input=op.FullJoin(left=a, right=b, condition=q), predicate=p):
            yield op.FullJoin(a, b, conjunction([q, p]))


def distinct_below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Distinct(input=op.Union(left=a, right=b)):
            yield op.Union(op.Distinct(a), op.Distinct(b))


def distinct_below_difference(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Distinct(input=op.Difference(left=a, right=b)):
            yield op.Difference(op.Distinct(a), op.Distinct(b))


def distinct_forgotten(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Distinct(input=op.Map() | op.Join() | op.Union() | op.TimeWindow() as a):
            yield a


def distinct_above_window(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.TimeWindow(input=op.Distinct(input=a)) as window:
            yield op.Distinct(window.with_inputs(a))


def windows_added(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.TimeWindow(input=op.TimeWindow(input=a, size=inner, slide=1), size=outer, slide=1) if inner > 1 < outer:
            yield op.TimeWindow(a, inner + outer - 1)


def windows_largest(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.TimeWindow(input=op.TimeWindow(input=a, size=inner, slide=1), size=outer, slide=1) if inner > 1 < outer:
            yield op.TimeWindow(a, max(inner, outer))


def window_below_difference(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.TimeWindow(input=op.Difference(left=a, right=b)) as window:
            yield op.Difference(window.with_inputs(a), window.with_inputs(b))


def window_below_intersection(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.TimeWindow(input=op.Intersection(left=a, right=b)) as window:
            yield op.Intersection(window.with_inputs(a), window.with_inputs(b))


def window_below_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.TimeWindow(input=op.Join() | op.Product() | op.Semijoin() | op.Antijoin() as join) as window:
            yield join.with_inputs(window.with_inputs(join.left), window.with_inputs(join.right))


def window_below_group(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.TimeWindow(input=op.Grouping() as group) as window:
            yield group.with_inputs(window.with_inputs(group.input))


def slide_forgotten(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.TimeWindow(input=a, size=size, slide=slide) if slide > 1:
            yield op.TimeWindow(a, size)


def reset_forgotten(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.LandmarkWindow(input=a, start=start, reset=int()):
            yield op.LandmarkWindow(a, start)


def rows_below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.CountWindow(input=op.Union(left=a, right=b)) | op.PartitionedWindow(input=op.Union(left=a, right=b)):
            yield op.Union(node.with_inputs(a), node.with_inputs(b))


def map_below_difference(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Map(input=op.Difference(left=a, right=b), expressions=expressions, names=names):
            yield op.Difference(op.Map(a, expressions, names), op.Map(b, expressions, names))
        case op.Map(input=op.Intersection(left=a, right=b), expressions=expressions, names=names):
            yield op.Intersection(op.Map(a, expressions, names), op.Map(b, expressions, names))


def map_below_distinct(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Map(input=op.Distinct(input=a), expressions=expressions, names=names):
            yield op.Distinct(op.Map(a, expressions, names))


def changes_below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Istream(input=op.Union(left=a, right=b)) | op.Dstream(input=op.Union(left=a, right=b)):
            yield op.Union(node.with_inputs(a), node.with_inputs(b))


def changes_below_map(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Istream(input=op.Map() as inner) | op.Dstream(input=op.Map() as inner):
            yield inner.with_inputs(node.with_inputs(inner.input))


def union_of_equals(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Union(left=a, right=b) if a == b:
            yield a


def padding_forgotten(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.LeftJoin(left=a, right=b, condition=p) | op.RightJoin(left=a, right=b, condition=p):
            yield op.Join(a, b, p)


def semijoin_as_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Map(input=op.Join(left=a, right=b, condition=p), expressions=expressions, names=names):
            if all(index < len(a.schema) for expression in expressions for index in columns(expression)):
                yield op.Map(op.Semijoin(a, b, p), expressions, names)


def now_filter_below_window(node: Plan, _: Constraints) -> Iterator[Plan]:
    """σ_{now…}(ω_w(A)) → ω_w(σ_{now…}(A)): below, now is the instant at which a row came"""
    match node:
        case op.Filter(input=op.TimeWindow() as window, predicate=p) if node.mentions_now:
            yield window.with_inputs(op.Filter(window.input, p))


def now_map_below_window(node: Plan, _: Constraints) -> Iterator[Plan]:
    """μ_{now…}(ω_w(A)) → ω_w(μ_{now…}(A))"""
    match node:
        case op.Map(input=op.TimeWindow() as window) if node.mentions_now:
            yield window.with_inputs(node.with_inputs(window.input))


@dataclass(frozen=True)
class WrongRewrite:
    """A rewrite that no rule justifies."""

    name: str
    alternatives: Alternatives


WRONG_REWRITES: Final = tuple(
    WrongRewrite(make.__name__.replace("_", "-"), make)
    for make in (
        filter_below_count_window,
        filter_on_the_subtrahend,
        filter_below_padding,
        filter_into_outer_join,
        distinct_below_union,
        distinct_below_difference,
        distinct_forgotten,
        distinct_above_window,
        windows_added,
        windows_largest,
        window_below_difference,
        window_below_intersection,
        window_below_join,
        window_below_group,
        slide_forgotten,
        reset_forgotten,
        rows_below_union,
        map_below_difference,
        map_below_distinct,
        changes_below_union,
        changes_below_map,
        union_of_equals,
        padding_forgotten,
        semijoin_as_join,
        now_filter_below_window,
        now_map_below_window,
    )
)


def first_step(rewrite: Rewrite, plan: Plan) -> Plan:
    """An optimizer that applies one rewrite at the first place where it fits."""
    return next((step.plan for step in steps(plan, [rewrite])), plan)
