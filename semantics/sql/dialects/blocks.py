"""One SELECT of a dialect in this language."""

from typing import TYPE_CHECKING

from sqlglot import exp

from semantics.sql.dialects.aliases import with_names_resolved
from semantics.sql.dialects.columns import (
    Columns,
    asks_for_now,
    conjunction,
    has_aggregate,
    has_query,
    output_name,
)
from semantics.sql.dialects.elements import with_elements_in_from
from semantics.sql.dialects.from_clause import FromClause
from semantics.sql.dialects.group_windows import with_windows_in_from
from semantics.sql.dialects.normal_form import normalised
from semantics.sql.dialects.over import in_time_order, looks_back_only, over_calls, over_in_own_words
from semantics.sql.dialects.over_apart import over_below, over_groups, over_join
from semantics.sql.dialects.over_tables import OWN, OverTable, tells_copies_apart, with_copies_numbered
from semantics.sql.dialects.ranked import Places, is_ranking, places_in
from semantics.sql.dialects.ranked_inside import with_condition_outside, with_places_inside
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.relations import Made
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.shapes import SETTLED, STREAMED, Item, Mode, Shape
from semantics.sql.dialects.writing import written
from semantics.sql.errors import place

if TYPE_CHECKING:
    from semantics.sql.dialects.queries import Queries, Translated


