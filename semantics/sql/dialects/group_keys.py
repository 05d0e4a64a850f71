"""GROUP BY with less variety: ALL, numbers of items, sets behind the keys and GROUPING_ID without keys written out."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.columns import has_aggregate, own_nodes
from semantics.sql.dialects.nodes import call
from semantics.sql.dialects.window_calls import name_of

SETS: Final = (exp.Cube, exp.Rollup, exp.GroupingSets)
HIVE_BITS: Final = "grouping__id"
"""Hive's and Spark's column for GROUPING_ID of all keys."""


def write_out_groups(node: exp.Select) -> None:
    """The same block; it is changed in place."""
    group = node.args.get("group")
    if group is None:
        return
    if group.args.get("all"):
        values = [item.this if isinstance(item, exp.Alias) else item for item in node.expressions]
        keys = [value.copy() for value in values if not has_aggregate(value)]
        if not keys:
            node.set("group", None)
            return
        group = exp.Group(expressions=keys)
    for key in list(group.expressions):
        place = int(key.name) if isinstance(key, exp.Literal) and key.is_int else 0
        if 1 <= place <= len(node.expressions) and not isinstance(node.expressions[place - 1], exp.Star):
            item = node.expressions[place - 1]
            key.replace((item.this if isinstance(item, exp.Alias) else item).copy())
    listed = list(group.expressions)
    node.set("group", exp.Group(expressions=_with_sets_behind(group, node)))
    _write_out_bits(node, _plain_keys(listed))


def _with_sets_behind(group: exp.Group, node: exp.Select) -> list[exp.Expr]:
    """`a, b WITH CUBE` and `a, b GROUPING SETS (…)`, where the keys before only say which columns there are."""
    for name, kind in (("cube", exp.Cube), ("rollup", exp.Rollup)):
        if any(not part.expressions for part in group.args.get(name) or []):
            return [kind(expressions=[key.copy() for key in group.expressions])]
    behind = [part.copy() for part in group.args.get("grouping_sets") or []]
    if behind:
        kept = _plain_keys(behind)
        _make_null(node, [key for key in group.expressions if key not in kept])
    return behind or list(group.expressions)


def _plain_keys(nodes: list[exp.Expr]) -> list[exp.Expr]:
    """All keys, those inside of sets too, each once."""
    keys: list[exp.Expr] = []
    for node in nodes:
        inner = node.expressions if isinstance(node, (*SETS, exp.Tuple)) else [node.this]
        found = _plain_keys(inner) if isinstance(node, (*SETS, exp.Tuple, exp.Paren)) else [node]
        keys += [key for key in found if key not in keys]
    return keys


def _make_null(node: exp.Select, absent: list[exp.Expr]) -> None:
    """Keys that no set has are NULL, of their own type: as the least of no values is."""
    clauses = [*node.expressions, *filter(None, [node.args.get("having")])]
    for part in [part for clause in clauses for part in own_nodes(clause, *{type(key) for key in absent})]:
        if part in absent and not has_aggregate_around(part):
            part.replace(call("MIN", exp.Case(ifs=[exp.If(this=exp.false(), true=part.copy())])))


def has_aggregate_around(node: exp.Expr) -> bool:
    """Does an expression stand inside the call of an aggregate?"""
    parent = node.parent
    while parent is not None and not isinstance(parent, exp.Select):
        if has_aggregate(parent) and isinstance(parent, exp.Anonymous):
            return True
        parent = parent.parent
    return False


def _write_out_bits(node: exp.Select, keys: list[exp.Expr]) -> None:
    """GROUPING_ID() and grouping__id are about all keys, in the order of GROUP BY."""
    clauses = [*node.expressions, *(node.args.get(name) for name in ("having", "order", "qualify"))]
    for clause in [clause for clause in clauses if clause is not None]:
        for part in own_nodes(clause, exp.Anonymous, exp.Column):
            is_column = isinstance(part, exp.Column) and not part.table and part.name.lower() == HIVE_BITS
            if is_column or (name_of(part) == "GROUPING_ID" and not part.expressions):
                bits = call("GROUPING_ID", *(key.copy() for key in keys))
                named = is_column and isinstance(part.parent, exp.Select)
                part.replace(exp.Alias(this=bits, alias=exp.to_identifier(HIVE_BITS)) if named else bits)
