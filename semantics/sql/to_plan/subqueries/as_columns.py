"""Subqueries anywhere in an expression: their values become columns, by an outer join.

The paper's scalar aggregation has no row where there is nothing; as a value inside an expression a subquery follows
SQL instead: COUNT is 0 there, everything else NULL.
"""

from sqlglot import exp

from semantics.aggregate import Count, CountRows, Min
from semantics.expression import Arithmetic, Case, Comparison, ComparisonSymbol, Constant, Expression, IsNull, Not, Ref
from semantics.plan import Aggregation, Grouping, LeftJoin, Plan, Product
from semantics.sql.errors import blaming
from semantics.sql.grammar.nodes import Limited, is_unranked
from semantics.sql.to_plan.aggregate_calls import is_aggregated
from semantics.sql.to_plan.conjunctions import OPPOSITE, TRUE, conjunction
from semantics.sql.to_plan.expressions import COMPARISON, Expressions
from semantics.sql.to_plan.part import Part, apart
from semantics.sql.to_plan.row_values import parts_of_row, rows_compared
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
from semantics.value import INT_MAX, NULL, Type

ONE = Constant(1, Type.INT)
ZERO = Constant(0, Type.INT)
ROWS_OF_A_SUBQUERY = "rows_of_the_scalar_subquery"
"""What the count is called, so that the error about it says what it is about."""


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
        for part in parts_of_row(node.this):
            Expressions(stage, value_of).of(part)
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
    """The one value of a subquery; if it may have several rows, a second one is an error when it comes."""
    used = outer_columns(stage, query)
    if not _has_one_row(query, stage):
        return _only_row(query, used, stage)
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
    plan = _independent(query, stage)
    _attach(stage, plan, ())
    return Ref(position, plan.schema.types[0])


def _has_one_row(query: exp.Expr, stage: Stage) -> bool:
    """Only an aggregate without GROUP BY, or LIMIT 1, is sure to have no second row."""
    if isinstance(query, Limited) and _is_one(query):
        return True
    grouped = query.args.get("grouped")
    is_one = is_unranked(query) and is_aggregated(query, stage.context.catalogue)
    return is_one and not (grouped and grouped.expressions)


def _only_row(query: exp.Expr, used: list[Ref], stage: Stage) -> Expression:
    """The value of the row that there is. Rows are counted, and with a second one the count leaves the range of INT.

    No operator can say that there is no answer, but arithmetic can: 0 and 1 times the largest INT are fine.
    """
    width, position = len(used), stage.width + len(used)
    other = dependent(stage, query, used).plan if used else _independent(query, stage)
    smallest = Min(Ref(width, other.schema.types[width]))
    names = (ROWS_OF_A_SUBQUERY, "only")
    if used:
        rows: Plan = Grouping(other, tuple(range(width)), (CountRows(), smallest), names)
    else:
        rows = Aggregation(other, (CountRows(), smallest), names)
    _attach(stage, rows, links(stage.width, used))
    at_most_one = Not(IsNull(Arithmetic("*", Ref(position, Type.INT), Constant(INT_MAX, Type.INT))))
    return Case(((at_most_one, Ref(position + 1, smallest.type)),), Constant(NULL, smallest.type))


def _independent(query: exp.Expr, stage: Stage) -> Plan:
    plan = stage.context.translator.plan(query, stage.context, Outer(stage), total=True)
    check_width(query, len(plan.schema), 1)
    return plan


def _is_one(query: Limited) -> bool:
    """Is there no second row? An order that ends with ties might keep more."""
    count = query.args.get("count")
    return count is not None and count.this in ("0", "1") and not query.args.get("ties")


def _exists(query: exp.Expr, stage: Stage) -> Expression:
    """TRUE where the subquery has a row: rows are counted, and no row means no count."""
    used = outer_columns(stage, query)
    position = stage.width + len(used)
    if used:
        other = dependent(stage, query, used, values=0)
        _attach(stage, Grouping(other.plan, tuple(range(len(used))), (CountRows(),), ("rows",)), other.links)
    else:
        plan = stage.context.translator.plan(query, stage.context, Outer(stage), total=True)
        _attach(stage, Aggregation(plan, (CountRows(),), ("rows",)), ())
    return Not(IsNull(Ref(position, Type.INT)))


def _some(node: exp.Expr, operand: exp.Expr, symbol: ComparisonSymbol, query: exp.Expr, stage: Stage) -> Expression:
    """TRUE if one value compares, else unknown if one comparison is unknown, else FALSE."""
    values = [Expressions(stage, value_of).of(part) for part in parts_of_row(operand)]
    used = [*outer_columns(stage, query), *values]
    plan = _for_each(stage, query, used, len(values))
    width, position = len(used), stage.width + len(used)
    own = [Ref(width - len(values) + i, value.type) for i, value in enumerate(values)]
    others = [Ref(width + i, plan.schema.types[width + i]) for i in range(len(values))]
    with blaming(node, "a value that can be compared with the subquery's"):
        compared = rows_compared(symbol, list(own), list(others), operand)
    counts = tuple(Count(Case(((when, ONE),), Constant(NULL, Type.INT))) for when in (compared, IsNull(compared)))
    _attach(stage, Grouping(plan, tuple(range(width)), counts, ("found", "unknown")), links(stage.width, used))
    some = Comparison(">", Ref(position, Type.INT), ZERO)
    unknown = Comparison(">", Ref(position + 1, Type.INT), ZERO)
    branches = ((some, TRUE), (unknown, Constant(NULL, Type.BOOL)))
    return Case(branches, Constant(False, Type.BOOL))


def _for_each(stage: Stage, query: exp.Expr, used: list[Expression], number: int) -> Plan:
    """The subquery's values, so many of them, beside each combination of outer values."""
    if len(used) > number:
        return dependent(stage, query, used, values=number).plan
    values = stage.context.translator.plan(query, stage.context, Outer(stage), total=True)
    check_width(query, len(values.schema), number)
    each = distinct_values(stage, used)
    return Product(each, apart(each.schema.names, Part(values, [])).plan)


def _attach(stage: Stage, plan: Plan, on: tuple[Expression, ...]) -> None:
    other = apart(stage.plan.schema.names, Part(plan, []))
    stage.plan = LeftJoin(stage.plan, other.plan, conjunction(on))
