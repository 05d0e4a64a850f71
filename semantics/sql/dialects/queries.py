"""Queries of a dialect as queries of this language: what streams do in time is made explicit, and nothing else changes.

Engines write down a stream of rows and mean, without a window, all rows so far. Here a stream without a window holds
each row for its instant. So a block that needs more than one row at a time gets WINDOW(RANGE UNBOUNDED) on its
streams, unless it keeps windows apart: then it sees one pane at a time.
"""

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from semantics.sql.dialects.blocks import Block
from semantics.sql.dialects.columns import Columns
from semantics.sql.dialects.ddl import SourceTable
from semantics.sql.dialects.elements import call_in, element_item
from semantics.sql.dialects.nodes import Held, InOwnWords, Windowing
from semantics.sql.dialects.refusals import FIXED_POINTS, Refused
from semantics.sql.dialects.scope import Scope, View
from semantics.sql.dialects.shapes import SETTLED, STREAMED, Item, Mode, Shape
from semantics.sql.dialects.sources import aliased, held, source_item
from semantics.sql.dialects.window_calls import name_of, table_function
from semantics.sql.dialects.windowed import windowed
from semantics.sql.errors import wrong

Translated = tuple[exp.Expr, Shape]


class Queries:
    """Translates queries; blocks ask it for the relations in their FROM."""

    def query(self, node: exp.Expr, scope: Scope, mode: Mode, around: Columns | None = None) -> Translated:
        """A query in this language, and what is known of its rows."""
        scope = self._naming(node, scope)
        match node:
            case exp.Subquery():
                return self.query(_without_wrapper(node), scope, mode, around)
            case exp.SetOperation():
                return self._set_operation(node, scope, mode, around)
            case exp.Values():
                return self._values(node)
            case InOwnWords():
                return node, Shape(())
            case exp.Select():
                return _settled(Block(self, node.copy(), scope, mode, around).translated(), mode)
            case exp.Table():
                return self.query(exp.select("*").from_(node.copy()), scope, mode, around)
            case _:
                raise wrong(node, "this is no query", "SELECT or WITH")

    def _naming(self, node: exp.Expr, scope: Scope) -> Scope:
        """Each name of WITH can be used by the next ones."""
        prefix = node.args.get("with_")
        if prefix is None:
            return scope
        if prefix.args.get("recursive"):
            raise Refused("WITH RECURSIVE", FIXED_POINTS)
        for one in prefix.expressions:
            alias = one.args["alias"]
            scope = scope.naming(alias.name, View(one.this, scope, tuple(c.name for c in alias.columns)))
        node.set("with_", None)
        return scope

    def _set_operation(self, node: exp.SetOperation, scope: Scope, mode: Mode, around: Columns | None) -> Translated:
        every = isinstance(node, exp.Union) and not node.args.get("distinct")
        sides = [self.query(side, scope, mode, around) for side in (node.this, node.expression)]
        as_streams = every and not (node.args.get("limit") or node.args.get("offset"))
        if mode != SETTLED and not (as_streams and all(shape.raw for _, shape in sides)):
            sides = [self.query(side, scope, SETTLED, around) for side in (node.this, node.expression)]
        (left, mine), (right, theirs) = sides
        made = type(node)(this=left, expression=right, distinct=bool(node.args.get("distinct")))
        made.meta.update(node.meta)
        return _limited(made, node), _of_both(mine, theirs)

    def _values(self, node: exp.Values) -> Translated:
        width = len(node.expressions[0].expressions)
        alias = node.args.get("alias")
        names = tuple(column.name for column in alias.columns) if alias is not None else ()
        made = node.copy()
        made.set("alias", None)
        return made, Shape(names or tuple(f"column{i}" for i in range(1, width + 1)))

    def item(self, node: exp.Expr, scope: Scope, mode: Mode, around: Columns | None = None) -> Item:
        """One relation of FROM."""
        match node:
            case Windowing():
                return self._windowing(node, scope, mode)
            case exp.Table() if isinstance(node.this, exp.Identifier):
                return self._named(node, scope, mode)
            case _ if call_in(node) is not None:
                return element_item(node, Columns(scope, [], around), whole=scope.profile.whole_elements)
            case exp.Table() | exp.TableFromRows():
                made = table_function(node)
                if made is None:
                    raise wrong(node, "this cannot stand in FROM", "a table, a query or a window function")
                return self._windowing(made, scope, mode)
            case exp.Lateral():
                inner = node.this
                function = name_of(inner.expressions[0] if name_of(inner) == "TABLE" else inner)
                if function:
                    raise Refused(f"the function {function} in FROM", "what it gives is not known here")
                return self._derived(inner, node, scope, mode, around)
            case exp.Subquery() | exp.Values() | exp.Select() | exp.SetOperation():
                return self._derived(node, node, scope, mode, around)
            case _:
                raise Refused(f"{node.key.upper()} in FROM", "this language has no such relation")

    def _windowing(self, node: Windowing, scope: Scope, mode: Mode) -> Item:
        inner = self.item(node.this, scope, STREAMED)
        made = windowed(node, inner, scope, paned=mode.paned)
        return held(made) if mode.settled else made

    def _named(self, node: exp.Table, scope: Scope, mode: Mode) -> Item:
        found, alias = scope.find(node), node.alias or node.name
        if isinstance(found, SourceTable):
            return _with_column_names(source_item(found, alias, scope, mode), node)
        query, shape = self._with_implied(found, found.scope or scope, mode)
        named = _renamed(_in_parentheses(query, shape, found.columns), alias)
        return _with_column_names(held(named) if mode.settled else named, node)

    def _with_implied(self, view: View, scope: Scope, mode: Mode) -> Translated:
        """The query of a view; a stream of rows has the time that nobody declares, wherever it is asked for."""
        query, shape = self.query(view.query.copy(), scope, mode)
        missing = [
            name for name in sorted(scope.profile.implied) if name.lower() in scope.asked and not shape.has(name)
        ]
        if missing and not shape.raw:
            streamed, stream = self.query(view.query.copy(), scope, STREAMED)
            query, shape = (streamed, stream) if stream.raw else (query, shape)
        if not missing or not shape.raw or shape.paned:
            return query, shape
        items: list[exp.Expr] = [exp.column(exp.to_identifier(name)) for name in shape.columns]
        items += [exp.Alias(this=scope.timestamp(), alias=exp.to_identifier(name)) for name in missing]
        block = exp.Select(expressions=items)
        block.set("from_", exp.From(this=exp.Subquery(this=query)))
        times = shape.times | set(map(str.lower, missing))
        return block, replace(shape, columns=(*shape.columns, *missing), times=times)

    def _derived(self, query: exp.Expr, node: exp.Expr, scope: Scope, mode: Mode, around: Columns | None) -> Item:
        made, shape = self.query(query.copy(), scope, mode, around)
        alias = node.args.get("alias")
        columns = tuple(column.name for column in alias.columns) if alias is not None else ()
        item = _renamed(_in_parentheses(made, shape, columns), str(alias.name) if alias is not None else "")
        return held(item) if mode.settled else item


