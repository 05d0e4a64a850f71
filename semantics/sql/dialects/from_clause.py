"""FROM of a block: its relations as streams, as panes, or with rows that stay."""

from typing import TYPE_CHECKING

from sqlglot import exp

from semantics.sql.dialects.columns import Columns, conjuncts
from semantics.sql.dialects.elements import call_in, check_last, with_elements
from semantics.sql.dialects.joined import conditions_of
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.relations import Made
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.shapes import LASTING, SETTLED, Item, Mode, Shape
from semantics.sql.dialects.sources import held
from semantics.sql.dialects.timed_joins import TimedJoins
from semantics.sql.errors import wrong

if TYPE_CHECKING:
    from semantics.sql.dialects.queries import Queries

RAW = Shape((), raw=True)


class FromClause:
    """The relations of one block."""

    def __init__(self, queries: "Queries", node: exp.Select, scope: Scope, mode: Mode, around: Columns | None) -> None:
        self.queries, self.node, self.scope, self.mode, self.around = queries, node, scope, mode, around
        origin = node.args.get("from_")
        self.first = None if origin is None else origin.this
        self.joins: list[exp.Join] = [*(node.args.get("joins") or [])]
        if self.first is None and self.joins:
            raise wrong(node, "JOIN without FROM", "FROM and a table before it")
        for lateral in node.args.get("laterals") or []:
            self.joins.append(exp.Join(this=lateral))
        check_last(self.joins)
        self.elements = [join for join in self.joins if call_in(join.this) is not None]
        self.joins = [join for join in self.joins if join not in self.elements]
        self._name_shared_columns()
        where = node.args.get("where")
        self.conditions = conjuncts(where.this) if where else []

    def _name_shared_columns(self) -> None:
        """NATURAL JOIN as USING of the columns that both sides have."""
        if not any((join.args.get("method") or "").upper() == "NATURAL" for join in self.joins):
            return
        seen: set[str] = set()
        for join, item in zip([None, *self.joins], self.streams(paned=True), strict=True):
            shared = [name for name in item.shape.columns if name.lower() in seen]
            if join is not None and (join.args.get("method") or "").upper() == "NATURAL":
                join.set("using", list(map(exp.to_identifier, shared)))
                join.set("method", None)
            seen |= {name.lower() for name in item.shape.columns}

    @property
    def relations(self) -> list[exp.Expr]:
        return [] if self.first is None else [self.first, *(join.this for join in self.joins)]

    def seen(self) -> list[Item]:
        """All that names of columns may mean: streams, and elements of arrays."""
        return self._with_elements(Made(None, [], self.streams(paned=True))).items

    def _with_elements(self, made: Made) -> Made:
        columns = Columns(self.scope, made.items, self.around, made.renamed)
        return with_elements(made, self.elements, columns, whole=self.scope.profile.whole_elements)

    def streams(self, *, paned: bool) -> list[Item]:
        """All relations, streams as they are."""
        return [self.item(node, Mode(paned=paned)) for node in self.relations]

    def item(self, node: exp.Expr, mode: Mode) -> Item:
        plain = node.copy()
        if isinstance(plain, exp.Table) and plain.args.get("version"):
            plain.set("version", None)
        return self.queries.item(plain, self.scope, mode, self.around)

    def per_pane(self) -> Made:
        """Every stream in panes; tables and what stays are as they are at the end of each."""
        items = self.streams(paned=True)
        return self._with_elements(self.made(items, raw=True, paned=True))

    def settled(self) -> Made:
        """All rows so far; pairs that meet at one instant are kept from then on."""
        return self._with_elements(self._settled())

    def _settled(self) -> Made:
        found = TimedJoins(self).at_one_instant()
        mode = LASTING if self.mode.partial else SETTLED
        return self.made([self.item(node, mode) for node in self.relations]) if found is None else _kept(found)

    def streaming(self) -> Made:
        """Rows as they come, if one relation or a join that knows its times has them; else all rows so far."""
        return self._with_elements(self._streaming())

    def _streaming(self) -> Made:
        timed = TimedJoins(self)
        found = timed.at_one_instant() or timed.interval()
        if found is not None:
            return found
        if len(self.relations) <= 1:
            items = self.streams(paned=self.mode.paned)
            raw = bool(items) and items[0].shape.raw
            return self.made(items, raw=raw, paned=raw and items[0].shape.paned)
        items = self.streams(paned=True)
        if self._is_window_join(items):
            return self.made(items, raw=True, paned=True)
        if self.scope.profile.tables_have_versions and items[0].shape.raw and not any(i.shape.raw for i in items[1:]):
            return self.made(items, raw=True)
        return self._settled()

    def made(self, items: list[Item], *, raw: bool = False, paned: bool = False) -> Made:
        if not items:
            return Made(None, [], [], self.conditions)
        joins = [self._join(join, item.node) for join, item in zip(self.joins, items[1:], strict=True)]
        joins = [self.on_translated(join, items) for join in joins]
        return Made(items[0].node, joins, items, self.conditions, raw, paned)

    def _join(self, join: exp.Join, relation: exp.Expr) -> exp.Join:
        if join.args.get("method") and join.args["method"].upper() in ("ASOF", "POSITIONAL"):
            raise Refused(f"{join.args['method']} JOIN of these relations", "both must be streams, on their times")
        lateral = isinstance(join.this, exp.Lateral)
        if lateral and isinstance(relation, exp.Subquery):
            alias = relation.args.get("alias")
            relation.set("alias", None)
            relation = exp.Lateral(this=relation, alias=alias)
        args = {part: join.args.get(part) for part in ("on", "side", "kind", "using")}
        made = exp.Join(this=relation, **args)
        if made.args.get("kind") and made.args["kind"].upper() == "OUTER":
            made.set("kind", None)
        return made

    def on_translated(self, join: exp.Join, items: list[Item]) -> exp.Join:
        on = join.args.get("on")
        if on is not None:
            join.set("on", Columns(self.scope, items, self.around).expression(on.copy()))
        return join

    def _is_window_join(self, items: list[Item]) -> bool:
        """Do conditions equate the windows of all streams?"""
        streams = [item for item in items if item.shape.raw]
        if len(streams) < 2 or not all(item.shape.paned for item in streams):
            return False
        columns = Columns(self.scope, items, self.around)
        pairs = [part for part in conditions_of(self.node) if isinstance(part, exp.EQ)]
        roles = [(columns.role(part.this), columns.role(part.expression)) for part in pairs]
        for join in self.joins:
            names = {str(name.name).lower() for name in join.args.get("using") or []}
            roles += [(role, role) for item in items for name, role in item.shape.window.items() if name in names]
        equal = [left for left, right in roles if left is not None and left == right]
        by_start = all(item.shape.by_start for item in streams)
        needed = len(streams) - 1
        return equal.count("end") >= needed or (by_start and equal.count("start") >= needed)


def _kept(made: Made) -> Made:
    """Rows of a join as they come, in a query of their own, so that they can stay; their columns get other names."""
    renamed = {
        (item.alias.lower(), name.lower()): f"{item.alias}_{name}" for item in made.items for name in item.shape.columns
    }
    values = [
        exp.Alias(
            this=exp.column(exp.to_identifier(name), table=item.alias or None),
            alias=exp.to_identifier(renamed[item.alias.lower(), name.lower()]),
        )
        for item in made.items
        for name in item.shape.columns
    ]
    block = exp.Select(expressions=values)
    block.set("from_", exp.From(this=made.node))
    block.set("joins", made.joins)
    joined = Item(exp.Subquery(this=block, alias=exp.TableAlias(this=exp.to_identifier("joined"))), RAW, "joined")
    items = [Item(item.node, item.shape.settled(), item.alias) for item in made.items]
    return Made(held(joined).node, [], items, made.conditions, renamed=renamed)
