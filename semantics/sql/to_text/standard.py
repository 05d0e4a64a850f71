"""Plans in standard SQL, to be evaluated over the snapshots of their sources at one instant after the other."""

from collections.abc import Sequence
from typing import Final, assert_never

from semantics import plan as op
from semantics.aggregate import Aggregate
from semantics.expression import Call, Expression, children
from semantics.plan import Plan
from semantics.schema import Schema
from semantics.sql.names import name_text
from semantics.sql.to_text.plans import JOINS, SET_OPERATIONS
from semantics.sql.to_text.standard_expressions import standard_aggregate, standard_expression

LEFT, RIGHT = "l", "r"
Unsayable = (
    op.TimeWindow
    | op.CountWindow
    | op.PartitionedWindow
    | op.LandmarkWindow
    | op.SessionWindow
    | op.Over
    | op.Istream
    | op.Dstream
    | op.Limit
    | op.Unnest
)
"""What looks back in time; the first rows, whose ties standard SQL leaves open; and arrays."""
EXISTENCE: Final = {op.Semijoin: "EXISTS", op.Antijoin: "NOT EXISTS"}


def standard_sql(plan: Plan) -> str | None:
    """A query over tables that hold the snapshots of the sources; None if the plan looks back in time, or says
    something that standard SQL has not.

    >>> from semantics import parse_plan
    >>> standard_sql(parse_plan("S(x int) | filter(x > 1)"))
    'SELECT x FROM S AS l WHERE (x > 1)'
    >>> standard_sql(parse_plan("S(x int) | window(range 2)")) is None
    True
    """
    if any(isinstance(node, Unsayable) or not _is_standard(node) for node in plan.walk()):
        return None
    return _query(plan)


def _is_standard(node: Plan) -> bool:
    if node.mentions_now or any(_calls(expression) for expression in node.own_expressions):
        return False
    aggregates = node.aggregates if isinstance(node, op.Aggregation | op.Grouping) else ()
    return all(standard_aggregate(aggregate, node.inputs[0].schema.names) for aggregate in aggregates)


def _calls(expression: Expression) -> bool:
    return isinstance(expression, Call) or any(map(_calls, children(expression)))


def _query(plan: Plan) -> str:
    match plan:
        case op.Source(name=name, schema=schema):
            return f"SELECT {_listed(schema)} FROM {name_text(name)}"
        case op.Filter(input=below, predicate=predicate):
            return f"SELECT {_listed(plan.schema)} FROM {_table(below)} WHERE {_text(predicate, below.schema)}"
        case op.Map(input=below, expressions=expressions, names=names):
            return f"SELECT {_named([_text(e, below.schema) for e in expressions], names)} FROM {_table(below)}"
        case op.Distinct(input=below):
            return f"SELECT DISTINCT {_listed(plan.schema)} FROM {_table(below)}"
        case op.Rstream(input=below):
            return _query(below)
        case op.Aggregation(input=below, aggregates=aggregates, names=names, on_empty=on_empty):
            gap = "" if on_empty else " HAVING COUNT(*) > 0"
            return f"SELECT {_named(_aggregated(aggregates, below.schema), names)} FROM {_table(below)}{gap}"
        case op.Grouping(input=below, keys=keys, aggregates=aggregates):
            groups = [name_text(below.schema.names[key]) for key in keys]
            items = _named([*groups, *_aggregated(aggregates, below.schema)], plan.schema.names)
            return f"SELECT {items} FROM {_table(below)} GROUP BY {', '.join(groups)}"
        case op.Union() | op.Difference() | op.Intersection():
            return f"({_query(plan.left)}) {SET_OPERATIONS[type(plan)]} ({_query(plan.right)})"
        case op.Product():
            return f"SELECT {_listed(plan.schema)} FROM {_table(plan.left)} CROSS JOIN {_table(plan.right, RIGHT)}"
        case op.Join() | op.LeftJoin() | op.RightJoin() | op.FullJoin():
            tables = f"{_table(plan.left)} {JOINS[type(plan)]} {_table(plan.right, RIGHT)}"
            return f"SELECT {_listed(plan.schema)} FROM {tables} ON {_condition(plan)}"
        case op.Semijoin() | op.Antijoin():
            partners = f"SELECT 1 FROM {_table(plan.right, RIGHT)} WHERE {_condition(plan)}"
            return f"SELECT {_listed(plan.schema)} FROM {_table(plan.left)} WHERE {EXISTENCE[type(plan)]} ({partners})"
        case (
            op.TimeWindow()
            | op.CountWindow()
            | op.PartitionedWindow()
            | op.LandmarkWindow()
            | op.SessionWindow()
            | op.Over()
            | op.Istream()
            | op.Dstream()
            | op.Limit()
            | op.Unnest()
        ):
            raise AssertionError("it looks back in time, or breaks ties as standard SQL does not")
        case _:
            assert_never(plan)


def _table(plan: Plan, alias: str = LEFT) -> str:
    return f"{name_text(plan.name) if isinstance(plan, op.Source) else f'({_query(plan)})'} AS {alias}"


def _listed(schema: Schema) -> str:
    return ", ".join(map(name_text, schema.names))


def _text(expression: Expression, schema: Schema) -> str:
    return standard_expression(expression, [name_text(name) for name in schema.names])


def _condition(plan: op.Joined | op.Filtering) -> str:
    columns = [
        f"{alias}.{name_text(name)}"
        for alias, side in ((LEFT, plan.left), (RIGHT, plan.right))
        for name in side.schema.names
    ]
    return standard_expression(plan.condition, columns)


def _aggregated(aggregates: Sequence[Aggregate], schema: Schema) -> list[str]:
    return [standard_aggregate(a, [name_text(name) for name in schema.names]) or "" for a in aggregates]


def _named(texts: Sequence[str], names: Sequence[str]) -> str:
    return ", ".join(f"{text} AS {name_text(name)}" for text, name in zip(texts, names, strict=True))
