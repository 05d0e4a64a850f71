"""Joins whose condition is about times: versions of an instant, the last row before it, and rows near each other."""

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from semantics.sql.dialects.columns import Columns, conjuncts
from semantics.sql.dialects.joined import Bounds, begun, bounds_of, conditions_of, later, waiting
from semantics.sql.dialects.refusals import LOOKUP_JOIN, NotByEventTime, Refused
from semantics.sql.dialects.relations import Made
from semantics.sql.dialects.shapes import Item
from semantics.sql.dialects.sources import held
from semantics.sql.errors import place, wrong

if TYPE_CHECKING:
    from semantics.sql.dialects.from_clause import FromClause


class TimedJoins:
    """The joins of one FROM that know their times."""

    def __init__(self, clause: "FromClause") -> None:
        self.clause, self.scope = clause, clause.scope

    def at_one_instant(self) -> Made | None:
        """A row with what another relation holds at its instant: FOR SYSTEM_TIME AS OF, and ASOF."""
        if any(isinstance(node, exp.Table) and node.args.get("version") for node in self.clause.relations):
            return self._temporal()
        if any((join.args.get("method") or "").upper() == "ASOF" for join in self.clause.joins):
            return self._as_of()
        return None

    def _temporal(self) -> Made:
        """FOR SYSTEM_TIME AS OF: each row of the stream with the versions of its instant."""
        items = self.clause.streams(paned=True)
        columns = Columns(self.scope, items[:1], self.clause.around)
        versions: list[Item] = [items[0]]
        for node, item in zip(self.clause.relations[1:], items[1:], strict=True):
            version = node.args.get("version")
            if version is None:
                versions.append(held(item))
                continue
            at = version.expression
            if not isinstance(at, exp.Column) or at.name.lower() in items[0].shape.hidden:
                raise NotByEventTime("a lookup join", LOOKUP_JOIN, place(version))
            if not columns.is_time(at):
                raise wrong(version, f"{at.sql()} is not the time of the first stream", "its event time")
            versions.append(self._latest(item))
        return self.clause.made(versions, raw=True)

    def _latest(self, item: Item) -> Item:
        """The last row of each key so far."""
        if not item.shape.raw:
            return item
        if not item.shape.keys:
            raise wrong(item.node, f"{item.alias} has no primary key, so it has no versions", "PRIMARY KEY")
        return held(item, f"PARTITION BY {', '.join(item.shape.keys)} ROWS 1")

    def _as_of(self) -> Made | None:
        """ASOF JOIN on a time that is not later: the last row of each key so far."""
        items = self.clause.streams(paned=True)
        columns = Columns(self.scope, items, self.clause.around)
        if len(items) != 2 or not all(item.shape.raw for item in items):
            for join, item in zip(self.clause.joins, items[1:], strict=True):
                if (join.args.get("method") or "").upper() == "ASOF":
                    _look_up(join, item)
            return None
        join = self.clause.joins[0]
        parts = _conditions(join)
        keys, timed, rest = [], False, []
        for part in parts:
            sides = [part.this, part.expression] if isinstance(part, exp.Binary) else []
            if isinstance(part, exp.GTE | exp.LTE) and all(map(columns.is_time, sides)):
                earlier = sides[1] if isinstance(part, exp.GTE) else sides[0]
                timed = timed or items[1].column(earlier) is not None
            else:
                rest.append(part)
                keys += [side for side in sides if isinstance(part, exp.EQ) and items[1].column(side) is not None]
        if not timed or not keys or not all(isinstance(key, exp.Column) for key in keys):
            raise Refused("this ASOF JOIN", "it is read with equal keys and `left time >= right time`")
        window = f"PARTITION BY {', '.join(key.name for key in keys)} ROWS 1"
        right = held(items[1], window)
        side = join.args.get("side") or ""
        made = exp.Join(this=right.node, side=side, on=exp.and_(*rest, copy=False))
        return Made(items[0].node, [made], [items[0], right], self.clause.conditions, raw=True)

    def interval(self) -> Made | None:
        """Two streams whose times are within bounds of each other: pairs come when the later row does."""
        if len(self.clause.relations) != 2:
            return None
        items = self.clause.streams(paned=True)
        if not all(item.shape.raw and not item.shape.paned for item in items):
            return None
        columns = Columns(self.scope, items, self.clause.around)
        join = self.clause.joins[0]
        outer = (join.args.get("side") or "").upper()
        demanded = conjuncts(join.args.get("on")) if outer else conditions_of(self.clause.node)
        bounds = bounds_of(demanded, columns, self.scope)
        if bounds is None:
            return None
        if outer:
            return self._outer_interval(items, bounds, outer)
        left, right = self._waiting(items, bounds)
        pair = exp.EQ(this=self.scope.timestamp(), expression=begun(bounds))
        on = join.args.get("on")
        made = exp.Join(this=right, on=on, kind=join.args.get("kind"))
        return Made(left, [self.clause.on_translated(made, items)], items, [*self.clause.conditions, pair], raw=True)

    def _waiting(self, items: list[Item], bounds: Bounds) -> tuple[exp.Expr, exp.Expr]:
        """Both streams, their rows as long as a partner may come."""
        assert bounds.low is not None
        assert bounds.high is not None
        return waiting(items[0], -bounds.low), waiting(items[1], bounds.high)

    def _ready(self, time: exp.Column, waits: int) -> exp.Expr:
        """Is it the instant from which on a row has no further partners?"""
        return exp.EQ(this=self.scope.timestamp(), expression=later(time, waits, self.scope))

    def _outer_interval(self, items: list[Item], bounds: Bounds, outer: str) -> Made:
        """A row without a partner comes out when none can come any more: as a join of the row at that time.

        The row that decides is the left one, or the right one of a RIGHT JOIN and where there is no left one.
        """
        assert bounds.low is not None
        assert bounds.high is not None
        left_waits, right_waits = max(-bounds.low, 0), max(bounds.high, 0)
        both = left_waits + right_waits
        left = waiting(items[0], left_waits if outer == "LEFT" else both)
        right = waiting(items[1], right_waits if outer == "RIGHT" else both)
        ready = self._ready(bounds.left, left_waits) if outer != "RIGHT" else self._ready(bounds.right, right_waits)
        if outer == "FULL":
            alone = exp.Is(this=bounds.left.copy(), expression=exp.Null())
            ready = exp.or_(ready, exp.and_(alone, self._ready(bounds.right, right_waits)))
        made = exp.Join(this=right, on=self.clause.joins[0].args["on"], side=outer)
        shapes = [replace(item, shape=replace(item.shape, times=frozenset())) for item in items]
        return Made(left, [self.clause.on_translated(made, items)], shapes, [*self.clause.conditions, ready], raw=True)


