"""Rows that come from no stream: SELECT without FROM, and VALUES. They are there at every instant.

A plan without a source would not know any instants. What has one row at every instant, whatever happens, is a total
aggregate over nothing: `COUNT(*)` of a stream of which no row is kept. So some stream or table must be declared.
"""

from functools import reduce

from sqlglot import exp

from semantics.aggregate import CountRows
from semantics.expression import Coalesce, Constant, Expression
from semantics.how_many import how_many
from semantics.plan import Aggregation, Filter, Map, Plan, Source, Union
from semantics.sql.catalogue import Catalogue
from semantics.sql.errors import wrong
from semantics.sql.grammar.nodes import Values
from semantics.sql.to_plan.expressions import Expressions, unwrapped
from semantics.sql.to_plan.part import first_columns
from semantics.sql.to_plan.subqueries.as_columns import value_of
from semantics.sql.to_plan.visible_columns import Context, Outer, Rows
from semantics.sql.type_names import sql_type
from semantics.value import NULL, Type

FALSE = Constant(False, Type.BOOL)


def base_of(query: exp.Expr, catalogue: Catalogue) -> Source | None:
    """The source that constant rows of a query are made over: one that it uses itself, or the first that there is."""
    used = (catalogue.find(table.name) for table in query.find_all(exp.Table))
    for relation in (*used, *catalogue.relations.values()):
        if relation is not None:
            name, schema = next(iter(relation.plan.sources().items()))
            return Source(name, schema)
    return None


def one_row(context: Context, node: exp.Expr) -> Plan:
    """One row at every instant; its only column counts nothing."""
    if context.base is None:
        raise wrong(node, "rows that come from no stream need the instants of one", "a CREATE STREAM or CREATE TABLE")
    return Aggregation(Filter(context.base, FALSE), (CountRows(),), ("none",), on_empty=True)


def values_plan(node: Values, context: Context, outer: Outer | None) -> Plan:
    """The rows of VALUES, each as often as it stands there; columns are called column1, column2, …"""
    width = len(node.expressions[0].expressions)
    for row in node.expressions:
        if len(row.expressions) != width:
            problem = f"a row of {how_many(len(row.expressions), 'value')} in VALUES"
            raise wrong(row, problem, f"{how_many(width, 'value')}, as in the first row")
    domain = outer.domain if outer else None
    stage = Rows(domain or one_row(context, node), [], context, outer)
    columns = [_alike([row.expressions[i] for row in node.expressions], stage) for i in range(width)]
    carried = first_columns(stage.plan, outer.width if outer else 0)
    names = (*stage.plan.schema.names[: len(carried)], *(f"column{i}" for i in range(1, width + 1)))
    rows: list[Plan] = [Map(stage.plan, (*carried, *values), names) for values in zip(*columns, strict=True)]
    return reduce(Union, rows)


def _alike(nodes: list[exp.Expr], stage: Rows) -> list[Expression]:
    """The values of one column: NULL takes the type of the others, and integers beside floats become floats."""
    typed = [Expressions(stage, value_of).of(node) for node in nodes if not isinstance(unwrapped(node), exp.Null)]
    types = list(dict.fromkeys(value.type for value in typed)) or [Type.INT]
    common = Type.FLOAT if set(types) == {Type.INT, Type.FLOAT} else types[0]
    values = [Expressions(stage, value_of).of(node, common) for node in nodes]
    for node, value in zip(nodes, values, strict=True):
        if value.type is not common and (value.type, common) != (Type.INT, Type.FLOAT):
            problem = f"a {sql_type(value.type)} in a column of {sql_type(common)}"
            raise wrong(node, problem, f"{sql_type(common)}, as in the rows before")
    return [widened(value, common) for value in values]


def widened(value: Expression, type_: Type) -> Expression:
    """An INT as a FLOAT, if that is wanted."""
    return value if value.type is type_ else Coalesce((value, Constant(NULL, type_)))