def _settled(made: Translated, mode: Mode) -> Translated:
    """A query whose rows must stay, in one around it if they do not."""
    query, shape = made
    if not mode.settled or not shape.raw:
        return made
    columns: list[exp.Expr] = [exp.column(exp.to_identifier(name)) for name in shape.columns]
    outer = exp.Select(expressions=columns)
    outer.set("from_", exp.From(this=Held(this=exp.Subquery(this=query), window="RANGE UNBOUNDED")))
    return outer, shape.settled()


def _without_wrapper(node: exp.Subquery) -> exp.Expr:
    """What stands in parentheses, with ORDER BY and LIMIT behind them."""
    inner: exp.Expr = node.this
    if any(node.args.get(part) for part in ("order", "limit", "offset")):
        outer = exp.select("*").from_(exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("inside"))))
        for part in ("order", "limit", "offset"):
            outer.set(part, node.args.get(part))
        return outer
    return inner


def _limited(made: exp.Expr, node: exp.Expr) -> exp.Expr:
    if node.args.get("limit") or node.args.get("offset"):
        for part in ("order", "limit", "offset"):
            made.set(part, node.args.get(part))
    return made


def _of_both(left: Shape, right: Shape) -> Shape:
    """The shape of two relations one above the other; names are those of the first."""
    pairs = list(zip(left.columns, right.columns, strict=False))
    times = frozenset(a.lower() for a, b in pairs if a.lower() in left.times and b.lower() in right.times)
    window = {
        a.lower(): left.window[a.lower()]
        for a, b in pairs
        if a.lower() in left.window and left.window[a.lower()] == right.window.get(b.lower())
    }
    paned = left.paned and right.paned
    return replace(left, raw=left.raw and right.raw, times=times, window=window if paned else {}, paned=paned, keys=())


def _in_parentheses(query: exp.Expr, shape: Shape, columns: Sequence[str]) -> Item:
    """A query as a relation, with other names for its columns if there are some."""
    if columns:
        renaming = dict(zip((c.lower() for c in shape.columns), columns, strict=False))
        shape = replace(
            shape,
            columns=tuple(columns),
            times=frozenset(renaming[t].lower() for t in shape.times if t in renaming),
            window={renaming[c].lower(): role for c, role in shape.window.items() if c in renaming},
            integers=frozenset(renaming[c].lower() for c in shape.integers if c in renaming),
        )
    node = exp.Subquery(this=query)
    if columns:
        names = [exp.to_identifier(name) for name in columns]
        node.set("alias", exp.TableAlias(this=exp.to_identifier("renamed"), columns=names))
    return Item(node, shape, "renamed" if columns else "")


def _renamed(item: Item, alias: str) -> Item:
    if not alias:
        return item
    known = item.node.args.get("alias")
    if known is not None:
        known.set("this", exp.to_identifier(alias))
        return replace(item, alias=alias)
    return replace(item, node=aliased(item.node, alias), alias=alias)


def _with_column_names(item: Item, node: exp.Table) -> Item:
    """`t AS x(a, b)`: other names for the columns of a table."""
    alias = node.args.get("alias")
    names = tuple(column.name for column in alias.columns) if alias is not None else ()
    if not names:
        return item
    block = exp.select("*").from_(item.node)
    return _renamed(_in_parentheses(block, item.shape, names), item.alias)
