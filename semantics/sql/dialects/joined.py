"""Joins of dialects: which streams meet, for how long their rows wait, and when a pair comes out."""

from dataclasses import dataclass, replace

from sqlglot import exp

from semantics.sql.dialects.columns import Columns, conjuncts
from semantics.sql.dialects.durations import microseconds
from semantics.sql.dialects.nodes import Held, call, plus
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.shapes import Item
from semantics.sql.errors import SqlError


@dataclass(frozen=True)
class Bounds:
    """The difference left time − right time lies between these, in instants; None where nothing bounds it."""

    left: exp.Column
    right: exp.Column
    low: int | None = None
    high: int | None = None

    def and_(self, other: "Bounds") -> "Bounds":
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        return replace(self, low=max(lows, default=None), high=min(highs, default=None))

    @property
    def complete(self) -> bool:
        return self.low is not None and self.high is not None


def bounds_of(conditions: list[exp.Expr], columns: Columns, scope: Scope) -> Bounds | None:
    """What conditions say about the times of two streams; None if they leave one side open."""
    found: Bounds | None = None
    for part in conditions:
        for low, high in _comparisons(part):
            one = _bound(low, high, columns, scope)
            if one is None:
                continue
            same = found is None or (found.left.sql(), found.right.sql()) == (one.left.sql(), one.right.sql())
            if same:
                found = one if found is None else found.and_(one)
    return found if found is not None and found.complete else None


def _comparisons(node: exp.Expr) -> list[tuple[tuple[exp.Expr, int], tuple[exp.Expr, int]]]:
    """smaller ≤ larger, with what is added to the larger side so that < becomes ≤ in whole instants."""
    while isinstance(node, exp.Paren):
        node = node.this
    match node:
        case exp.Between():
            return [((node.args["low"], 0), (node.this, 0)), ((node.this, 0), (node.args["high"], 0))]
        case exp.LTE():
            return [((node.this, 0), (node.expression, 0))]
        case exp.GTE():
            return [((node.expression, 0), (node.this, 0))]
        case exp.LT():
            return [((node.this, 1), (node.expression, 0))]
        case exp.GT():
            return [((node.expression, 1), (node.this, 0))]
        case exp.EQ():
            return [((node.this, 0), (node.expression, 0)), ((node.expression, 0), (node.this, 0))]
        case _:
            return []


def _bound(
    smaller: tuple[exp.Expr, int], larger: tuple[exp.Expr, int], columns: Columns, scope: Scope
) -> Bounds | None:
    """x + c ≤ y + d, where x and y are times of different items; the first item of FROM is on the left."""
    x, y = _shifted(smaller[0], scope), _shifted(larger[0], scope)
    if x is None or y is None or not (columns.is_time(x[0]) and columns.is_time(y[0])):
        return None
    mine, theirs = (next(i for i, item in enumerate(columns.items) if item.column(one[0])) for one in (x, y))
    if mine == theirs:
        return None
    gap = y[1] - x[1] - smaller[1]
    if mine < theirs:  # x − y ≤ gap
        return Bounds(x[0], y[0], high=gap)
    return Bounds(y[0], x[0], low=-gap)


def _shifted(node: exp.Expr, scope: Scope) -> tuple[exp.Column, int] | None:
    """A column and the instants that are added to it."""
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Column):
        return node, 0
    if isinstance(node, exp.Add | exp.Sub):
        left, right = node.this, node.expression
        if isinstance(node, exp.Add) and not isinstance(left, exp.Column | exp.Paren | exp.Add | exp.Sub):
            left, right = right, left
        inner = _shifted(left, scope)
        try:
            length = scope.instants(microseconds(right), node)
        except SqlError:
            return None
        return None if inner is None else (inner[0], inner[1] + (length if isinstance(node, exp.Add) else -length))
    return None


def waiting(item: Item, instants: int) -> exp.Expr:
    """An item whose rows wait so many instants for partners; without any, they hold for their own."""
    return Held(this=item.node, window=f"RANGE {instants + 1}") if instants > 0 else item.node


def begun(bounds: Bounds) -> exp.Expr:
    """The later of both times: when a pair begins."""
    return call("GREATEST", bounds.left.copy(), bounds.right.copy())


def later(column: exp.Column, instants: int, scope: Scope) -> exp.Expr:
    """A time and so many instants more, as a TIMESTAMP."""
    if instants == 0:
        return column.copy()
    micros = exp.Cast(this=column.copy(), to=exp.DataType.build("BIGINT"))
    return exp.Cast(this=plus(micros, instants * scope.tick), to=exp.DataType.build("TIMESTAMP"))


def conditions_of(select: exp.Select) -> list[exp.Expr]:
    """All that joins and WHERE demand."""
    where = select.args.get("where")
    found = conjuncts(where.this) if where else []
    for join in select.args.get("joins") or []:
        found += conjuncts(join.args.get("on"))
    return found
