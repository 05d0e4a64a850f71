"""Subqueries anywhere in an expression: their values become columns, by an outer join.

The paper's scalar aggregation has no row where there is nothing; as a value inside an expression a subquery follows
SQL instead: COUNT is 0 there, everything else NULL.
"""

from sqlglot import exp

from semantics.aggregate import Count, CountRows
from semantics.expression import Case, Comparison, ComparisonSymbol, Constant, Expression, IsNull, Not, Ref
from semantics.plan import Aggregation, Grouping, LeftJoin, Plan, Product
from semantics.sql.errors import blaming, wrong
from semantics.sql.grammar.nodes import Limited, is_unranked
from semantics.sql.to_plan.aggregate_calls import is_aggregated
from semantics.sql.to_plan.conjunctions import OPPOSITE, TRUE, conjunction
from semantics.sql.to_plan.expressions import COMPARISON, Expressions
from semantics.sql.to_plan.from_clause import Part, apart
from semantics.sql.to_plan.subqueries.as_joins import (
    check_width,
    dependent,
    distinct_values,
    existing,
    links,
    outer_columns,
)
from semantics.sql.to_plan.subqueries.decorrelate import equated, item_value
from semantics.sql.to_plan.visible_columns import Outer, Probe, Stage
from semantics.value import NULL, Type

ONE = Constant(1, Type.INT)
ZERO = Constant(0, Type.INT)


def value_of(node: exp.Expr, stage: Stage) -> Expression:
    """The value of a subquery, as a new column of the stage's plan."""
    if stage.probing:
        return _visited(node, stage)
    match node:
        case exp.Subquery():
            return _scalar(node.this, stage)
        case exp.Exists():
            return _exists(existing(node.this), stage)
        case exp.In():
            return _some(node, node.this, "=", node.args["query"], stage)
        case _:
            return _quantified(node, stage)


def _visited(node: exp.Expr, stage: Stage) -> Expression:
    """While outer columns are looked for, names matter and values do not."""
    if not isinstance(node, exp.Subquery | exp.Exists):
        Expressions(stage, value_of).of(node.this)
    inner = node.args.get("query") or (
        node.this if isinstance(node, exp.Subquery | exp.Exists) else node.expression.this
    )
    query = existing(inner) if isinstance(node, exp.Exists) else inner
    plan = stage.context.translator.plan(query, stage.context, Probe(stage), total=True)
    return Constant(NULL, plan.schema.types[0] if isinstance(node, exp.Subquery) else Type.BOOL)


def _quantified(node: exp.Expr, stage: Stage) -> Expression:
    """x op ANY (query), or x op ALL (query): the latter fails where some value fails."""
    symbol = COMPARISON[type(node)]
    if isinstance(node.expression, exp.Any):
        return _some(node, node.this, symbol, node.expression.this, stage)
    return Not(_some(node, node.this, OPPOSITE[symbol], node.expression.this, stage))


def _scalar(query: exp.Expr, stage: Stage) -> Expression:
    """The one value of a subquery that has at most one row."""
    _check_single_row(query, stage)
    used = outer_columns(stage, query)
    grouped = equated(stage, query, value_of) if used else None
    if grouped:
        width = stage.width
        _attach(stage, grouped.plan, grouped.links(width))
        return item_value(stage, query, grouped, width, value_of)
    position = stage.width + len(used)
    if used:
        other = dependent(stage, query, used)
        _attach(stage, other.plan, other.links)
        return Ref(position, other.value.type)
    plan = stage.context.translator.plan(query, stage.context, Outer(stage), total=True)
    check_width(query, len(plan.schema), True)
    _attach(stage, plan, ())
    return Ref(position, plan.schema.types[0])


def _check_single_row(query: exp.Expr, stage: Stage) -> None:
    """Only an aggregate without GROUP BY, or LIMIT 1, is sure to have no second row."""
    if isinstance(query, Limited) and _is_one(query):
        return
    grouped = query.args.get("grouped")
    is_one = is_unranked(query) and is_aggregated(query, stage.context.catalogue)
    if not is_one or (grouped and grouped.expressions):
        raise wrong(
            query,
            "this subquery may have several rows",
            "an aggregate without GROUP BY, LIMIT 1, or IN, ANY, ALL, EXISTS",
        )


def _is_one(query: Limited) -> bool:
    """Is there no second row? An order that ends with ties might keep more."""
    count = query.args.get("count")
    return count is not None and count.this in ("0", "1") and not query.args.get("ties")


def _exists(query: exp.Expr, stage: Stage) -> Expression:
    """TRUE where the subquery has a row: rows are counted, and no row means no count."""
    used = outer_columns(stage, query)
    position = stage.width + len(used)
    if used:
        other = dependent(stage, query, used, has_value=False)
        _attach(stage, Grouping(other.plan, tuple(range(len(used))), (CountRows(),), ("rows",)), other.links)
    else:
        plan = stage.context.translator.plan(query, stage.context, Outer(stage), total=True)
        _attach(stage, Aggregation(plan, (CountRows(),), ("rows",)), ())
    return Not(IsNull(Ref(position, Type.INT)))


def _some(node: exp.Expr, operand: exp.Expr, symbol: ComparisonSymbol, query: exp.Expr, stage: Stage) -> Expression:
    """TRUE if one value compares, else unknown if one comparison is unknown, else FALSE."""
    value = Expressions(stage, value_of).of(operand)
    used = [*outer_columns(stage, query), value]
    plan = _for_each(stage, query, used)
    width, position = len(used), stage.width + len(used)
    with blaming(node, "a value that can be compared with the subquery's"):
        compared = Comparison(symbol, Ref(width - 1, value.type), Ref(width, plan.schema.types[width]))
    counts = tuple(Count(Case(((when, ONE),), Constant(NULL, Type.INT))) for when in (compared, IsNull(compared)))
    _attach(stage, Grouping(plan, tuple(range(width)), counts, ("found", "unknown")), links(stage.width, used))
    some = Comparison(">", Ref(position, Type.INT), ZERO)
    unknown = Comparison(">", Ref(position + 1, Type.INT), ZERO)
    branches = ((some, TRUE), (unknown, Constant(NULL, Type.BOOL)))
    return Case(branches, Constant(False, Type.BOOL))


def _for_each(stage: Stage, query: exp.Expr, used: list[Expression]) -> Plan:
    """The subquery's values beside each combination of outer values."""
    if len(used) > 1:
        return dependent(stage, query, used).plan
    values = stage.context.translator.plan(query, stage.context, Outer(stage), total=True)
    check_width(query, len(values.schema), True)
    each = distinct_values(stage, used)
    return Product(each, apart(each.schema.names, Part(values, [])).plan)


def _attach(stage: Stage, plan: Plan, on: tuple[Expression, ...]) -> None:
    other = apart(stage.plan.schema.names, Part(plan, []))
    stage.plan = LeftJoin(stage.plan, other.plan, conjunction(on))
