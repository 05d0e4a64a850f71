"""A SELECT with less variety: named frames in place, groups written out, orders that say nothing gone."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.group_keys import write_out_groups
from semantics.sql.dialects.nodes import call
from semantics.sql.dialects.window_calls import name_of

ENDS: Final = ("FIRST_VALUE", "LAST_VALUE", "FIRST", "LAST")


def normalised(node: exp.Select) -> exp.Select:
    """The same block; it is changed in place."""
    _inline_frames(node)
    _put_ignore_nulls_around(node)
    _call_any(node)
    _compare_last_of_using(node)
    _ask_for_partners(node)
    _number_distinct(node)
    write_out_groups(node)
    if not node.args.get("limit") and not node.args.get("offset"):
        node.set("order", None)
    for part in ("sort", "cluster", "distribute"):
        node.set(part, None)
    node.set("hint", None)
    return node


def _inline_frames(node: exp.Select) -> None:
    """OVER w as what WINDOW w AS (…) says."""
    frames = {
        window.this.name.lower() if window.this else window.alias.lower(): window
        for window in node.args.get("windows") or []
    }
    for over in list(node.find_all(exp.Window)):
        name = over.args.get("alias")
        frame = frames.get(str(name.name).lower()) if name is not None else None
        if frame is not None:
            for part in ("partition_by", "order", "spec"):
                if frame.args.get(part) is not None:
                    value = frame.args[part]
                    over.set(part, [one.copy() for one in value] if isinstance(value, list) else value.copy())
            over.set("alias", None)
    node.set("windows", None)


def _ask_for_partners(node: exp.Select) -> None:
    """a LEFT SEMI JOIN b ON c as WHERE EXISTS (SELECT 1 FROM b WHERE c), and ANTI as NOT EXISTS."""
    kept = []
    for join in node.args.get("joins") or []:
        kind = (join.args.get("kind") or "").upper()
        if kind not in ("SEMI", "ANTI"):
            kept.append(join)
            continue
        partners = exp.select(exp.Literal.number(1)).from_(join.this.copy()).where(*_demanded(join, node))
        asked: exp.Expr = exp.Exists(this=partners)
        node.where(asked if kind == "SEMI" else exp.Not(this=asked), copy=False)
    node.set("joins", kept)


def _compare_last_of_using(node: exp.Select) -> None:
    """ASOF JOIN … USING (k, ts): equal keys, and the last one not later than on the left."""
    for join in node.args.get("joins") or []:
        if (join.args.get("method") or "").upper() == "ASOF" and join.args.get("using") and not node.is_star:
            *equal, last = _demanded(join, node)
            join.set("on", exp.and_(*equal, exp.GTE(this=last.this, expression=last.expression)))
            join.set("using", None)


def _demanded(join: exp.Join, node: exp.Select) -> list[exp.Expr]:
    """The condition of a join, also where USING says it."""
    origin, on = node.args.get("from_"), join.args.get("on")
    first = "" if origin is None else origin.this.alias_or_name
    equal: list[exp.Expr] = [
        exp.EQ(this=exp.column(name.name, table=first), expression=exp.column(name.name, table=join.alias_or_name))
        for name in join.args.get("using") or []
    ]
    return equal if on is None else [*equal, on.copy()]


def _number_distinct(node: exp.Select) -> None:
    """DISTINCT ON (k) … ORDER BY k, x: the first row of each k in this order."""
    distinct = node.args.get("distinct")
    on = distinct.args.get("on") if distinct is not None else None
    if on is None:
        return
    keys = [key.copy() for key in (on.expressions if isinstance(on, exp.Tuple) else [on])]
    order = node.args.get("order")
    ranking = exp.Window(this=exp.Anonymous(this="ROW_NUMBER"), partition_by=keys, order=order and order.copy())
    node.set("qualify", exp.Qualify(this=exp.EQ(this=ranking, expression=exp.Literal.number(1))))
    node.set("distinct", None)
    node.set("order", None)


def _put_ignore_nulls_around(node: exp.Select) -> None:
    """FIRST_VALUE(x IGNORE NULLS) OVER …, and Spark's FIRST_VALUE(x, TRUE), as FIRST_VALUE(x) IGNORE NULLS."""
    for window in node.find_all(exp.Window):
        function = window.this
        if not isinstance(function, exp.Anonymous) or not function.expressions:
            continue
        *before, last = function.expressions
        if isinstance(last, exp.IgnoreNulls | exp.RespectNulls):
            function.set("expressions", [*before, last.this])
            window.set("this", type(last)(this=function))
        elif name_of(function) in ENDS and len(before) == 1 and isinstance(last, exp.Boolean):
            function.set("expressions", before)
            window.set("this", exp.IgnoreNulls(this=function) if last.this else function)


def _call_any(node: exp.Select) -> None:
    """ANY(condition) that nothing is compared with is an aggregate."""
    for part in list(node.find_all(exp.Any)):
        inner = part.this.unnest()
        if not isinstance(part.parent, exp.Binary) and not isinstance(inner, exp.Query):
            part.replace(call("BOOL_OR", inner))