class Block:
    """A SELECT that is being translated; the tree is its own to change."""

    def __init__(self, queries: "Queries", node: exp.Select, scope: Scope, mode: Mode, around: Columns | None) -> None:
        self.queries, self.scope, self.mode, self.around = queries, scope, mode, around
        self.inner_mode = SETTLED
        self.node = with_windows_in_from(with_elements_in_from(normalised(node), scope.profile), scope.profile)

    def translated(self) -> "Translated":
        """The block with its relations, as it means them."""
        places, rest = self._places()
        if rest:
            outer = with_condition_outside(self.node, places, rest)
            return self.queries.query(outer, self.scope, self.mode, self.around)
        inside = with_places_inside(self.node, self.scope)
        if inside is not None:
            return self.queries.query(*inside, self.mode, self.around)
        clause = FromClause(self.queries, self.node, self.scope, self.mode, self.around)
        columns = Columns(self.scope, clause.seen(), self.around)
        with_names_resolved(self.node, columns)
        clause = FromClause(self.queries, self.node, self.scope, self.mode, self.around)
        grouped = self._is_grouped()
        over = over_calls(self.node.expressions)
        apart = self._over_apart(columns, grouped=grouped, over=over)
        if apart is not None:
            return self.queries.query(apart, self.scope, self.mode, self.around)
        if over:
            made = self._over_time(clause, columns, over)
        elif not self.mode.partial and self._keeps_windows(columns, places):
            made = clause.per_pane()
        elif not grouped and places is None and self._asks_in_the_same_pane(columns):
            self.inner_mode = STREAMED
            made = clause.per_pane()
        elif grouped or places is not None or self.mode.settled or self._looks_back():
            made = clause.settled()
        else:
            made = clause.streaming()
        return self._written(made, places)

    def _over_apart(self, columns: Columns, *, grouped: bool, over: list[exp.Window]) -> exp.Select | None:
        """The block with what OVER is over in FROM, if it is not just one relation there."""
        if over and grouped:
            return over_groups(self.node)
        if over and any(self.node.args.get(part) for part in ("distinct", "limit", "offset")):
            return over_below(self.node)
        in_time = all(in_time_order(call, columns) and looks_back_only(call) for call in over)
        return over_join(self.node, columns) if over and not in_time and self.node.args.get("joins") else None

    def _over_time(self, clause: FromClause, columns: Columns, calls: list[exp.Window]) -> Made:
        """A stream, each of whose rows looks back on those before it."""
        if not all(in_time_order(call, columns) and looks_back_only(call) for call in calls):
            return self._over_rows(clause, calls)
        made = clause.streaming()
        if not made.raw:
            raise Refused("OVER over a join of streams", "it has no order in time")
        return made

    def _over_rows(self, clause: FromClause, calls: list[exp.Window]) -> Made:
        """All rows so far, each of which is compared with the others."""
        made = clause.settled()
        if len(made.items) != 1 or made.joins:
            raise Refused("OVER over rows and their elements", "put UNNEST into a query of FROM", place(self.node))
        item, columns = made.items[0], Columns(self.scope, made.items, self.around)
        names = [exp.column(exp.to_identifier(name)) for name in item.shape.columns]
        inner = exp.Select(expressions=[name.copy() for name in names])
        inner.set("from_", exp.From(this=item.node))
        conditions = [self._value(part, columns) for part in made.conditions]
        if conditions:
            inner.set("where", exp.Where(this=conjunction(conditions)))
        rows = exp.Subquery(this=inner)
        if any(map(tells_copies_apart, calls)) and not item.shape.keys:
            rows = with_copies_numbered(inner, names)
        text = written(rows)
        for call in calls:
            call.replace(OverTable(call, columns, text).value())
        rows.set("alias", exp.TableAlias(this=exp.to_identifier(OWN)))
        shown = Item(rows, item.shape, item.alias)
        renamed = {(item.alias.lower(), name.lower()): name for name in item.shape.columns}
        return Made(rows, [], [shown], renamed=renamed)

    def _is_grouped(self) -> bool:
        clauses = [*self.node.expressions, *filter(None, [self.node.args.get("having")])]
        alone = self.node.args.get("having") is not None and self.scope.profile.row_for_nothing
        return alone or self.node.args.get("group") is not None or any(map(has_aggregate, clauses))

    def _looks_back(self) -> bool:
        """Does the block need rows of other instants than now?"""
        node = self.node
        if node.args.get("distinct") or node.args.get("limit") or node.args.get("offset"):
            return True
        where = node.args.get("where")
        conditions = [where.this] if where else []
        if any(asks_for_now(part) for part in [*conditions, *node.expressions]):
            return True
        return any(map(has_query, [*conditions, *node.expressions]))

    def _asks_in_the_same_pane(self, columns: Columns) -> bool:
        """Are all subqueries of WHERE about the window of their row? Then both sides are looked at pane by pane."""
        streams, where = [item for item in columns.items if item.shape.raw], self.node.args.get("where")
        if where is None or not streams or not all(item.shape.paned for item in streams):
            return False
        asked = [query for query in where.this.find_all(exp.Select) if query.parent_select is self.node]
        return bool(asked) and all(any(map(columns.equates_window, query.find_all(exp.EQ))) for query in asked)

    def _keeps_windows(self, columns: Columns, places: Places | None) -> bool:
        """Is every pane looked at by itself? Then rows may wait for the end of their window."""
        streams = [item for item in columns.items if item.shape.raw]
        if not streams or not all(item.shape.paned for item in streams):
            return False
        if self.node.args.get("limit") or any(asks_for_now(part) for part in self.node.expressions):
            return False
        keys = self._keys(places)
        if keys is None:
            return False
        roles = {columns.role(key) for key in keys}
        by_start = all(item.shape.by_start for item in streams)
        return bool({"end", "time"} & roles) or (by_start and "start" in roles)

    def _keys(self, places: Places | None) -> list[exp.Expr] | None:
        """What tells groups, places or distinct rows apart; None if there are no such."""
        group = self.node.args.get("group")
        if self._is_grouped():
            if group is None or any(isinstance(k, exp.Cube | exp.Rollup | exp.GroupingSets) for k in group.expressions):
                return None
            return list(group.expressions)
        if places is not None:
            return places.keys
        if self.node.args.get("distinct"):
            return [item.this if isinstance(item, exp.Alias) else item for item in self.node.expressions]
        return None

    def _places(self) -> tuple[Places | None, list[exp.Expr]]:
        """What QUALIFY keeps of a ranking, and what else it demands."""
        qualify = self.node.args.get("qualify")
        if qualify is None:
            return None, []
        named = {item.alias.lower(): item.this for item in self.node.expressions if is_ranking(item.this or item)}
        return places_in(qualify.this, {name: w for name, w in named.items() if name})

    def _written(self, made: Made, places: Places | None) -> "Translated":
        node, columns = self.node, Columns(self.scope, made.items, self.around, made.renamed)
        items = columns.items_of(node)
        select = exp.Select(expressions=[self._item(item, columns) for item in items])
        select.meta.update(node.meta)
        if made.node is not None:
            select.set("from_", exp.From(this=made.node))
            select.set("joins", made.joins)
        conditions = [self._value(part, columns) for part in made.conditions]
        if conditions:
            select.set("where", exp.Where(this=conjunction(conditions)))
        self._set_groups(select, columns)
        if places is not None:
            select.set("qualify", exp.Qualify(this=columns.expression(places.condition())))
        select.set("distinct", node.args.get("distinct"))
        if node.args.get("limit") or node.args.get("offset"):
            for part in ("order", "limit", "offset"):
                clause = node.args.get(part)
                select.set(part, None if clause is None else self._value(clause, columns))
        return select, self._shape(items, columns, made)

    def _set_groups(self, select: exp.Select, columns: Columns) -> None:
        group, having = self.node.args.get("group"), self.node.args.get("having")
        if group is not None:
            keys = [self._value(_as_constant(key, self.node), columns) for key in group.expressions]
            select.set("group", exp.Group(expressions=keys))
        elif self._is_grouped() and self.scope.profile.row_for_nothing:
            select.set("group", exp.Group(expressions=[exp.Tuple()]))
        if having is not None:
            select.set("having", exp.Having(this=self._value(having.this, columns)))

    def _item(self, item: exp.Expr, columns: Columns) -> exp.Expr:
        """An item of SELECT; one that is a column keeps its name."""
        made = self._value(item, columns)
        if isinstance(made, exp.Dot):
            return made
        if isinstance(item, exp.Column) and (not isinstance(made, exp.Column) or made.name != item.name):
            return exp.Alias(this=made, alias=exp.to_identifier(item.name))
        return made

    def _value(self, node: exp.Expr, columns: Columns) -> exp.Expr:
        """An expression with its subqueries translated, which see all rows so far."""
        made = columns.expression(over_in_own_words(node.copy(), self.scope))
        for inner in list(made.find_all(exp.Subquery, exp.In, exp.Exists, exp.Any, exp.All)):
            query = inner.args.get("query") or inner.this
            if isinstance(query, exp.Query) and not isinstance(query, exp.Subquery):
                translated, _ = self.queries.query(query, self.scope, self.inner_mode, columns)
                inner.set("query" if inner.args.get("query") else "this", translated)
        return made

    def _shape(self, items: list[exp.Expr], columns: Columns, made: Made) -> Shape:
        """What is known of the columns of the result."""
        names = tuple(output_name(item, i) for i, item in enumerate(items, 1))
        values = [item.this if isinstance(item, exp.Alias) else item for item in items]
        pairs = [(name.lower(), value) for name, value in zip(names, values, strict=True)]
        raw = made.raw
        times = frozenset(name for name, value in pairs if columns.is_time(value)) if raw else frozenset[str]()
        window = {name: role for name, value in pairs if (role := columns.role(value)) is not None}
        streams = [item.shape for item in columns.items if item.shape.window]
        hidden = {}
        if any(isinstance(item, exp.Star) for item in self.node.expressions):
            hidden = {name: why for item in columns.items for name, why in item.shape.hidden.items()}
        return Shape(
            names,
            raw,
            times,
            window,
            raw and made.paned,
            all(shape.by_start for shape in streams),
            hidden,
            frozenset(name for name, value in pairs if columns.types.is_integer(value)),
        )


def _as_constant(key: exp.Expr, node: exp.Select) -> exp.Expr:
    """A number in GROUP BY that is no place in SELECT is a constant, as Calcite has it."""
    if isinstance(key, exp.Literal) and key.is_int and int(key.name) > len(node.expressions):
        return exp.Add(this=key.copy(), expression=exp.Literal.number(0))
    return key
