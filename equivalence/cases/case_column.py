"""Many cases in one run: a lifted plan has a case column, and evaluates all cases at once without mixing them.

`unlift(run(lift(plan), lift_cases(plan, cases)), …)` equals the results of running the plan on each case. Lifting makes
a plan from a plan, so it works on every engine. It pays where a run costs much more than a row.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never, cast

from equivalence.cases.random_cases import Case
from semantics import (
    FOREVER,
    Column,
    Expression,
    Interval,
    IntervalStream,
    LogicalStream,
    Multiset,
    Plan,
    Row,
    Schema,
    Stream,
    Type,
)
from semantics import plan as op
from semantics.aggregate import Aggregate, Count, CountDistinct, CountRows
from semantics.constraint import elements_of
from semantics.expression import And, Coalesce, Comparison, Constant, Ref
from semantics.ordering import SortKey
from semantics.rebuild import with_function
from semantics.substitute import shifted, substitute, substitute_in_aggregate

UnaryOperator = (
    op.Filter
    | op.Map
    | op.Unnest
    | op.Distinct
    | op.Aggregation
    | op.Grouping
    | op.Limit
    | op.TimeWindow
    | op.CountWindow
    | op.PartitionedWindow
    | op.LandmarkWindow
    | op.SessionWindow
    | op.Over
    | op.Istream
    | op.Dstream
    | op.Rstream
)
BinaryOperator = (
    op.Union
    | op.Difference
    | op.Intersection
    | op.Product
    | op.Join
    | op.LeftJoin
    | op.RightJoin
    | op.FullJoin
    | op.Semijoin
    | op.Antijoin
)

CASE_COLUMN: Final = "case #"
"""The name of the case column, which is first in every schema, and of the source that lists all cases."""
RIGHT_CASE_COLUMN: Final = "case # of the right"
CASE_NUMBER: Final = Ref(0, Type.INT)
ALL_CASES: Final = op.Source(CASE_COLUMN, Schema((Column(CASE_COLUMN, Type.INT),)))


def lift(plan: Plan) -> Plan:
    """The plan for all cases at once; its rows begin with the number of the case."""
    match plan:
        case op.Source(name=name, schema=schema):
            return op.Source(name, lifted_schema(schema))
        case op.Unary():
            return _lifted_unary(plan, lift(plan.input))
        case op.Binary():
            return _lifted_binary(plan, lift(plan.left), lift(plan.right))
        case _:
            assert_never(plan)


def _lifted_unary(plan: UnaryOperator, below: Plan) -> Plan:
    match plan:
        case op.Filter(predicate=predicate):
            return op.Filter(below, shifted(predicate, 1))
        case op.Map(expressions=expressions, names=names):
            return op.Map(below, (CASE_NUMBER, *(shifted(e, 1) for e in expressions)), (CASE_COLUMN, *names))
        case op.Unnest(array=array):
            return replace(plan, input=below, array=shifted(array, 1))
        case op.Aggregation(aggregates=aggregates, names=names, on_empty=on_empty):
            groups = op.Grouping(below, (0,), _shifted_all(aggregates), names)
            return _for_all_cases(groups, aggregates) if on_empty else groups
        case op.Grouping(keys=keys, aggregates=aggregates, names=names):
            return op.Grouping(below, _with_case(keys), _shifted_all(aggregates), names)
        case op.Limit(order=order, keys=keys):
            return replace(plan, input=below, order=_moved(order), keys=_with_case(keys))
        case op.SessionWindow(keys=keys):
            return replace(plan, input=below, keys=_with_case(keys))
        case op.Over(keys=keys, order=order, functions=functions):
            made = tuple(with_function(function, lambda argument: shifted(argument, 1)) for function in functions)
            return replace(plan, input=below, functions=made, order=_moved(order), keys=_with_case(keys))
        case op.CountWindow(rows=rows, slide=slide, ties=ties):
            return op.PartitionedWindow(below, (0,), rows, slide, ties)
        case op.PartitionedWindow(keys=keys, rows=rows, slide=slide, ties=ties):
            return op.PartitionedWindow(below, _with_case(keys), rows, slide, ties)
        case op.Distinct() | op.TimeWindow() | op.LandmarkWindow() | op.Istream() | op.Dstream() | op.Rstream():
            return plan.with_inputs(below)
        case _:
            assert_never(plan)


def _moved(order: tuple[SortKey, ...]) -> tuple[SortKey, ...]:
    return tuple(replace(key, column=key.column + 1) for key in order)


def _lifted_binary(plan: BinaryOperator, left: Plan, right: Plan) -> Plan:
    match plan:
        case op.Union() | op.Difference() | op.Intersection():
            return plan.with_inputs(left, right)
        case op.Semijoin():
            return op.Semijoin(left, right, _within_a_case(plan, plan.condition))
        case op.Antijoin():
            return op.Antijoin(left, right, _within_a_case(plan, plan.condition))
        case op.Product():
            return _one_case_column(plan, op.Join(left, _renamed_case(right), _same_case(plan)), CASE_NUMBER)
        case op.Join():
            joined: Plan = op.Join(left, _renamed_case(right), _within_a_case(plan, plan.condition))
            return _one_case_column(plan, joined, CASE_NUMBER)
        case op.LeftJoin():
            joined = op.LeftJoin(left, _renamed_case(right), _within_a_case(plan, plan.condition))
            return _one_case_column(plan, joined, CASE_NUMBER)
        case op.RightJoin():
            joined = op.RightJoin(left, _renamed_case(right), _within_a_case(plan, plan.condition))
            return _one_case_column(plan, joined, _right_number(plan))
        case op.FullJoin():
            joined = op.FullJoin(left, _renamed_case(right), _within_a_case(plan, plan.condition))
            return _one_case_column(plan, joined, Coalesce((CASE_NUMBER, _right_number(plan))))
        case _:
            assert_never(plan)


def lift_cases(plan: Plan, cases: Sequence[Case]) -> dict[str, Stream]:
    """For each source the streams of all cases in one; and the source that lists the cases."""
    lifted = {name: _merged(name, schema, cases) for name, schema in plan.sources().items()}
    everywhere = [((number,), Interval(0, FOREVER)) for number in range(len(cases))]
    return {**lifted, CASE_COLUMN: IntervalStream(ALL_CASES.schema, everywhere)}


def unlift(result: LogicalStream, schema: Schema, number: int) -> tuple[LogicalStream, ...]:
    """The results of this many cases, one by one; the schema is that of the plan before lifting."""
    apart: list[list[list[tuple[Row, int]]]] = [[[] for _ in result.snapshots] for _ in range(number)]
    for t, snapshot in enumerate(result.snapshots):
        for row, n in snapshot.pairs():
            apart[cast(int, row[0])][t].append((row[1:], n))
    return tuple(LogicalStream(schema, tuple(map(Multiset.sum, snapshots))) for snapshots in apart)


def lifted_schema(schema: Schema) -> Schema:
    return Schema((Column(CASE_COLUMN, Type.INT), *schema.columns))


def _merged(name: str, schema: Schema, cases: Sequence[Case]) -> IntervalStream:
    elements = [((number, *row), i) for number, case in enumerate(cases) for row, i in elements_of(case[name])]
    return IntervalStream(lifted_schema(schema), sorted(elements, key=lambda element: element[1].start))


def _shifted_all(aggregates: Sequence[Aggregate]) -> tuple[Aggregate, ...]:
    return tuple(substitute_in_aggregate(a, lambda ref: Ref(ref.index + 1, ref.type)) for a in aggregates)


def _for_all_cases(groups: op.Grouping, aggregates: Sequence[Aggregate]) -> Plan:
    """A row for every case, also where the case holds nothing: then counts are 0, and other aggregates are NULL.

    This is why the cases must be listed: a case without elements has no row from which its number could come.
    """
    joined = op.LeftJoin(ALL_CASES, _renamed_case(groups), Comparison("=", CASE_NUMBER, Ref(1, Type.INT)))
    found = [Ref(i, aggregate.type) for i, aggregate in enumerate(aggregates, 2)]
    return op.Map(joined, (CASE_NUMBER, *map(_or_zero, aggregates, found)), groups.schema.names)


def _or_zero(aggregate: Aggregate, found: Ref) -> Expression:
    counts = isinstance(aggregate, CountRows | Count | CountDistinct)
    return Coalesce((found, Constant(0, Type.INT))) if counts else found


def _renamed_case(plan: Plan) -> op.Map:
    """The same rows with another name for the case column: inputs of a join have no common names."""
    columns = plan.schema.columns
    return op.Map(
        plan, tuple(Ref(i, c.type) for i, c in enumerate(columns)), (RIGHT_CASE_COLUMN, *(c.name for c in columns[1:]))
    )


def _with_case(keys: tuple[int, ...]) -> tuple[int, ...]:
    return (0, *(key + 1 for key in keys))


def _right_number(node: op.Binary) -> Ref:
    """The case column of the right input, in the rows of a join."""
    return Ref(len(node.left.schema) + 1, Type.INT)


def _same_case(node: op.Binary) -> Comparison:
    return Comparison("=", CASE_NUMBER, _right_number(node))


def _within_a_case(node: op.Binary, condition: Expression) -> Expression:
    """The condition for rows of the same case. Left columns move one to the right, right columns two."""
    width = len(node.left.schema)
    moved = substitute(condition, lambda ref: Ref(ref.index + (1 if ref.index < width else 2), ref.type))
    return And(_same_case(node), moved)


def _one_case_column(node: op.Binary, joined: Plan, number: Expression) -> op.Map:
    """Drops one of two case columns; `number` is that of a side that is never padded, or whichever is not NULL."""
    kept = [i for i in range(len(joined.schema)) if i not in (0, len(node.left.schema) + 1)]
    columns = [joined.schema.columns[i] for i in kept]
    references = [Ref(i, column.type) for i, column in zip(kept, columns, strict=True)]
    return op.Map(joined, (number, *references), (CASE_COLUMN, *(column.name for column in columns)))
