"""UNNEST and EXPLODE as dialects write them: in FROM, behind LATERAL VIEW, or among the columns of SELECT.

A row has its elements whenever it is there. So they say nothing about time, and are joined last.
"""

from dataclasses import replace
from typing import Final

from sqlglot import exp

from semantics.sql.dialects.columns import Columns, has_aggregate, own_nodes
from semantics.sql.dialects.nested_values import json_part
from semantics.sql.dialects.nodes import InOwnWords, plus, whole
from semantics.sql.dialects.profile import Profile
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.relations import Made
from semantics.sql.dialects.shapes import Item, Shape
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.dialects.writing import written
from semantics.sql.errors import place

EXPLODING: Final = ("EXPLODE", "EXPLODE_OUTER")
UNNESTING: Final = (*EXPLODING, "UNNEST")
NUMBERED: Final = ("POSEXPLODE", "POSEXPLODE_OUTER")
"""Spark's EXPLODE with positions, which count from 0, in front of the elements."""
IN_COLUMNS: Final = ("INLINE", "INLINE_OUTER")
"""Spark's EXPLODE of rows, with a column for each of their fields."""
GIVING_ARRAYS: Final = {
    "RANGE": "SEQUENCE",
    "GENERATE_SERIES": "SEQUENCE",
    "JSONB_ARRAY_ELEMENTS": "JSON_ELEMENTS",
    "JSON_ARRAY_ELEMENTS": "JSON_ELEMENTS",
    "JSONB_ARRAY_ELEMENTS_TEXT": "JSON_ELEMENTS_TEXT",
    "JSON_ARRAY_ELEMENTS_TEXT": "JSON_ELEMENTS_TEXT",
    "STRING_TO_TABLE": "STRING_TO_ARRAY",
}
"""Functions in FROM whose rows are the elements of an array."""
NAMED_BY_ALIAS: Final = tuple(name for name in GIVING_ARRAYS if name != "RANGE")
OUTER: Final = ("RIGHT", "FULL")


def call_in(node: exp.Expr) -> exp.Expr | None:
    """The call of UNNEST or EXPLODE that stands in the place of a relation, if one does."""
    inner = node.this if isinstance(node, exp.Lateral | exp.Table) else node
    if name_of(inner) in GIVING_ARRAYS:
        return exp.Anonymous(this="UNNEST", expressions=[_array(inner)])
    found = isinstance(inner, exp.Unnest) or name_of(inner) in (*UNNESTING, *IN_COLUMNS)
    return inner if found else None


def _array(call: exp.Expr) -> exp.Expr:
    parts = list(map(json_part, call.expressions))
    if name_of(call) == "RANGE":  # without its end
        parts = [*([whole(0)] if len(parts) == 1 else []), *parts]
        parts[1] = exp.paren(plus(parts[1], -1), copy=False)
    if name_of(call) in ("GENERATE_SERIES", "RANGE") and len(parts) == 2:
        parts.append(whole(1))
    made = exp.Anonymous(this=GIVING_ARRAYS[name_of(call)], expressions=parts)
    made.meta.update(call.meta)
    return made


def with_elements_in_from(node: exp.Select, profile: Profile) -> exp.Select:
    """SELECT EXPLODE(xs) as a column of elements that FROM has; the block is changed in place."""
    _with_positions_from_zero(node)
    names = (*UNNESTING, *GIVING_ARRAYS) if profile.rows_in_select else UNNESTING
    calls = [call for item in node.expressions for call in own_nodes(item, exp.Anonymous) if name_of(call) in names]
    if not calls:
        return node
    where = place(calls[0])
    if len(calls) > 1:
        raise Refused("two of UNNEST or EXPLODE in one SELECT", "engines pair their elements in different ways", where)
    if node.args.get("group") or any(map(has_aggregate, node.expressions)):
        raise Refused("UNNEST beside groups", "put it into FROM, or into a query of its own", where)
    at = next(i for i, item in enumerate(node.expressions) if any(part is calls[0] for part in item.walk()))
    name = _name(node.expressions[at], calls[0])
    column = exp.column(exp.to_identifier(name, quoted=True), table="elements")
    alias = exp.TableAlias(this=exp.to_identifier("elements"), columns=[exp.to_identifier(name, quoted=True)])
    function = "EXPLODE_OUTER" if name_of(calls[0]).endswith("OUTER") else "EXPLODE"
    arrays = [_array(calls[0])] if name_of(calls[0]) in GIVING_ARRAYS else calls[0].expressions
    relation = exp.Lateral(this=exp.Anonymous(this=function, expressions=arrays), alias=alias)
    calls[0].replace(column)
    if isinstance(node.expressions[at], exp.Alias) and node.expressions[at].this is column:
        node.expressions[at].replace(column)
    node.append("joins", exp.Join(this=relation, kind="CROSS"))
    return node


