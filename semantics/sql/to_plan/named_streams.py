"""What a name or a query in FROM stands for."""

from sqlglot import exp

from semantics.plan import Plan
from semantics.sql.catalogue import Declaration, Derived, find
from semantics.sql.errors import one_of, wrong
from semantics.sql.grammar.nodes import Item
from semantics.sql.to_plan.visible_columns import Context


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


def _declared(name: exp.Identifier, context: Context) -> Declaration | Derived:
    found = context.catalogue.find(name.name, exactly=name.quoted)
    if found is None:
        known = sorted({*context.named, *context.catalogue.relations})
        raise wrong(name, f"unknown stream {name.name}", one_of(known) if known else "a CREATE STREAM before it")
    return found
