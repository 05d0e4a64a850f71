"""Wrong rewrites that are on no list of ours are refuted by default, and right ones of rare shapes are tried enough."""

from collections.abc import Callable, Iterator

import pytest

from equivalence import check_optimizer
from equivalence.mutants.wrong_rewrites import WRONG_REWRITES, WrongRewrite, first_step
from equivalence.optimizer.rewrites import REWRITES, steps
from equivalence.optimizer.rewrites.plan_rewrite import Constraints
from equivalence.optimizer.rewrites.predicates import columns, conjunction, parted
from semantics import Plan
from semantics import plan as op
from semantics.aggregate import Max
from semantics.expression import And, Comparison, IsNull, Not, Or, Ref
from semantics.fold import FALSE
from semantics.substitute import substitute


def filter_below_the_left_of_a_right_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Filter(input=op.RightJoin(left=a, right=b) as join, predicate=p):
            left, _right, _both = parted(p, len(a.schema))
            if left:
                yield join.with_inputs(op.Filter(a, conjunction(left)), b)


def union_of_distinct_without_duplicates(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Union(left=op.Distinct(input=a), right=b) | op.Union(left=b, right=op.Distinct(input=a)):
            yield op.Distinct(op.Union(a, b))


def distinct_dropped_over_filtering_joins(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Distinct(input=op.Semijoin() | op.Antijoin() | op.Intersection() as a):
            yield a


def having_as_where(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Filter(input=op.Grouping(input=a, keys=keys, aggregates=aggregates) as group, predicate=p):
            below = [*(Ref(key, a.schema.types[key]) for key in keys), *(each.argument for each in aggregates)]
            used = [(below[ref], group.schema.types[ref]) for ref in columns(p)]
            if all(found is not None and found.type is type_ for found, type_ in used):
                yield group.with_inputs(op.Filter(a, substitute(p, lambda ref: below[ref.index] or ref)))


def window_sizes_summed(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.TimeWindow(input=op.TimeWindow(input=a, size=inner, slide=1), size=outer, slide=1):
            yield op.TimeWindow(a, inner + outer)


def group_column_dropped(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Grouping(input=a, keys=(first, second), aggregates=aggregates, names=names):
            dropped = a.schema.columns[second]
            yield op.Grouping(a, (first,), (Max(Ref(second, dropped.type)), *aggregates), (dropped.name, *names))


def partition_column_dropped(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.PartitionedWindow(input=a, keys=(first, _), rows=rows, slide=slide, ties=ties):
            yield op.PartitionedWindow(a, (first,), rows, slide, ties)


def outer_join_under_a_filter_as_join(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Filter(input=op.LeftJoin(left=a, right=b, condition=q), predicate=p):
            if any(index >= len(a.schema) for index in columns(p)):
                yield op.Filter(op.Join(a, b, q), p)


def rows_below_filter(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.CountWindow(input=op.Filter(input=a, predicate=p)) as window:
            yield op.Filter(window.with_inputs(a), p)


def semijoin_dropped(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Semijoin(left=op.TimeWindow() | op.Distinct() | op.Filter() as a):
            yield a


def antijoin_as_difference(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Antijoin(left=a, right=b) if a.schema == b.schema:
            yield op.Difference(a, b)


def difference_regrouped(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Difference(left=op.Difference(left=a, right=b), right=c):
            yield op.Difference(a, op.Difference(b, c))


def no_row_over_nothing(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Aggregation(input=op.Filter() as a, aggregates=aggregates, names=names, on_empty=True):
            yield op.Aggregation(a, aggregates, names)


def distinct_above_changes(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Istream(input=op.Distinct(input=a)):
            yield op.Distinct(op.Istream(a))


def comparison_negated_without_its_equality(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Filter(input=a, predicate=Not(operand=Comparison(symbol="<", left=x, right=y))):
            yield op.Filter(a, Comparison(">", x, y))


def disjunction_as_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Filter(input=a, predicate=Or(left=p, right=q)):
            yield op.Union(op.Filter(a, p), op.Filter(a, q))


def padded_rows_as_antijoin(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Filter(input=op.LeftJoin(left=a, right=b, condition=p), predicate=IsNull(operand=Ref(index=index))):
            if index >= len(a.schema):
                yield op.LeftJoin(op.Antijoin(a, b, p), b, FALSE)


def grouping_below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Grouping(input=op.Union(left=a, right=b)) if a.schema == b.schema:
            yield op.Union(node.with_inputs(a), node.with_inputs(b))


def difference_of_a_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Difference(left=a, right=op.Union(left=b, right=c)):
            yield op.Union(op.Difference(a, b), op.Difference(a, c))


def equality_that_null_meets(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.Join(left=a, right=b, condition=Comparison(symbol="=", left=x, right=y) as equal):
            yield op.Join(a, b, Or(equal, And(IsNull(x), IsNull(y))))


def landmarks_merged(node: Plan, _: Constraints) -> Iterator[Plan]:
    match node:
        case op.LandmarkWindow(input=op.LandmarkWindow(input=a, start=first, reset=None), start=second, reset=None):
            yield op.LandmarkWindow(a, max(first, second), None)


FRESH: tuple[Callable[[Plan, Constraints], Iterator[Plan]], ...] = (
    filter_below_the_left_of_a_right_join,
    union_of_distinct_without_duplicates,
    distinct_dropped_over_filtering_joins,
    having_as_where,
    window_sizes_summed,
    group_column_dropped,
    partition_column_dropped,
    outer_join_under_a_filter_as_join,
    rows_below_filter,
    semijoin_dropped,
    antijoin_as_difference,
    difference_regrouped,
    no_row_over_nothing,
    distinct_above_changes,
    comparison_negated_without_its_equality,
    disjunction_as_union,
    padded_rows_as_antijoin,
    grouping_below_union,
    difference_of_a_union,
    equality_that_null_meets,
    landmarks_merged,
)


@pytest.mark.parametrize("wrong", FRESH, ids=lambda wrong: wrong.__name__)
def test_each_is_refuted_by_default(wrong: Callable[[Plan, Constraints], Iterator[Plan]]) -> None:
    assert wrong.__name__ not in {rewrite.alternatives.__name__ for rewrite in WRONG_REWRITES}
    rewrite = WrongRewrite(wrong.__name__, wrong)
    verdict = check_optimizer(lambda plan: first_step(rewrite, plan), trials=0)
    assert (verdict.kind, verdict.evidence.get("finding")) == ("refuted", "WrongResult")


@pytest.mark.parametrize("seed", [1, 3, 5, 7])
def test_what_is_mostly_right_is_refuted_whatever_the_seed_is(seed: int) -> None:
    rewrite = WrongRewrite("having_as_where", having_as_where)
    verdict = check_optimizer(lambda plan: first_step(rewrite, plan), trials=0, seed=seed)
    assert verdict.kind == "refuted"


@pytest.mark.parametrize(
    "name",
    ["grouping-below-join", "join-on-a-key-as-semijoin", "projection-on-everything", "intersection-as-difference"],
)
def test_right_rewrites_of_rare_shapes_fire_often_enough(name: str) -> None:
    rewrites = [rewrite for rewrite in REWRITES if rewrite.name == name]
    verdict = check_optimizer(lambda plan: next((step.plan for step in steps(plan, rewrites)), plan), examples=400)
    assert verdict.kind == "agreed"
