"""The relational counterpart of every standard operator, computed by SQLite: a second opinion on each snapshot.

SQLite comes with Python and knows nothing of streams. It has no NaN, and its floats have no infinities that
survive arithmetic, so callers keep to tame values. What it lacks of SQL is said here in the SQL it has;
statistics come from Python's `statistics`, not from our own definitions.
"""

import math
import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import Any, assert_never, cast

from equivalence.reference_checks.sqlite_aggregates import add_aggregates, aggregate_class, sql_aggregate
from equivalence.reference_checks.sqlite_expressions import sql_expression, user_aggregates, user_scalars
from semantics import Expression, Instant, Multiset, Plan, Row, ScalarFunction, Schema, Type, Value
from semantics import plan as op
from semantics.aggregate import fold
from semantics.ordering import SortKey


def relational(node: Plan, inputs: Sequence[Multiset], instant: Instant = 0) -> Multiset:
    """What a relational database makes of the snapshots of a standard operator's inputs, at an instant."""
    connection = _connect(node)
    connection.create_function("now", 0, lambda: instant, deterministic=True)
    try:
        for table, child, rows in zip("lr", node.inputs, inputs, strict=False):
            _fill(connection, table, child.schema, rows)
        return Multiset(_decoded(row, node.schema) for row in connection.execute(sql(node)))
    finally:
        connection.close()


def sql(node: Plan) -> str:
    """The query over the tables l and r that a standard operator stands for."""
    match node:
        case op.Filter(predicate=predicate):
            return f"SELECT * FROM l WHERE {_text(node, predicate)}"
        case op.Map(expressions=expressions):
            return f"SELECT {', '.join(_text(node, expression) for expression in expressions)} FROM l"
        case op.Distinct():
            return "SELECT DISTINCT * FROM l"
        case op.Rstream():
            return "SELECT * FROM l"
        case op.Aggregation(aggregates=aggregates, on_empty=on_empty):
            columns = ", ".join(sql_aggregate(aggregate, _columns(node)) for aggregate in aggregates)
            return f"SELECT {columns} FROM l" + ("" if on_empty else " GROUP BY 'all'")
        case op.Grouping(keys=keys, aggregates=aggregates):
            groups = [f"l.c{key}" for key in keys]
            all_columns = [*groups, *(sql_aggregate(aggregate, _columns(node)) for aggregate in aggregates)]
            return f"SELECT {', '.join(all_columns)} FROM l GROUP BY {', '.join(groups)}"
        case op.Limit():
            return _limited(node)
        case op.Union():
            return "SELECT * FROM l UNION ALL SELECT * FROM r"
        case op.Difference():
            return _numbered(node, "EXCEPT")
        case op.Intersection():
            return _numbered(node, "INTERSECT")
        case op.Product():
            return "SELECT * FROM l CROSS JOIN r"
        case op.Join(condition=condition):
            return f"SELECT * FROM l JOIN r ON {_text(node, condition)}"
        case op.LeftJoin(condition=condition):
            return f"SELECT * FROM l LEFT JOIN r ON {_text(node, condition)}"
        case op.RightJoin(condition=condition):
            return f"SELECT l.*, r.* FROM r LEFT JOIN l ON {_text(node, condition)}"
        case op.FullJoin(condition=condition):
            on, nulls = _text(node, condition), ", ".join(["NULL"] * len(node.left.schema))
            alone = f"SELECT {nulls}, r.* FROM r WHERE NOT EXISTS (SELECT 1 FROM l WHERE {on})"
            return f"SELECT * FROM l LEFT JOIN r ON {on} UNION ALL {alone}"
        case op.Semijoin(condition=condition):
            return f"SELECT * FROM l WHERE EXISTS (SELECT 1 FROM r WHERE {_text(node, condition)})"
        case op.Antijoin(condition=condition):
            return f"SELECT * FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE {_text(node, condition)})"
        case (
            op.Source()
            | op.TimeWindow()
            | op.CountWindow()
            | op.PartitionedWindow()
            | op.LandmarkWindow()
            | op.SessionWindow()
            | op.Over()
            | op.Istream()
            | op.Dstream()
            | op.Unnest()
        ):
            raise ValueError(f"{node.operator} is no standard operator: it has no relational counterpart")
        case _:
            assert_never(node)


def _limited(node: op.Limit) -> str:
    """Rows with their place; where it is the number of a row, all columns break ties."""
    columns = [f"c{i}" for i in range(len(node.schema))]
    ties = columns if node.ranking == "rows" else []
    order = ", ".join([*map(_direction, node.order), *ties]) or "1"
    group = f"PARTITION BY {', '.join(columns[key] for key in node.keys)} " if node.keys else ""
    function = {"rows": "row_number", "rank": "rank", "dense": "dense_rank"}[node.ranking]
    placed = f"SELECT *, {function}() OVER ({group}ORDER BY {order}) - 1 AS place FROM l"
    stop = "" if node.count is None else f" AND place < {node.offset + node.count}"
    return f"SELECT {', '.join(columns)} FROM ({placed}) WHERE place >= {node.offset}{stop}"


def _direction(key: SortKey) -> str:
    nulls = "LAST" if key.ends_with_nulls else "FIRST"
    return f"c{key.column} {'DESC' if key.descending else 'ASC'} NULLS {nulls}"


def _numbered(node: op.Difference | op.Intersection, operation: str) -> str:
    """A set operation that counts: equal rows are numbered, so the i-th copy meets the i-th copy."""
    columns = ", ".join(f"c{i}" for i in range(len(node.schema)))
    sides = [f"SELECT {columns}, row_number() OVER (PARTITION BY {columns}) FROM {table}" for table in "lr"]
    return f"SELECT {columns} FROM (SELECT * FROM ({sides[0]}) {operation} SELECT * FROM ({sides[1]}))"


def _columns(node: Plan) -> list[str]:
    """The SQL name of every column position of the node's scope."""
    sides = zip("lr", node.inputs, strict=False)
    return [f"{table}.c{i}" for table, child in sides for i in range(len(child.schema))]


def _text(node: Plan, expression: Expression) -> str:
    return sql_expression(expression, _columns(node))


def _connect(node: Plan) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA case_sensitive_like = ON")
    connection.create_function("float_mod", 2, math.fmod, deterministic=True)
    add_aggregates(connection)
    for name, scalar in user_scalars(node).items():
        connection.create_function(
            name, len(scalar.parameters), cast(Any, partial(_called, scalar)), deterministic=True
        )
    for name, aggregate in user_aggregates(node).items():
        connection.create_aggregate(name, 1, aggregate_class(partial(fold, aggregate)))
    return connection


def _called(function: ScalarFunction, *arguments: Any) -> Value:
    """SQLite has no type for truth values."""
    pairs = zip(arguments, function.parameters, strict=True)
    truths = [bool(v) if p is Type.BOOL and v is not None else v for v, p in pairs]
    return None if function.strict and None in arguments else function.call(*truths)


def _fill(connection: sqlite3.Connection, table: str, schema: Schema, rows: Multiset) -> None:
    connection.execute(f"CREATE TABLE {table} ({', '.join(f'c{i}' for i in range(len(schema)))})")
    marks = ", ".join("?" * len(schema))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", list(rows))


def _decoded(row: tuple[Any, ...], schema: Schema) -> Row:
    """SQLite has no booleans: 0 and 1 become what the schema says."""
    pairs = zip(row, schema.types, strict=True)
    return tuple(bool(value) if type_ is Type.BOOL and value is not None else value for value, type_ in pairs)
