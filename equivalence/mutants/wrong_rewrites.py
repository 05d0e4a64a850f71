"""Rewrites that look right and are not: an optimizer with one of them must be caught."""

from collections.abc import Iterator
from typing import Final

from equivalence.rewrites.predicates import columns, conjunction, parted
from equivalence.rewrites.rewrite import Constraints, Rewrite, steps, with_inputs
from semantics import Plan
from semantics.plan import (
    Antijoin,
    CountWindow,
    Difference,
    Distinct,
    Dstream,
    Filter,
    FullJoin,
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
    Semijoin,
    TimeWindow,
    Union,
)


def filter_below_count_window(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Filter(input=CountWindow() | PartitionedWindow() as window, predicate=p):
            yield with_inputs(window, Filter(window.input, p))


def filter_on_the_subtrahend(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Filter(input=Difference(left=a, right=b), predicate=p):
            yield Difference(a, Filter(b, p))


def filter_below_padding(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Filter(input=LeftJoin(left=a, right=b) as join, predicate=p):
            _left, right, _both = parted(p, len(a.schema))
            if right:
                yield with_inputs(join, a, Filter(b, conjunction(right)))


def filter_into_outer_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Filter(input=LeftJoin(left=a, right=b, condition=q), predicate=p):
            yield LeftJoin(a, b, conjunction([q, p]))
        case Filter(input=FullJoin(left=a, right=b, condition=q), predicate=p):
            yield FullJoin(a, b, conjunction([q, p]))


def distinct_below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Distinct(input=Union(left=a, right=b)):
            yield Union(Distinct(a), Distinct(b))


def distinct_below_difference(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Distinct(input=Difference(left=a, right=b)):
            yield Difference(Distinct(a), Distinct(b))


def distinct_forgotten(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Distinct(input=Map() | Join() | Union() | TimeWindow() as a):
            yield a


def distinct_above_window(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case TimeWindow(input=Distinct(input=a)) as window:
            yield Distinct(with_inputs(window, a))


def windows_added(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case TimeWindow(input=TimeWindow(input=a, size=inner, slide=1), size=outer, slide=1) if inner > 1 < outer:
            yield TimeWindow(a, inner + outer - 1)


def windows_largest(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case TimeWindow(input=TimeWindow(input=a, size=inner, slide=1), size=outer, slide=1) if inner > 1 < outer:
            yield TimeWindow(a, max(inner, outer))


def window_below_difference(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case TimeWindow(input=Difference(left=a, right=b)) as window:
            yield Difference(with_inputs(window, a), with_inputs(window, b))


def window_below_intersection(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case TimeWindow(input=Intersection(left=a, right=b)) as window:
            yield Intersection(with_inputs(window, a), with_inputs(window, b))


def window_below_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case TimeWindow(input=Join() | Product() | Semijoin() | Antijoin() as join) as window:
            yield with_inputs(join, with_inputs(window, join.left), with_inputs(window, join.right))


def window_below_group(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case TimeWindow(input=Grouping() as group) as window:
            yield with_inputs(group, with_inputs(window, group.input))


def slide_forgotten(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case TimeWindow(input=a, size=size, slide=slide) if slide > 1:
            yield TimeWindow(a, size)


def reset_forgotten(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case LandmarkWindow(input=a, start=start, reset=int()):
            yield LandmarkWindow(a, start)


def rows_below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case CountWindow(input=Union(left=a, right=b)) | PartitionedWindow(input=Union(left=a, right=b)):
            yield Union(with_inputs(node, a), with_inputs(node, b))


def map_below_difference(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Map(input=Difference(left=a, right=b), expressions=expressions, names=names):
            yield Difference(Map(a, expressions, names), Map(b, expressions, names))
        case Map(input=Intersection(left=a, right=b), expressions=expressions, names=names):
            yield Intersection(Map(a, expressions, names), Map(b, expressions, names))


def map_below_distinct(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Map(input=Distinct(input=a), expressions=expressions, names=names):
            yield Distinct(Map(a, expressions, names))


def changes_below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Istream(input=Union(left=a, right=b)) | Dstream(input=Union(left=a, right=b)):
            yield Union(with_inputs(node, a), with_inputs(node, b))


def changes_below_map(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Istream(input=Map() as inner) | Dstream(input=Map() as inner):
            yield with_inputs(inner, with_inputs(node, inner.input))


def union_of_equals(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Union(left=a, right=b) if a == b:
            yield a


def padding_forgotten(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case LeftJoin(left=a, right=b, condition=p) | RightJoin(left=a, right=b, condition=p):
            yield Join(a, b, p)


def semijoin_as_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case Map(input=Join(left=a, right=b, condition=p), expressions=expressions, names=names):
            if all(index < len(a.schema) for expression in expressions for index in columns(expression)):
                yield Map(Semijoin(a, b, p), expressions, names)


WRONG_REWRITES: Final = tuple(
    Rewrite(make.__name__.replace("_", "-"), make)
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
    )
)


def first_step(rewrite: Rewrite, plan: Plan) -> Plan:
    """An optimizer that does one rewrite wherever it can first."""
    return next((step.plan for step in steps(plan, [rewrite])), plan)
