"""A SELECT with less variety: named frames in place, groups written out, orders that say nothing gone."""

from sqlglot import exp

from semantics.sql.dialects.columns import has_aggregate


def normalised(node: exp.Select) -> exp.Select:
    """The same block; it is changed in place."""
    _inline_frames(node)
    _ask_for_partners(node)
    _number_distinct(node)
    _write_out_groups(node)
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
    for call in list(node.find_all(exp.Window)):
        name = call.args.get("alias")
        frame = frames.get(str(name.name).lower()) if name is not None else None
        if frame is not None:
            for part in ("partition_by", "order", "spec"):
                if frame.args.get(part) is not None:
                    value = frame.args[part]
                    call.set(part, [one.copy() for one in value] if isinstance(value, list) else value.copy())
            call.set("alias", None)
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


def _write_out_groups(node: exp.Select) -> None:
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
    for name, kind in (("cube", exp.Cube), ("rollup", exp.Rollup)):
        if any(not part.expressions for part in group.args.get(name) or []):
            group = exp.Group(expressions=[kind(expressions=[key.copy() for key in group.expressions])])
    node.set("group", exp.Group(expressions=group.expressions))
