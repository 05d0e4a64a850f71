"""Tables of a script in FROM: as streams with their time as a value, or as tables that are there at every instant."""

from collections.abc import Sequence

from sqlglot import exp

from semantics.sql.dialects.columns import Columns
from semantics.sql.dialects.ddl import SourceColumn, SourceTable, is_processing_time
from semantics.sql.dialects.nodes import Held
from semantics.sql.dialects.refusals import PROCESSING_TIME
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.shapes import Item, Mode, Shape
from semantics.sql.dialects.type_names import no_type

INTEGERS = ("INT", "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "LONG", "SHORT", "INT4", "INT8", "INT2")


def source_item(table: SourceTable, alias: str, scope: Scope, mode: Mode) -> Item:
    """A table in FROM under an alias; in a settled mode the rows of a stream stay."""
    shape = _shape(table, scope)
    plain = [column.name for column in table.columns if _is_plain(column, table)]
    if list(shape.columns) == plain:
        node: exp.Expr = exp.Table(this=exp.to_identifier(table.name))
    else:
        values = [_value(column, table, scope) for column in table.columns if column.name in shape.columns]
        block = exp.Select(expressions=values)
        block.set("from_", exp.From(this=exp.Table(this=exp.to_identifier(table.name))))
        node = exp.Subquery(this=block)
    item = Item(aliased(node, alias, table.name), shape, alias)
    if table.versioned and table.keys:
        return held(item, f"PARTITION BY {', '.join(table.keys)} ROWS 1")
    return held(item) if mode.settled else item


def held(item: Item, window: str = "RANGE UNBOUNDED") -> Item:
    """An item whose rows stay; one whose rows stay anyway is as it is."""
    if not item.shape.raw:
        return item
    return Item(Held(this=item.node, window=window), item.shape.settled(), item.alias)


def aliased(node: exp.Expr, alias: str, own: str = "") -> exp.Expr:
    """The relation under an alias, if that is not its name anyway."""
    if alias and (alias.lower() != own.lower() or not isinstance(node, exp.Table)):
        node.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
    return node


def _is_plain(column: SourceColumn, table: SourceTable) -> bool:
    """Is it a column as it comes, which is not the time?"""
    times = (table.time, *(table.valid or ()))
    return column.computed is None and column.name not in times


def _shape(table: SourceTable, scope: Scope) -> Shape:
    hidden = {c.name.lower(): reason for c in table.columns if (reason := _why_hidden(c))}
    there = [column for column in table.columns if column.name.lower() not in hidden]
    kept = [c.name for c in there if _is_plain(c, table) or (scope.needs(c.name) and c.name not in (table.valid or ()))]
    times = _times(table)
    return Shape(
        tuple(kept),
        table.time is not None,
        times,
        hidden=hidden,
        integers=_integers(table),
        dates=frozenset(c.name.lower() for c in table.columns if c.type[:1] == ("DATE",)),
        keys=tuple(table.keys),
    )


def _integers(table: SourceTable) -> frozenset[str]:
    return frozenset(c.name.lower() for c in table.columns if c.type and c.type[0] in INTEGERS)


def _times(table: SourceTable) -> frozenset[str]:
    """The time column, and those that are computed as being just that."""
    if table.time is None:
        return frozenset()
    same = [c.name for c in table.columns if isinstance(c.computed, exp.Column) and c.computed.name == table.time]
    return frozenset(name.lower() for name in (table.time, *same))


def _why_hidden(column: SourceColumn) -> str:
    """Why a column has no value here; nothing if it has."""
    if is_processing_time(column):
        return PROCESSING_TIME
    return no_type(column.type) if column.computed is None else ""


def _value(column: SourceColumn, table: SourceTable, scope: Scope) -> exp.Expr:
    name = exp.to_identifier(column.name)
    if column.computed is None:
        return exp.column(name)
    if column.name.lower() in _times(table):
        return exp.Alias(this=scope.timestamp(), alias=name)
    return exp.Alias(this=computed_value(column.computed, table, scope), alias=name)


def computed_value(node: exp.Expr, table: SourceTable, scope: Scope) -> exp.Expr:
    """What a computed column is, over those that are not computed."""
    columns = tuple(column.name for column in table.columns if column.computed is None)
    item = Item(exp.Table(this=exp.to_identifier(table.name)), Shape(columns, integers=_integers(table)), "")
    return Columns(scope, [item]).expression(_inlined(node, table.columns))


def _inlined(node: exp.Expr, columns: Sequence[SourceColumn]) -> exp.Expr:
    """A computed column over those that are not computed."""
    by_name = {column.name.lower(): column for column in columns if column.computed is not None}

    def value(part: exp.Expr) -> exp.Expr:
        found = by_name.get(part.name.lower()) if isinstance(part, exp.Column) else None
        if found is None or found.computed is None:
            return part
        return exp.paren(_inlined(found.computed, [column for column in columns if column is not found]))

    return node.transform(value)
