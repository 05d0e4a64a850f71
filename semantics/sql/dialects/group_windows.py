"""Windows that are assigned in SELECT or GROUP BY: moved into FROM, where their columns come from.

Spark writes window(ts, …) and session_window(ts, …), Arroyo tumble(…), older Flink and Calcite TUMBLE(ts, …) with
TUMBLE_START(ts, …) beside it. All calls of one block that assign windows must be the same.
"""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.nodes import OF_EACH_ROW, Windowing
from semantics.sql.dialects.profile import Profile
from semantics.sql.dialects.refusals import PROCESSING_TIME, NotByEventTime, Refused
from semantics.sql.dialects.window_calls import NAMES, name_of, windowing
from semantics.sql.errors import wrong

MARK: Final = "the window"
"""Stands for a call, until it is known what of the window is asked for."""
STRUCTS: Final = ("window", "session_window")
ROLES: Final = dict(zip(("START", "END", "ROWTIME"), NAMES, strict=True))
PARTS: Final = {"start": NAMES[0], "end": NAMES[1]}
DURATIONS: Final = {"WINDOW": (1, 3), "TUMBLE": (1, 2), "HOP": (2, 3), "SESSION": (1, 1), "SESSION_WINDOW": (1, 1)}
"""How many durations a call takes, at least and at most."""
EVENT_TIME: Final = "the event time"
"""The time column of a call that names none: that of its stream."""


def with_windows_in_from(select: exp.Select, profile: Profile) -> exp.Select:
    """The block with the windows that it assigns in FROM; the same block if it assigns none."""
    calls = [call for call in _own_calls(select) if _is_assignment(call, profile)]
    if not calls:
        return select
    _check_alike(calls)
    _name_keys(select)
    apart = not _asks_for_windows_inside(select, profile)
    made = _moved(select, calls[0])
    _windowing_of(made, select).set("apart", apart)
    if _windowing_of(made, select).args["kind"] == "SESSION":
        _set_session_keys(_windowing_of(made, select), select, profile)
    for call in _own_calls(select):
        if _is_assignment(call, profile):
            call.replace(exp.column(MARK))
        elif (role := _auxiliary(call)) is not None:
            call.replace(exp.column(role))
    _resolve(select)
    _group_by_time(select)
    select.set("from_", exp.From(this=made))
    return select


def _asks_for_windows_inside(select: exp.Select, profile: Profile) -> bool:
    """Does the block ask for columns of FROM that are called like those of its own windows?"""
    named = [column for column in select.find_all(exp.Column) if column.name.lower() in NAMES]
    return any(not _is_in_call(column, profile) for column in named if column.find_ancestor(exp.Query) is select)


def _is_in_call(column: exp.Column, profile: Profile) -> bool:
    """Does it stand in TUMBLE(ts, …) or TUMBLE_START(ts, …)?"""
    call = column.find_ancestor(exp.Anonymous)
    return call is not None and (_is_assignment(call, profile) or _auxiliary(call) is not None)


def _group_by_time(select: exp.Select) -> None:
    """TUMBLE_ROWTIME is the same for all rows of a window, so it is a key of the groups, too."""
    group = select.args.get("group")
    if group is not None and any(column.name == NAMES[2] for column in select.find_all(exp.Column)):
        group.append("expressions", exp.column(NAMES[2]))


def _windowing_of(made: exp.Expr, select: exp.Select) -> Windowing:
    if isinstance(made, Windowing):
        return made
    return next(join.this for join in select.args["joins"] if isinstance(join.this, Windowing))


def _set_session_keys(windowing: Windowing, select: exp.Select, profile: Profile) -> None:
    """Sessions are those of a group; a call that is no key of GROUP BY gives every row a session of its own."""
    group = select.args.get("group")
    keys = list(group.expressions) if group is not None else []
    direct = [key for key in keys if name_of(key) in profile.window_calls]
    if not direct:
        windowing.set("kind", OF_EACH_ROW)
        return
    others = [key for key in keys if name_of(key) not in profile.window_calls]
    if not all(isinstance(key, exp.Column) for key in others):
        raise Refused("a session of groups by expressions", "keys must be columns; compute them in a query of FROM")
    windowing.set("keys", [key.copy() for key in others])


