"""OVER: what functions make of the rows before each row, in the order of time."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.columns import Columns, own_nodes
from semantics.sql.dialects.durations import microseconds
from semantics.sql.dialects.nodes import call, time_now, whole
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.errors import SqlError, place

OVER_ROWS_ONLY: Final = ("NTILE", "NTH_VALUE", "PERCENT_RANK", "CUME_DIST")


def over_calls(nodes: list[exp.Expr]) -> list[exp.Window]:
    """The calls with OVER in some expressions, not those of queries inside them."""
    return [part for node in nodes for part in own_nodes(node, exp.Window) if isinstance(part, exp.Window)]


def in_time_order(call: exp.Window, columns: Columns) -> bool:
    """Does a call go through a stream forward in time?"""
    order = call.args.get("order")
    first = order.expressions[0] if order is not None else None
    return first is not None and not first.args.get("desc") and columns.is_time(first.this)


def looks_back_only(call: exp.Window) -> bool:
    """Does a call need nothing of rows that come later, and has this language a word for it?"""
    spec = call.args.get("spec")
    sides = [str(spec.args.get(side) or "").upper() for side in ("start_side", "end_side")] if spec is not None else []
    ends_early = spec is not None and str(spec.args.get("end") or "CURRENT ROW").upper() != "CURRENT ROW"
    odd = isinstance(call.this, exp.IgnoreNulls) or name_of(call.this) in OVER_ROWS_ONLY
    default = name_of(call.this) == "LEAD" and len(call.this.expressions) > 2
    excludes = spec is not None and spec.args.get("exclude") is not None
    return not (odd or default or excludes or ends_early or "FOLLOWING" in sides)


def over_in_own_words(node: exp.Expr, scope: Scope) -> exp.Expr:
    """An expression whose calls with OVER are ordered by NOW, their frames in instants; queries inside stay."""
    for window in own_nodes(node, exp.Window):
        made = _in_own_words(window, scope)
        if window is node:
            return made
        window.replace(made)
    return node


def _in_own_words(node: exp.Expr, scope: Scope) -> exp.Expr:
    if name_of(node.this) == "LAG" and len(node.this.expressions) == 3:
        return over_in_own_words(_with_default(node), scope)
    if node.args.get("order") is None:
        raise Refused("OVER in a condition", "it stands among the columns of SELECT", place(node))
    _, *rest = node.args["order"].expressions
    items = [exp.Ordered(this=time_now(), nulls_first=True), *(item.copy() for item in rest)]
    made = exp.Window(this=node.this, partition_by=node.args.get("partition_by"), order=exp.Order(expressions=items))
    made.set("over", "OVER")
    spec = node.args.get("spec")
    if spec is not None:
        made.set("spec", _frame(spec, scope))
    return made


def _with_default(node: exp.Expr) -> exp.Expr:
    """LAG(x, n, default): the default for the first n rows, and else what LAG(x, n) is."""
    value, number, default = node.this.expressions
    plain, place_ = node.copy(), node.copy()
    plain.set("this", call("LAG", value.copy(), number.copy()))
    place_.set("this", call("ROW_NUMBER"))
    first = exp.LTE(this=place_, expression=number.copy())
    return exp.Case(ifs=[exp.If(this=first, true=default.copy())], default=plain)


def _frame(spec: exp.WindowSpec, scope: Scope) -> exp.WindowSpec:
    kind = str(spec.args.get("kind") or "RANGE").upper()
    start: exp.Expr | str = spec.args.get("start") or "UNBOUNDED"
    if isinstance(start, str):
        size: exp.Expr | str = start.upper() if start.upper() == "UNBOUNDED" else whole(0)
    elif kind == "ROWS":
        size = start.copy()
    else:
        size = whole(_instants(start, scope))
    return exp.WindowSpec(kind=kind, start=size, start_side="PRECEDING", end="CURRENT ROW")


def _instants(length: exp.Expr, scope: Scope) -> int:
    """How far a frame by time goes back."""
    try:
        return scope.instants(microseconds(length), length)
    except SqlError as error:
        raise Refused("this frame", error.problem, error.offset) from None
