"""FROM: streams with their windows, joins, and comma joins that take their conditions from WHERE."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, cast

from sqlglot import exp

from semantics import plan as op
from semantics.expression import Expression, refs
from semantics.plan import Plan
from semantics.sql.errors import wrong
from semantics.sql.grammar.nodes import Chain, Item, Joining
from semantics.sql.to_plan.conjunctions import conjunction
from semantics.sql.to_plan.joined_columns import equations, merged, shared_columns
from semantics.sql.to_plan.lateral import lateral_join
from semantics.sql.to_plan.named_streams import stream, time_column
from semantics.sql.to_plan.outer_on import with_values
from semantics.sql.to_plan.part import Part, apart, first_columns, named_columns
from semantics.sql.to_plan.unnested import is_unnested, unnested_alone, unnested_join
from semantics.sql.to_plan.visible_columns import Context, Entry, Outer, same, unqualified
from semantics.sql.to_plan.windows import windowed

JOINS: Final[dict[str, Callable[[Plan, Plan, Expression], Plan]]] = {
    "INNER": op.Join,
    "LEFT": op.LeftJoin,
    "RIGHT": op.RightJoin,
    "FULL": op.FullJoin,
    "SEMI": op.Semijoin,
    "ANTI": op.Antijoin,
}


def item(node: Item, context: Context) -> Part:
    """One stream, query or join with its window; the window is the topmost operator (Section 5.1)."""
    if is_unnested(node):
        return unnested_alone(node, context)
    window = node.args.get("window")
    made = _nested(node, context) if isinstance(node.this, Chain) else _alone(node, context)
    if not window:
        return made
    plan = windowed(made.plan, window, made.entries, context.catalogue)
    return Part(plan, [*made.entries, *_more_columns(plan, len(made.plan.schema), made.entries)])


def _more_columns(plan: Plan, since: int, entries: list[Entry]) -> Iterator[Entry]:
    """The columns that a window adds, under the name of the stream that it stands behind."""
    tables = {entry.table for entry in entries}
    table = tables.pop() if len(tables) == 1 else ""
    for position, column in enumerate(plan.schema.columns[since:], since):
        yield Entry(table, column.name, position, column.type)


def _alone(node: Item, context: Context) -> Part:
    plan, name = stream(node, context)
    made = Part(plan, named_columns(node, plan, name))
    alias = node.args.get("alias")
    table = alias.name if alias else name
    time = time_column(node, table, context)
    return made if time is None else _with_time(made, table, *time)


def _nested(node: Item, context: Context) -> Part:
    """Joins in parentheses: columns are called as inside; with an alias, they are all of that name."""
    made = chain(node.this, context)
    alias = node.args.get("alias")
    if alias is None:
        return made
    if node.args.get("columns"):
        raise wrong(node, "joins in parentheses have the names of their columns", "an alias without names of columns")
    return Part(made.plan, [replace(entry, table=alias.name) for entry in unqualified(made.entries)])


def _with_time(part: Part, table: str, name: str, time: Expression) -> Part:
    """μ_{…, now}: over a raw stream now is the value of the time column."""
    width, names = len(part.plan.schema), part.plan.schema.names
    plan = op.Map(part.plan, (*first_columns(part.plan, width), time), (*names, name))
    return Part(plan, [*part.entries, Entry(table, name, width, time.type, starred=False)])


def chain(node: Chain, context: Context) -> Part:
    """An item and what is joined to it, from left to right."""
    made = item(node.this, context)
    aliases = tables_of(made)
    for joining in node.expressions:
        made = _extended(made, joining, aliases, context)
    return made


def _extended(made: Part, node: Joining, aliases: list[str], context: Context) -> Part:
    """What is joined so far with the next item, whose aliases must be new."""
    lateral = _lateral(made, node, context) if node.this.args.get("lateral") else None
    right = item(node.this, context) if lateral is None else None
    alias = node.this.args.get("alias")
    for table in tables_of(right) if right else [alias.name] if alias else []:
        check_alias(aliases, table, node.this)
        aliases.append(table)
    return lateral or _joined(made, cast(Part, right), node, context)


def _lateral(made: Part, node: Joining, context: Context) -> Part | None:
    return unnested_join(made, node, context) if is_unnested(node.this) else lateral_join(made, node, context)


def tables_of(part: Part) -> list[str]:
    """The names of the streams of a part."""
    return [table for table in dict.fromkeys(entry.table for entry in part.entries) if table]


def _joined(left: Part, right: Part, node: Joining, context: Context) -> Part:
    kind = node.args["kind"]
    if kind == "CROSS":
        right = apart(left.plan.schema.names, right)
        return Part(op.Product(left.plan, right.plan), left.beside(right))
    if node.args.get("using") or node.args.get("natural"):
        return _joined_by_name(left, right, node)
    left, right, condition = with_values(left, right, node.args["on"], context)
    if kind in ("SEMI", "ANTI"):
        return Part(JOINS[kind](left.plan, right.plan, condition), left.entries)
    right = apart(left.plan.schema.names, right)
    return Part(JOINS[kind](left.plan, right.plan, condition), left.beside(right))


def _joined_by_name(left: Part, right: Part, node: Joining) -> Part:
    """NATURAL and USING; without any column of the same name, NATURAL is on nothing."""
    kind, width = node.args["kind"], len(left.plan.schema)
    pairs = shared_columns(left, right, node)
    condition = conjunction(equations(pairs, width, node))
    if kind in ("SEMI", "ANTI"):
        return Part(JOINS[kind](left.plan, right.plan, condition), left.entries)
    other = apart(left.plan.schema.names, right)
    plan = JOINS[kind](left.plan, other.plan, condition)
    return merged(plan, left.beside(other), pairs, width, kind)


def check_alias(aliases: list[str], alias: str, node: exp.Expr) -> None:
    if alias and any(same(other, exp.Identifier(this=alias, quoted=False)) for other in aliases):
        raise wrong(node, f"{alias} stands twice in FROM", "an alias that differs from the others")


def product_of(parts: list[Part], conditions: list[Expression]) -> tuple[Plan, list[Expression]]:
    """Parts joined from left to right, each condition at the first join that has its columns; the others are left."""
    plan, rest = parts[0].plan, list(conditions)
    for part in parts[1:]:
        here = len(plan.schema)
        width = here + len(part.plan.schema)
        links = [condition for condition in rest if _links(condition, here, width)]
        rest = [condition for condition in rest if condition not in links]
        plan = op.Join(plan, part.plan, conjunction(links)) if links else op.Product(plan, part.plan)
    return plan, rest


def _links(condition: Expression, here: int, width: int) -> bool:
    """Does a condition need the columns from here on, some before them, and none beyond the width?"""
    positions = [ref.index for ref in refs(condition)]
    return bool(positions) and min(positions) < here <= max(positions) < width


def parts_of(chains: list[Chain], context: Context, outer: Outer | None) -> list[Part]:
    """What FROM multiplies: the outer values that are needed, if any, and what stands between the commas."""
    parts = [Part(outer.domain, [])] if outer and outer.domain else []
    aliases: list[str] = []
    taken = [name for part in parts for name in part.plan.schema.names]
    for node in chains:
        made = chain(node, replace(context, beyond=outer.stage) if outer else context)
        for alias in tables_of(made):
            check_alias(aliases, alias, node)
            aliases.append(alias)
        parts.append(apart(taken, made))
        taken += parts[-1].plan.schema.names
    return parts
