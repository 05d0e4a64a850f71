"""SELECT … FROM … WHERE … GROUP BY … HAVING: the plan of one block."""

from functools import reduce

from sqlglot import exp

from semantics.expression import Expression, Ref
from semantics.plan import Distinct, Filter, Map, Plan, Union
from semantics.sql.errors import one_of, wrong
from semantics.sql.grammar.nodes import Block, OverCall, Relations
from semantics.sql.to_plan.aggregate_calls import has_subquery, is_aggregated
from semantics.sql.to_plan.column_names import check_names, item_of, output_names
from semantics.sql.to_plan.conjunctions import conjunction, conjuncts
from semantics.sql.to_plan.constant_rows import one_row
from semantics.sql.to_plan.expressions import Expressions
from semantics.sql.to_plan.from_clause import parts_of, product_of
from semantics.sql.to_plan.group_by import grouped
from semantics.sql.to_plan.limits import qualified
from semantics.sql.to_plan.over_calls import over_calls, with_over
from semantics.sql.to_plan.part import Part
from semantics.sql.to_plan.subqueries.as_columns import value_of
from semantics.sql.to_plan.visible_columns import Context, Entry, Outer, Rows, Stage, same, unqualified
from semantics.sql.to_plan.where import keep, keep_nested


def block_plan(node: Block, context: Context, outer: Outer | None, *, total: bool) -> Plan:
    """The plan of a block; it carries the outer values that it depends on as its first columns."""
    where = node.args.get("where")
    rows = rows_of(node.args["relations"], [where] if where else [], context, outer)
    if is_aggregated(node, context.catalogue):
        plan = _grouped_output(node, rows, total=total)
    elif node.args.get("having"):
        raise wrong(node.args["having"], "HAVING needs groups", "GROUP BY, an aggregate, or WHERE instead")
    else:
        plan = _output(node, rows)
    return Distinct(plan) if node.args.get("distinct") else plan


def rows_of(relations: Relations, conditions: list[exp.Expr], context: Context, outer: Outer | None) -> Rows:
    """FROM and WHERE: comma joins take what links them, the rest filters, subqueries come last."""
    parts = parts_of(relations.expressions, context, outer) or [Part(one_row(context, relations), [])]
    entries: list[Entry] = []
    width = 0
    for part in parts:
        entries += [entry.shifted(width) for entry in part.entries]
        width += len(part.plan.schema)
    rows = Rows(parts[0].plan, entries, context, outer)
    if len(parts) == 1:
        for condition in conditions:
            keep(rows, condition)
        return rows
    pieces = [piece for condition in conditions for piece in conjuncts(condition)]
    plain = [Expressions(rows, value_of).predicate(piece) for piece in pieces if not has_subquery(piece)]
    rows.plan, rest = product_of(parts, plain)
    if rest:
        rows.plan = Filter(rows.plan, conjunction(rest))
    for piece in pieces:
        if has_subquery(piece):
            keep_nested(rows, piece)
    return rows


def _output(node: Block, rows: Rows) -> Plan:
    """μ for the items of SELECT; `SELECT *` alone needs none where FROM has these very columns."""
    if node.args.get("qualify"):
        qualified(rows, node.args["qualify"])
    items = [item for item in node.expressions for item in _expanded(item, rows.entries)]
    names = output_names(items)
    check_names(node.expressions if len(node.expressions) == len(items) else items, names)
    with_over(rows, items)
    values = [*_carried(rows), *(_value(item, rows) for item in items)]
    first, *others = node.expressions
    everything = isinstance(first, exp.Star) and all(isinstance(item_of(item), OverCall) for item in others)
    if everything and _is_identity(rows, values, names):
        return rows.plan
    return Map(rows.plan, tuple(values), (*rows.plan.schema.names[: len(values) - len(names)], *names))


def _grouped_output(node: Block, rows: Rows, *, total: bool) -> Plan:
    """γ or α, then HAVING, then μ unless SELECT has just the groups and aggregates as they come; ∪ of grouping sets."""
    for item in node.expressions:
        if isinstance(item_of(item), exp.Star) or isinstance(item_of(item).this, exp.Star):
            raise wrong(item, "* cannot stand beside groups or aggregates", "grouped columns and aggregates by name")
        if (call := next(over_calls(item), None)) is not None:
            raise wrong(call, "OVER cannot stand beside groups or aggregates", "OVER in a query around this one")
    names = output_names(node.expressions)
    check_names(node.expressions, names)
    clause = node.args.get("grouped")
    sets = (clause.args.get("sets") if clause else None) or [None]
    if len(sets) > 1 and node.args.get("qualify"):
        raise wrong(node.args["qualify"], "QUALIFY over several grouping sets", "QUALIFY around a query with them")
    made = [_groups_output(node, rows.copy(), names, chosen, total=total) for chosen in sets]
    return reduce(Union, made)


def _groups_output(node: Block, rows: Rows, names: list[str], chosen: list[int] | None, *, total: bool) -> Plan:
    """The output for one grouping set."""
    groups = grouped(node, rows, total=total, chosen=chosen)
    if node.args.get("having"):
        keep(groups, node.args["having"])
    if node.args.get("qualify"):
        qualified(groups, node.args["qualify"])
    values = [*_carried(groups), *(_value(item, groups) for item in node.expressions)]
    if _is_identity(groups, values, names):
        return groups.plan
    return Map(groups.plan, tuple(values), (*groups.plan.schema.names[: len(values) - len(names)], *names))


def _carried(stage: Stage) -> list[Expression]:
    """The outer values that a dependent subquery hands on."""
    width = stage.outer.width if stage.outer else 0
    return [Ref(i, stage.plan.schema.types[i]) for i in range(width)]


def _value(node: exp.Expr, stage: Stage) -> Expression:
    return Expressions(stage, value_of).of(item_of(node))


def _is_identity(stage: Stage, values: list[Expression], names: list[str]) -> bool:
    """Are these all columns of the stage's plan, in their order and under their names?"""
    schema = stage.plan.schema
    refs = [Ref(i, type_) for i, type_ in enumerate(schema.types)]
    return values == refs and tuple(names) == schema.names[len(values) - len(names) :]


def _expanded(item: exp.Expr, entries: list[Entry]) -> list[exp.Expr]:
    """`*` and `alias.*` as the columns that they stand for."""
    if isinstance(item, exp.Star):
        if not entries:
            raise wrong(item, "* needs columns", "FROM, with streams")
        return [_column(entry, item) for entry in unqualified(entries) if entry.starred]
    if not (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
        return [item]
    found = [entry for entry in entries if entry.starred and same(entry.table, item.args["table"])]
    if not found:
        tables = dict.fromkeys(entry.table for entry in entries if entry.table)
        raise wrong(item, f"unknown stream {item.table} before .*", one_of(tables) if tables else "*")
    return [_column(entry, item) for entry in found]


def _column(entry: Entry, at: exp.Expr) -> exp.Column:
    table = exp.Identifier(this=entry.table, quoted=True) if entry.table else None
    column = exp.Column(this=exp.Identifier(this=entry.name, quoted=True), table=table)
    column.meta.update(at.meta)
    return column