def _with_positions_from_zero(node: exp.Select) -> None:
    """LATERAL VIEW POSEXPLODE(xs) t AS i, x: as EXPLODE with numbers, which count from 1; the block is changed."""
    for lateral in [*(node.args.get("laterals") or []), *(join.this for join in node.args.get("joins") or [])]:
        called = lateral.this if isinstance(lateral, exp.Lateral) else None
        if called is None or name_of(called) not in NUMBERED:
            continue
        alias = lateral.args.get("alias")
        names = [column.name for column in alias.columns] if alias is not None else []
        position, element = names if len(names) == 2 else ("pos", "col")
        _count_from_zero(node, position, lateral.alias)
        made = exp.TableAlias(this=exp.to_identifier(lateral.alias or "elements"))
        made.set("columns", [exp.to_identifier(name) for name in (element, position)])
        lateral.set("alias", made)
        lateral.set("ordinality", True)
        called.set("this", name_of(called).removeprefix("POS"))


def _count_from_zero(node: exp.Select, position: str, table: str) -> None:
    """Every use of a column of numbers in a block as one less."""
    for column in own_nodes(node, exp.Column):
        if column.name.lower() != position.lower() or column.text("table").lower() not in ("", table.lower()):
            continue
        counted = exp.paren(plus(column.copy(), -1), copy=False)
        shown = column.parent is node and column.arg_key == "expressions"
        column.replace(exp.Alias(this=counted, alias=column.this.copy()) if shown else counted)


def _name(item: exp.Expr, call: exp.Expr) -> str:
    """What the column of elements is called: as its item, if it is that one."""
    return item.alias if isinstance(item, exp.Alias) and item.this is call else name_of(call).lower()


def check_last(joins: list[exp.Join]) -> None:
    """Refuses joins behind elements that could see them."""
    seen = False
    for join in joins:
        if call_in(join.this) is not None:
            seen = True
        elif seen and (join.args.get("on") is not None or (join.args.get("side") or "").upper() in OUTER):
            raise Refused("a join behind UNNEST", "put the relation with UNNEST into a query of its own", place(join))


def with_elements(made: Made, joins: list[exp.Join], columns: Columns, *, whole: bool) -> Made:
    """FROM with the elements of arrays behind all relations."""
    for join in joins:
        seen = Columns(columns.scope, made.items, columns.around, made.renamed)
        item = element_item(join.this, seen, whole=whole)
        outer = (join.args.get("side") or "").upper() == "LEFT" or _is_outer(join.this)
        on = join.args.get("on")
        items = [*made.items, item]
        said = None if on is None else Columns(columns.scope, items, columns.around, made.renamed).expression(on.copy())
        if outer:
            added = exp.Join(this=item.node, side="LEFT", on=said or exp.true())
        else:
            added = exp.Join(this=item.node, kind="CROSS") if said is None else exp.Join(this=item.node, on=said)
        made = replace(made, joins=[*made.joins, added], items=items)
    return made


def _is_outer(node: exp.Expr) -> bool:
    return bool(node.args.get("outer")) or name_of(call_in(node) or node).endswith("_OUTER")


def element_item(node: exp.Expr, columns: Columns, *, whole: bool) -> Item:
    """UNNEST(array) AS alias(names), with the array in this language's words."""
    call = call_in(node)
    assert call is not None
    if len(call.expressions) != 1:
        raise Refused("UNNEST of several arrays", "this language takes one array apart at a time", place(call))
    alias, offset = node.args.get("alias") or call.args.get("alias"), call.args.get("offset")
    names = [column.name for column in alias.columns] if alias is not None else []
    inner = node.this if isinstance(node, exp.Lateral | exp.Table) else node
    if not names and name_of(inner) in (*NAMED_BY_ALIAS, *(["UNNEST"] if columns.scope.profile.named_by_alias else [])):
        names.append(str(alias.name) if alias is not None and alias.this is not None else name_of(inner).lower())
    if not names and name_of(inner) == "RANGE":
        names.append("id" if columns.scope.profile.name == "spark" else "range")
    if isinstance(offset, exp.Identifier):
        names.append(offset.name)
    numbered = bool(offset) or bool(node.args.get("ordinality"))
    if numbered and not names:
        raise Refused("WITH ORDINALITY without names of columns", "AS alias(element, number)", place(call))
    table = str(alias.name) if alias is not None and alias.this is not None else "elements"
    word = "EXPLODE" if (whole and name_of(call) not in IN_COLUMNS) or name_of(call) in EXPLODING else "UNNEST"
    array = written(columns.expression(json_part(call.expressions[0])))
    listed = ", ".join(written(exp.to_identifier(name)) for name in names)
    text = f"{word}({array}){' WITH ORDINALITY' if numbered else ''} AS {written(exp.to_identifier(table))}"
    shape = Shape(tuple(names), elements=True)
    return Item(InOwnWords(this=f"{text}({listed})" if names else text), shape, table)