def _conditions(join: exp.Join) -> list[exp.Expr]:
    return [*conjuncts(join.args.get("on")), *conjuncts(join.args.get("match_condition"))]


def _look_up(join: exp.Join, item: Item) -> None:
    """ASOF JOIN of a table: for each row, of the rows that fulfil the condition the one with the nearest value."""
    parts = _conditions(join)
    bounds = [part for part in parts if isinstance(part, exp.GTE | exp.GT | exp.LTE | exp.LT)]
    if len(bounds) != 1:
        raise Refused("this ASOF JOIN", "it is read with one inequality", place(join))
    (bound,) = bounds
    right_is_larger = isinstance(bound, exp.LTE | exp.LT)
    nearest = bound.expression
    if not isinstance(nearest, exp.Column) or item.column(nearest) is None:
        nearest, right_is_larger = bound.this, not right_is_larger
    if not isinstance(nearest, exp.Column) or item.column(nearest) is None:
        raise Refused("this ASOF JOIN", "one side of the inequality must be a column on the right", place(join))
    inner = exp.select("*").from_(join.this.copy()).where(*(part.copy() for part in parts))
    inner.set("order", exp.Order(expressions=[exp.Ordered(this=nearest.copy(), desc=not right_is_larger)]))
    inner.set("limit", exp.Limit(expression=exp.Literal.number(1)))
    name = exp.TableAlias(this=exp.to_identifier(item.alias))
    join.set("this", exp.Lateral(this=exp.Subquery(this=inner), alias=name))
    for clause in ("method", "match_condition"):
        join.set(clause, None)
    join.set("on", exp.true())
