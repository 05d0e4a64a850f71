"""OVER beside groups, over joins, below DISTINCT or LIMIT: what it is over becomes a query of its own, in FROM."""

from collections.abc import Container
from typing import Final

from sqlglot import exp

from semantics.sql.dialects.columns import Columns, is_aggregate, output_name, own_nodes, with_clauses
from semantics.sql.dialects.refusals import Refused
from semantics.sql.errors import place, wrong

ROWS: Final = "rows_of_over"
PART: Final = "part_"
ABOUT_ROWS: Final = ("with_", "from_", "joins", "laterals", "where", "group", "having")
"""The clauses that say which rows OVER looks at."""
SHOWN: Final = ("distinct", "order", "limit", "offset")


def over_groups(node: exp.Select) -> exp.Select:
    """SELECT k, RANK() OVER (ORDER BY SUM(x)) … GROUP BY k: keys and aggregates are columns of a query inside."""
    group = node.args.get("group")
    keys = list(group.expressions) if group is not None else []
    if any(isinstance(key, exp.Cube | exp.Rollup | exp.GroupingSets) for key in keys):
        raise Refused("OVER beside several grouping sets", "put the groups into a query of FROM", place(node))
    made = _apart(node, [*_aggregates(node), *keys])
    for item in made.expressions:
        for column in own_nodes(item, exp.Column):
            if not column.name.startswith(PART):
                what = f"column {column.name} is neither grouped nor aggregated"
                raise wrong(column, what, "a key of GROUP BY, or an aggregate of it")
    return made


def over_join(node: exp.Select, columns: Columns) -> exp.Select:
    """OVER over a join: the columns that are asked for are those of a query inside."""
    node = node.copy()
    node.set("expressions", columns.items_of(node))
    return _apart(node, [part for clause in _around(node) for part in own_nodes(clause, exp.Column)])


def over_below(node: exp.Select) -> exp.Select:
    """DISTINCT, ORDER BY and LIMIT around a block with OVER: they see its columns, by their names or numbers."""
    inner, order = node.copy(), node.args.get("order")
    names = {output_name(item, i).lower(): item for i, item in enumerate(node.expressions, 1)}
    for item in order.expressions if order is not None else ():
        shown = next((name for name, one in names.items() if isinstance(one, exp.Alias) and one.this == item.this), "")
        if shown:
            item.set("this", exp.column(shown))
        elif not _is_shown(item.this, names):
            raise Refused("OVER below ORDER BY of something else", "select what it orders by, or put OVER into FROM")
    outer = exp.Select(expressions=[exp.Star()])
    for part in SHOWN:
        inner.set(part, None)
        outer.set(part, node.args.get(part))
    return _over(outer, inner)


def _is_shown(node: exp.Expr, names: Container[str]) -> bool:
    """Does ORDER BY name a column of the result?"""
    return (isinstance(node, exp.Literal) and bool(node.is_int)) or (
        isinstance(node, exp.Column) and not node.table and node.name.lower() in names
    )


def _aggregates(node: exp.Select) -> list[exp.Expr]:
    """The calls of aggregates that are not over a frame, with FILTER and the like around them."""
    calls = [call for clause in _around(node) for call in own_nodes(clause, exp.Anonymous)]
    return [with_clauses(call) for call in calls if is_aggregate(call)]


def _around(node: exp.Select) -> list[exp.Expr]:
    """The clauses that stay outside."""
    return [*node.expressions, *(part for name in ("qualify", "order") if (part := node.args.get(name)) is not None)]


def _apart(node: exp.Select, parts: list[exp.Expr]) -> exp.Select:
    """The block over a query inside, whose columns are these parts."""
    node = node.copy()
    names: dict[exp.Expr, str] = {}
    for part in parts:
        names.setdefault(part, f"{PART}{len(names) + 1}")
    inner = exp.Select(
        expressions=[exp.alias_(part.copy(), name) for part, name in names.items()] or [exp.alias_("1", PART)]
    )
    for clause in ABOUT_ROWS:
        inner.set(clause, node.args.get(clause))
        node.set(clause, None)
    _name_items(node)
    for outside in _around(node):
        outside.replace(outside.transform(_column, names))
    return _over(node, inner)


def _name_items(node: exp.Select) -> None:
    """Items under the names that they have anyway; those that nobody gave are numbered where they are equal."""
    taken: set[str] = set()
    for i, item in enumerate(list(node.expressions), 1):
        name = output_name(item, i)
        if not isinstance(item, exp.Alias):
            name = next(n for n in (name, *(f"{name}_{k}" for k in range(1, i + 1))) if n.lower() not in taken)
            item.replace(exp.alias_(item.copy(), name, quoted=True))
        taken.add(name.lower())


def _column(part: exp.Expr, names: dict[exp.Expr, str]) -> exp.Expr:
    """What the query inside has computed already."""
    found = names.get(part)
    if found is None and isinstance(part, exp.Column):
        alike = [one for one in names if isinstance(one, exp.Column) and _may_be_same(one, part)]
        found = names[alike[0]] if len(alike) == 1 else None
    return part if found is None else exp.column(found)


def _may_be_same(one: exp.Column, other: exp.Column) -> bool:
    """Has one of two columns of the same name no relation before it?"""
    return one.name.lower() == other.name.lower() and not (one.table and other.table)


def _over(outer: exp.Select, inner: exp.Select) -> exp.Select:
    inside = exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier(ROWS)))
    outer.set("from_", exp.From(this=inside))
    return outer