def _own_calls(select: exp.Select) -> list[exp.Anonymous]:
    """The calls of a block itself, those around others first."""
    found: list[exp.Anonymous] = []
    for clause in ("expressions", "where", "group", "having", "qualify", "order"):
        part = select.args.get(clause) or []
        for node in part if isinstance(part, list) else [part]:
            found += [call for call in node.find_all(exp.Anonymous) if call.find_ancestor(exp.Query) is select]
    return found


def _is_assignment(call: exp.Anonymous, profile: Profile) -> bool:
    if name_of(call) not in profile.window_calls:
        return False
    parent = call.find_ancestor(exp.Anonymous)
    return parent is None or name_of(parent) not in profile.window_calls


def _auxiliary(call: exp.Anonymous) -> str | None:
    """TUMBLE_START and its kin."""
    kind, _, role = name_of(call).partition("_")
    if kind not in ("TUMBLE", "HOP", "SESSION"):
        return None
    if role == "PROCTIME":
        raise NotByEventTime(name_of(call), PROCESSING_TIME)
    return ROLES.get(role)


def _check_alike(calls: list[exp.Anonymous]) -> None:
    for call in calls[1:]:
        if call.sql().lower() != calls[0].sql().lower():
            raise Refused("two different windows in one SELECT", "each would multiply the rows of the other")


def _name_keys(select: exp.Select) -> None:
    """Keys of GROUP BY that are names or numbers of items with a call, as these items."""
    group = select.args.get("group")
    for key in list(group.expressions) if group else []:
        for i, item in enumerate(select.expressions, 1):
            by_name = isinstance(key, exp.Column) and not key.table and key.name.lower() == item.alias.lower()
            by_place = isinstance(key, exp.Literal) and key.name == str(i)
            value = item.this if isinstance(item, exp.Alias) else item
            if (by_name or by_place) and value.find(exp.Anonymous) and not _is_aggregated(value):
                key.replace(value.copy())


def _is_aggregated(node: exp.Expr) -> bool:
    return name_of(node) in ("COUNT", "SUM", "MIN", "MAX", "AVG")


def _moved(select: exp.Select, call: exp.Anonymous) -> exp.Expr:
    """The relation of FROM with the windows of a call."""
    origin = select.args.get("from_")
    if origin is None:
        raise wrong(call, f"{name_of(call)} needs rows", "FROM")
    relation: exp.Expr = origin.this
    joins: list[exp.Join] = select.args.get("joins") or []
    time = _time_of(call)
    if not joins:
        return assigned(relation, call)
    table = time.table.lower() if isinstance(time, exp.Column) else ""
    for join in joins:
        if table and join.this.alias_or_name.lower() == table:
            join.set("this", assigned(join.this, call))
            return relation
    return assigned(relation, call)


def _time_of(call: exp.Anonymous) -> exp.Expr | None:
    first = call.expressions[0] if call.expressions else None
    return None if isinstance(first, exp.Interval | exp.Literal) else first


def assigned(relation: exp.Expr, call: exp.Anonymous) -> Windowing:
    """The windows of one call over a relation, which keeps its alias."""
    kind, time = name_of(call), _time_of(call)
    lengths = call.expressions if time is None else call.expressions[1:]
    alias = relation.args.get("alias")
    name = alias or exp.TableAlias(this=exp.to_identifier(relation.alias_or_name)) if relation.alias_or_name else None
    if isinstance(time, exp.Anonymous) and name_of(time) in DURATIONS:
        relation = assigned(relation, time)
        relation.set("names", tuple(f"inner_{name}" for name in NAMES))
        time = exp.column(f"inner_{NAMES[2]}")
    if time is None:
        time = exp.column(EVENT_TIME)
    if not isinstance(time, exp.Column):
        inner = exp.Select(
            expressions=[exp.Star(), exp.Alias(this=time.copy(), alias=exp.to_identifier("time_of_row"))]
        )
        inner.set("from_", exp.From(this=relation.copy()))
        relation, time = exp.Subquery(this=inner), exp.column("time_of_row")
    made = _of_kind(kind, relation, time, list(lengths), call)
    made.set("alias", name.copy() if name else None)
    return made


