"""What a name or a query in FROM stands for."""

from sqlglot import exp

from semantics.expression import Expression, Now
from semantics.plan import Plan
from semantics.sql.catalogue import Declaration, Derived, find
from semantics.sql.errors import one_of, wrong
from semantics.sql.grammar.nodes import Block, Item
from semantics.sql.to_plan.visible_columns import Context, same
from semantics.sql.units import now_as_timestamp


def stream(node: Item, context: Context) -> tuple[Plan, str]:
    """The plan of one item of FROM without its window, and the name that it has by itself."""
    of = node.this
    if not isinstance(of, exp.Table):
        return context.translator.plan(of, context, None, total=False), ""
    name = of.this
    named = find(context.named, name.name, exactly=name.quoted)
    if named is not None:
        return named, name.name
    found = _declared(name, context)
    if found.is_table and node.args.get("window"):
        window = node.args["window"]
        raise wrong(window, f"{found.name} is a table, it has no window", f"{found.name} without WINDOW")
    return found.plan, found.name


def time_column(node: Item, table: str, context: Context) -> tuple[str, Expression] | None:
    """The time column of a raw stream and its value, if the query around this item of FROM mentions it."""
    of = node.this
    if not isinstance(of, exp.Table) or find(context.named, of.this.name, exactly=of.this.quoted) is not None:
        return None
    found = context.catalogue.find(of.this.name, exactly=of.this.quoted)
    if not isinstance(found, Declaration) or found.ordered is None or found.ordered in found.schema.names:
        return None
    name = found.ordered
    block = node.find_ancestor(Block)
    mentioned = () if block is None else block.find_all(exp.Column)
    if not any(_means(column, table, name) for column in mentioned):
        return None
    return name, now_as_timestamp(context.catalogue.unit) if name in found.timestamps else Now()


def _means(column: exp.Column, table: str, name: str) -> bool:
    """May the column be this one? Without an alias it may be, unless it turns out to be another."""
    if not isinstance(column.this, exp.Identifier) or not same(name, column.this):
        return False
    alias = column.args.get("table")
    return alias is None or same(table, alias)


def _declared(name: exp.Identifier, context: Context) -> Declaration | Derived:
    found = context.catalogue.find(name.name, exactly=name.quoted)
    if found is None:
        known = sorted({*context.named, *context.catalogue.relations})
        raise wrong(name, f"unknown stream {name.name}", one_of(known) if known else "a CREATE STREAM before it")
    return found
