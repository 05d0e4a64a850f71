"""Nodes that differ in one parameter from a given one, over the same inputs."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import assert_never, get_args

from equivalence.neighbours.aggregate_changes import aggregate_changes
from equivalence.neighbours.change import Change, ChangeKind, Number, lifted
from equivalence.neighbours.expression_changes import expression_changes, predicate_changes
from equivalence.neighbours.over_changes import over_changes
from semantics import FOREVER, Expression, Plan, SnapeqError, Value
from semantics.aggregate import Aggregate, Max
from semantics.expression import Ref
from semantics.ordering import Ranking
from semantics.over import OverFunction
from semantics.plan import (
    Aggregation,
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
    Limit,
    Map,
    Over,
    PartitionedWindow,
    Product,
    RightJoin,
    Rstream,
    Semijoin,
    SessionWindow,
    Source,
    TimeWindow,
    Union,
    Unnest,
)

PlanChanges = Iterator[Change[Plan]]
_JOIN_NAMES = {Join: "JOIN", LeftJoin: "LEFT JOIN", RightJoin: "RIGHT JOIN", FullJoin: "FULL JOIN"}


def node_changes(node: Plan) -> PlanChanges:
    """The node with one parameter changed; its columns stay."""
    return (change for change in _changes(node) if change.made.schema == node.schema)


def _changes(node: Plan) -> PlanChanges:
    match node:
        case Source() | Product() | Rstream():
            return
        case Filter():
            yield from _in_predicate(node)
        case Map():
            yield from _in_map(node)
        case Unnest():
            yield from _in_unnest(node)
        case Distinct():
            yield Change(node.input, ChangeKind.DUPLICATES, "without DISTINCT")
        case Aggregation(on_empty=on_empty):
            text = "no row where the input is empty" if on_empty else "a row where the input is empty"
            yield Change(replace(node, on_empty=not on_empty), ChangeKind.AGGREGATE, text)
            yield from _in_aggregates(node)
        case Grouping():
            yield from _fewer_groups(node)
            yield from _in_aggregates(node)
        case Limit():
            yield from _in_limit(node)
        case Union() | Difference() | Intersection():
            yield _without_all(node)
        case Join() | LeftJoin() | RightJoin() | FullJoin():
            yield from _other_joins(node)
            yield from _in_condition(node)
        case Semijoin() | Antijoin():
            yield Change(node.left, ChangeKind.JOIN, f"without the {node.operator.lower()}")
            yield from _in_condition(node)
        case TimeWindow(size=size, slide=slide):
            if size != FOREVER:
                yield from _stepped("RANGE", int(size), ChangeKind.SIZE, lambda other: replace(node, size=other))
            yield from _stepped("SLIDE", slide, ChangeKind.SLIDE, lambda other: replace(node, slide=other))
        case CountWindow():
            yield from _in_rows(node)
        case PartitionedWindow():
            yield from _fewer_partitions(node)
            yield from _in_rows(node)
        case LandmarkWindow():
            yield from _in_landmark(node)
        case SessionWindow():
            yield from _in_session(node)
        case Over():
            yield from _in_over(node)
        case Istream() | Dstream():
            yield Change(node.input, ChangeKind.CHANGES, f"without {node.operator.upper()}")
        case _:
            assert_never(node)


def _stepped(word: str, old: int, kind: ChangeKind, make: Callable[[int], Plan]) -> PlanChanges:
    """One less and one more, as far as there is such a node."""

    def to(new: Value) -> Change[Plan]:
        assert isinstance(new, int)
        return Change(make(new), kind, f"{word} {new} instead of {old}", Number(old, new, to))

    for new in (old - 1, old + 1):
        try:
            yield to(new)
        except SnapeqError:
            continue


def _in_predicate(node: Filter) -> PlanChanges:
    return lifted(predicate_changes(node.predicate, node.scope), lambda other: replace(node, predicate=other))


def _in_unnest(node: Unnest) -> PlanChanges:
    text = "no row where there is no element" if node.outer else "a row where there is no element"
    yield Change(replace(node, outer=not node.outer), ChangeKind.JOIN, text)

    def of(array: Expression) -> Plan:
        return replace(node, array=array)

    yield from lifted(expression_changes(node.array, node.scope), of)


def _in_map(node: Map) -> PlanChanges:
    def with_one(i: int, expression: Expression) -> Plan:
        return replace(node, expressions=(*node.expressions[:i], expression, *node.expressions[i + 1 :]))

    for i, expression in enumerate(node.expressions):
        yield from lifted(expression_changes(expression, node.scope), partial(with_one, i))


def _in_aggregates(node: Aggregation | Grouping) -> PlanChanges:
    def with_one(i: int, aggregate: Aggregate) -> Plan:
        return replace(node, aggregates=(*node.aggregates[:i], aggregate, *node.aggregates[i + 1 :]))

    for i, aggregate in enumerate(node.aggregates):
        yield from lifted(aggregate_changes(aggregate, node.scope), partial(with_one, i))


def _in_condition(node: Join | LeftJoin | RightJoin | FullJoin | Semijoin | Antijoin) -> PlanChanges:
    return lifted(predicate_changes(node.condition, node.scope), lambda other: replace(node, condition=other))


def _other_joins(node: Join | LeftJoin | RightJoin | FullJoin) -> PlanChanges:
    """A join that pads one side more, or one side less."""
    kinds: tuple[type[Join | LeftJoin | RightJoin | FullJoin], ...]
    kinds = (LeftJoin, RightJoin) if isinstance(node, Join | FullJoin) else (Join, FullJoin)
    for kind in kinds:
        text = f"{_JOIN_NAMES[kind]} instead of {_JOIN_NAMES[type(node)]}"
        yield Change(kind(node.left, node.right, node.condition), ChangeKind.JOIN, text)


def _without_all(node: Union | Difference | Intersection) -> Change[Plan]:
    """The operation of SQL without ALL."""
    match node:
        case Union():
            return Change(Distinct(node), ChangeKind.DUPLICATES, "UNION instead of UNION ALL")
        case Intersection():
            return Change(Distinct(node), ChangeKind.DUPLICATES, "INTERSECT instead of INTERSECT ALL")
        case Difference(left=left, right=right):
            without = Difference(Distinct(left), Distinct(right))
            return Change(without, ChangeKind.DUPLICATES, "EXCEPT instead of EXCEPT ALL")
        case _:
            assert_never(node)


def _fewer_groups(node: Grouping) -> PlanChanges:
    """A group column dropped; its place in the output takes the largest value of the group."""
    for key in node.keys:
        column = node.input.schema.columns[key]
        aggregates, names = (*node.aggregates, Max(Ref(key, column.type))), (*node.names, column.name)
        rest = tuple(other for other in node.keys if other != key)
        wider = Grouping(node.input, rest, aggregates, names) if rest else Aggregation(node.input, aggregates, names)
        yield Change(_in_order_of(node, wider), ChangeKind.KEY, f"GROUP BY without {column.name}")


def _in_order_of(node: Grouping, other: Plan) -> Plan:
    """The same columns in the order of the node."""
    columns = node.schema.columns
    refs = tuple(Ref(other.schema.names.index(column.name), column.type) for column in columns)
    return Map(other, refs, node.schema.names)


def _in_limit(node: Limit) -> PlanChanges:
    """Another number of places, another order, other ties, one group column fewer."""
    if node.count is not None:
        yield from _stepped("LIMIT", node.count, ChangeKind.ROWS, lambda other: replace(node, count=other))
    yield from _stepped("OFFSET", node.offset, ChangeKind.ROWS, lambda other: replace(node, offset=other))
    names = node.schema.names
    for i, key in enumerate(node.order):
        turned = replace(key, descending=not key.descending, nulls_last=not key.ends_with_nulls)
        moved = replace(key, nulls_last=not key.ends_with_nulls)
        for other, text in ((turned, "the other way round"), (moved, "with NULLs at the other end")):
            order = (*node.order[:i], other, *node.order[i + 1 :])
            yield Change(replace(node, order=order), ChangeKind.KEY, f"ORDER BY {names[key.column]} {text}")
    for ranking in get_args(Ranking):
        if ranking != node.ranking:
            yield Change(replace(node, ranking=ranking), ChangeKind.DUPLICATES, f"places by {ranking}")
    for key_column in node.keys:
        rest = tuple(other for other in node.keys if other != key_column)
        yield Change(replace(node, keys=rest), ChangeKind.KEY, f"PARTITION BY without {names[key_column]}")


def _fewer_partitions(node: PartitionedWindow) -> PlanChanges:
    for key in node.keys:
        rest = tuple(other for other in node.keys if other != key)
        other = replace(node, keys=rest) if rest else CountWindow(node.input, node.rows, node.slide, node.ties)
        yield Change(other, ChangeKind.KEY, f"PARTITION BY without {node.input.schema.names[key]}")


def _in_rows(node: CountWindow | PartitionedWindow) -> PlanChanges:
    yield from _stepped("ROWS", node.rows, ChangeKind.ROWS, lambda other: replace(node, rows=other))
    if not node.ties:
        yield from _stepped("SLIDE", node.slide, ChangeKind.SLIDE, lambda other: replace(node, slide=other))
    if node.slide == 1:
        text = "without WITH TIES" if node.ties else "WITH TIES"
        yield Change(replace(node, ties=not node.ties), ChangeKind.DUPLICATES, text)


def _in_landmark(node: LandmarkWindow) -> PlanChanges:
    yield from _stepped("LANDMARK", node.start, ChangeKind.LANDMARK, lambda other: replace(node, start=other))
    if node.reset is not None:
        yield from _stepped("RESET", node.reset, ChangeKind.LANDMARK, lambda other: replace(node, reset=other))


def _in_session(node: SessionWindow) -> PlanChanges:
    """Another gap, the other reading of instants that touch, one group column fewer."""
    yield from _stepped("SESSION", node.gap, ChangeKind.SIZE, lambda other: replace(node, gap=other))
    text = "without TOUCHING" if node.touching else "TOUCHING"
    yield Change(replace(node, touching=not node.touching), ChangeKind.SIZE, text)
    yield from _fewer_keys(node)


def _in_over(node: Over) -> PlanChanges:
    """Other functions, another order among the rows of an instant, one group column fewer."""

    def with_one(i: int, function: OverFunction) -> Plan:
        return replace(node, functions=(*node.functions[:i], function, *node.functions[i + 1 :]))

    for i, function in enumerate(node.functions):
        yield from lifted(over_changes(function, node.scope), partial(with_one, i))
    for i, key in enumerate(node.order):
        order = (*node.order[:i], replace(key, descending=not key.descending), *node.order[i + 1 :])
        text = f"ORDER BY {node.schema.names[key.column]} the other way round"
        yield Change(replace(node, order=order), ChangeKind.KEY, text)
    yield from _fewer_keys(node)


def _fewer_keys(node: SessionWindow | Over) -> PlanChanges:
    for key in node.keys:
        rest = tuple(other for other in node.keys if other != key)
        yield Change(replace(node, keys=rest), ChangeKind.KEY, f"PARTITION BY without {node.schema.names[key]}")