def _of_kind(kind: str, relation: exp.Expr, time: exp.Expr, lengths: list[exp.Expr], call: exp.Anonymous) -> Windowing:
    """Spark: size, slide, start; Flink, Calcite and Arroyo: slide, size."""
    low, high = DURATIONS[kind]
    if not low <= len(lengths) <= high:
        raise wrong(call, f"{kind}: {len(lengths)} durations", f"{low} to {high}")
    match kind:
        case "WINDOW":
            slide, offset = (lengths + [None] * 2)[1:3]
            return windowing("HOP" if slide is not None else "TUMBLE", relation, time, lengths[0], slide, offset)
        case "TUMBLE":
            return windowing("TUMBLE", relation, time, lengths[0], None, _offset(lengths, 1))
        case "HOP":
            return windowing("HOP", relation, time, lengths[1], lengths[0], _offset(lengths, 2))
        case _:
            return windowing("SESSION", relation, time, lengths[0])


def _offset(lengths: list[exp.Expr], place: int) -> exp.Expr | None:
    return lengths[place] if len(lengths) > place else None


def _resolve(select: exp.Select) -> None:
    """What is asked for of the window: its start, its end, or both."""
    for dot in list(select.find_all(exp.Dot)):
        if _is_mark(dot.this) and dot.expression.name.lower() in PARTS:
            dot.replace(exp.column(PARTS[dot.expression.name.lower()]))
    for node in list(select.find_all(exp.Column)):
        if node.find_ancestor(exp.Query) is not select:
            continue
        if node.table.lower() in STRUCTS and node.name.lower() in PARTS:
            replaced = exp.column(PARTS[node.name.lower()])
            is_item = node.parent is select and node.arg_key == "expressions"
            node.replace(exp.Alias(this=replaced, alias=exp.to_identifier(node.name)) if is_item else replaced)
        elif not node.table and node.name.lower() in STRUCTS:
            is_item = node.parent is select and node.arg_key == "expressions"
            name = exp.to_identifier(node.name.lower())
            node.replace(exp.Alias(this=exp.column(MARK), alias=name) if is_item else exp.column(MARK))
    select.set("expressions", [part for item in select.expressions for part in _both(item)])
    group = select.args.get("group")
    if group is not None:
        for mark in [node for node in group.find_all(exp.Column) if _is_mark(node)]:
            _both_as_keys(mark, group)
    if any(_is_mark(node) for node in select.find_all(exp.Column)):
        raise Refused("a window as a value", "start and end are columns of their own here")


def _is_mark(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column) and node.name == MARK


def _both(item: exp.Expr) -> list[exp.Expr]:
    """A window as an item of SELECT, as two columns."""
    value = item.this if isinstance(item, exp.Alias) else item
    if not _is_mark(value):
        return [item]
    name = item.alias or "window"
    return [
        exp.Alias(this=exp.column(column), alias=exp.to_identifier(f"{name}.{part}", quoted=True))
        for part, column in PARTS.items()
    ]


def _both_as_keys(mark: exp.Expr, group: exp.Group) -> None:
    start, end = (exp.column(column) for column in PARTS.values())
    if mark.parent is group and mark.arg_key == "expressions" and not _has_sets(group):
        keys = [other for key in group.expressions for other in ([start, end] if key is mark else [key])]
        group.set("expressions", keys)
    elif isinstance(mark.parent, exp.Tuple):
        tuple_ = mark.parent
        tuple_.set("expressions", [o for key in tuple_.expressions for o in ([start, end] if key is mark else [key])])
    else:
        mark.replace(exp.Tuple(expressions=[start, end]))


def _has_sets(group: exp.Group) -> bool:
    return any(group.args.get(name) for name in ("cube", "rollup"))
