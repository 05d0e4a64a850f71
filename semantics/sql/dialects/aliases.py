"""Names that a block gives and uses itself: aliases of SELECT in GROUP BY and HAVING, and windows as one value.

A window that a query inside assigns is two columns here, `w.start` and `w.end`. Where a query around it names `w`
alone, both are meant.
"""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.columns import Columns, own_nodes
from semantics.sql.dialects.nodes import as_type, plus
from semantics.sql.dialects.shapes import owner
from semantics.sql.dialects.window_calls import name_of

PARTS: Final = ("start", "end")


def with_names_resolved(select: exp.Select, columns: Columns) -> None:
    """The same block; it is changed in place."""
    for node in _clauses(select):
        for part in own_nodes(node, exp.EQ, exp.NullSafeEQ, exp.Anonymous, exp.Is):
            _compare_parts(part, columns)
    for holder, names in ((select, ("expressions",)), (select.args.get("group"), ("expressions",))):
        if holder is not None:
            _write_out(holder, names, columns)
    for node in _clauses(select):
        for window in own_nodes(node, exp.Window):
            _write_out(window, ("partition_by",), columns)
    _resolve_aliases(select, columns)


def _clauses(select: exp.Select) -> list[exp.Expr]:
    clauses = [select.args.get(name) for name in ("where", "group", "having", "qualify")]
    conditions = [join.args.get("on") for join in select.args.get("joins") or []]
    return [*select.expressions, *(clause for clause in (*clauses, *conditions) if clause is not None)]


def _both(node: exp.Expr, columns: Columns) -> list[exp.Column]:
    """Start and end of the window that a column names; nothing if it names something else."""
    if not isinstance(node, exp.Column) or owner(columns.items, node) is not None:
        return []
    parts = [
        exp.column(exp.to_identifier(f"{node.name}.{part}", quoted=True), table=node.table or None) for part in PARTS
    ]
    return parts if all(owner(columns.items, part) is not None for part in parts) else []


def _compare_parts(node: exp.Expr, columns: Columns) -> None:
    """Windows are equal if their bounds are; one is NULL if its start is; its time is its last microsecond."""
    if name_of(node) == "WINDOW_TIME" and len(node.expressions) == 1 and (both := _both(node.expressions[0], columns)):
        node.replace(as_type(plus(as_type(both[1], "BIGINT"), -1), "TIMESTAMP"))
        return
    left = _both(node.this, columns) if isinstance(node, exp.Binary) else []
    right = _both(node.expression, columns) if isinstance(node, exp.Binary) else []
    if left and right:
        equal = [type(node)(this=a, expression=b) for a, b in zip(left, right, strict=True)]
        node.replace(exp.paren(exp.and_(*equal, copy=False), copy=False))
    elif left and isinstance(node, exp.Is):
        node.this.replace(left[0])


def _write_out(holder: exp.Expr, names: tuple[str, ...], columns: Columns) -> None:
    for name in names:
        items = holder.args.get(name) or []
        holder.set(name, [part for item in items for part in (_named_parts(item, columns) or [item])])


def _named_parts(item: exp.Expr, columns: Columns) -> list[exp.Expr]:
    """Both parts of a window, as `w.start` and `w.end` where they have a name of their own."""
    both = _both(item.this if isinstance(item, exp.Alias) else item, columns)
    if not isinstance(item, exp.Alias):
        return list(both)
    names = [exp.to_identifier(f"{item.alias}.{part}", quoted=True) for part in PARTS]
    return [exp.Alias(this=part, alias=name) for part, name in zip(both, names, strict=False)]


def _resolve_aliases(select: exp.Select, columns: Columns) -> None:
    """`GROUP BY d` and `HAVING n > 1`, where d and n are items of SELECT and no columns of FROM."""
    values = {item.alias.lower(): item.this for item in select.expressions if isinstance(item, exp.Alias)}
    for clause in ("group", "having"):
        node = select.args.get(clause)
        for column in own_nodes(node, exp.Column) if node is not None else []:
            assert isinstance(column, exp.Column)
            value = values.get(column.name.lower()) if not column.table else None
            if value is not None and owner(columns.items, column) is None:
                column.replace(value.copy())
