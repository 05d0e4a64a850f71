"""Windows of dialects in this language: panes as samples of RANGE, or windows as arithmetic on times.

A pane [e − w, e) is the snapshot at e − 1 of RANGE w without a slide. Where a query does not keep windows apart, its
rows are wanted at once: then a row comes at its own instant, once for each of its windows.
"""

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from semantics.sql.dialects.group_windows import EVENT_TIME
from semantics.sql.dialects.nodes import OF_EACH_ROW, Held, Windowing, as_type, call, plus, time_now, whole
from semantics.sql.dialects.refusals import NotByEventTime, Refused
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.sessions import sessions_of_stream, sessions_of_table
from semantics.sql.dialects.shapes import Item, Shape
from semantics.sql.dialects.sources import held
from semantics.sql.dialects.window_columns import named, with_window
from semantics.sql.errors import one_of, place, wrong


def windowed(node: Windowing, inner: Item, scope: Scope, *, paned: bool) -> Item:
    """A relation with the columns of its windows."""
    alias = node.args.get("alias")
    name = str(alias.name) if alias is not None else inner.alias
    time = time_of(node, inner)
    by_event_time = inner.shape.raw and time is None
    if node.args.get("apart") and (by_event_time or time is not None):
        inner = _without(inner, node.args["names"])
    size = node.args["size"]
    if node.args["kind"] == "SESSION" and isinstance(size, int) and size <= 0:
        node.set("kind", OF_EACH_ROW)
    paned = paned and node.args["kind"] != OF_EACH_ROW
    made: tuple[exp.Expr, Shape]
    if node.args["kind"] == "SESSION" and by_event_time and isinstance(size, int) and size > 0:
        made = sessions_of_stream(node, inner, scope)
    elif node.args["kind"] == "SESSION":
        made = sessions_of_table(node, held(inner), scope, time or _own_time(inner))
    elif by_event_time and paned:
        made = _panes(node, inner, scope)
    elif by_event_time:
        made = _assigned(node, inner, scope, None)
    else:
        made = _assigned(node, held(inner), scope, time or _column(node, inner))
    block, shape = made
    subquery = exp.Subquery(this=block)
    if name:
        subquery.set("alias", exp.TableAlias(this=exp.to_identifier(name)))
    return Item(subquery, shape, name)


def _without(inner: Item, names: Sequence[str]) -> Item:
    """A relation without the columns of windows inside it, which nobody asks for."""
    kept = tuple(name for name in inner.shape.columns if name.lower() not in names)
    return replace(inner, shape=replace(inner.shape, columns=kept))


def time_of(node: Windowing, inner: Item) -> exp.Column | None:
    """The column that windows are about; None if it is the event time of a stream."""
    column, shape = node.args["time"], inner.shape
    name = column.name.lower()
    if name in shape.hidden:
        raise NotByEventTime(f"a window over {column.name}", shape.hidden[name], place(column))
    if column.name == EVENT_TIME or name in shape.times:
        return None
    if shape.paned and shape.window.get(f"{name}.end") == "end":
        return None
    return _column(node, inner)


def _column(node: Windowing, inner: Item) -> exp.Column:
    column = node.args["time"]
    if not inner.shape.has(column.name):
        raise wrong(column, f"unknown time column {column.name}", one_of(inner.shape.columns))
    return exp.column(exp.to_identifier(column.name))


def _own_time(inner: Item) -> exp.Column:
    """The column with the time of a stream's rows."""
    name = next((name for name in inner.shape.columns if name.lower() in inner.shape.times), None)
    if name is None:
        raise Refused("sessions of gaps that differ", "the time of the stream must be one of its columns here")
    return exp.column(exp.to_identifier(name))


def _lengths(node: Windowing, scope: Scope) -> tuple[int, int, int]:
    """Size, slide and offset in instants."""
    size, slide = (scope.instants(node.args[part], node) for part in ("size", "slide"))
    return size, slide, scope.instants(node.args.get("offset") or 0, node) % slide


def _block(inner: Item, columns: list[exp.Expr], where: exp.Expr | None, window: str | None = None) -> exp.Select:
    block = exp.Select(expressions=[*(exp.column(exp.to_identifier(name)) for name in inner.shape.columns), *columns])
    block.set("from_", exp.From(this=Held(this=inner.node, window=window) if window else inner.node))
    if where is not None:
        block.set("where", exp.Where(this=where))
    return block


def _panes(node: Windowing, inner: Item, scope: Scope) -> tuple[exp.Select, Shape]:
    """Rows at the last instant of each of their windows, whose starts are multiples of the slide behind the offset."""
    size, slide, offset = _lengths(node, scope)
    now, window = time_now(), f"RANGE {size}"
    start: exp.Expr = plus(now, 1 - size)
    if node.args["kind"] == "CUMULATE":
        begun = scope.instants(node.args.get("offset") or 0, node) % size
        window = f"LANDMARK {begun} RESET {size}"
        start = exp.Sub(this=now, expression=call("MOD", plus(now.copy(), (size - begun) % size), whole(size)))
    sample = call("MOD", plus(now.copy(), (1 - offset - size) % slide), whole(slide))
    sampled: exp.Expr = exp.EQ(this=sample, expression=whole(0))
    if node.args.get("since_epoch") and slide < size:
        sampled = exp.and_(sampled, exp.GTE(this=now.copy(), expression=whole(size - 1)), copy=False)
    columns = named(node, scope, scope.as_timestamp(start), scope.timestamp(1), scope.timestamp())
    names = node.args["names"]
    shape = with_window(node, inner.shape, scope, frozenset((names[2].lower(),)), paned=True)
    return _block(inner, columns, None if slide == 1 else sampled, None if size == 1 else window), shape


def _assigned(node: Windowing, inner: Item, scope: Scope, time: exp.Column | None) -> tuple[exp.Select, Shape]:
    """Rows with the columns of their windows; without a time column the time is now."""
    kind = node.args["kind"]
    if kind == OF_EACH_ROW:
        return _own_windows(node, inner, scope, time)
    tick = scope.tick if time is None else 1
    size, slide, offset = (node.args[part] // tick for part in ("size", "slide", "offset"))
    at: exp.Expr = time_now() if time is None else as_type(time, "BIGINT")
    into = scope.as_timestamp if time is None else lambda value: as_type(value, "TIMESTAMP")
    period = size if kind == "CUMULATE" else slide
    first = exp.Sub(this=at, expression=_remainder(at, offset, period))
    number = -(-size // slide)
    if number > 1:
        inner, copy = _copied(inner, number)
    else:
        copy = whole(0)
    one = exp.paren(exp.Mul(this=copy, expression=whole(slide)))
    if kind == "CUMULATE":
        start: exp.Expr = first
        end: exp.Expr = exp.Add(this=first.copy(), expression=exp.paren(plus(one, slide)))
    else:
        start = first if number == 1 else exp.Sub(this=first, expression=one)
        end = plus(start.copy(), size)
    there: list[exp.Expr] = [] if time is None else [exp.Not(this=exp.Is(this=time.copy(), expression=exp.Null()))]
    if number > 1:
        there.append(exp.LT(this=at.copy(), expression=exp.paren(end.copy())))
        if node.args.get("since_epoch"):
            there.append(exp.GTE(this=exp.paren(start.copy()), expression=whole(0)))
    before = 1 if time is None else scope.tick
    columns = named(node, scope, into(start), into(end.copy()), into(plus(end.copy(), -before)))
    where = exp.and_(*there, copy=False) if there else None
    shape = with_window(node, inner.shape, scope, inner.shape.times, paned=False)
    block = _block(inner, columns, where)
    if number > 1:
        shape = replace(shape, columns=tuple(name for name in shape.columns if name != COPY))
        block.set("expressions", [c for c in block.expressions if c.name != COPY])
    return block, shape


COPY = "copy_of_row"


def _copied(inner: Item, number: int) -> tuple[Item, exp.Expr]:
    """Each row so many times, with the number of the copy."""
    rows = [exp.Tuple(expressions=[whole(i)]) for i in range(number)]
    copies = exp.Subquery(this=exp.Values(expressions=rows))
    copies.set("alias", exp.TableAlias(this=exp.to_identifier("copies"), columns=[exp.to_identifier(COPY)]))
    block = exp.Select(expressions=[exp.Star()])
    block.set("from_", exp.From(this=inner.node))
    block.append("joins", exp.Join(this=copies, kind="CROSS"))
    shape = replace(inner.shape, columns=(*inner.shape.columns, COPY))
    node = exp.Subquery(this=block)
    return Item(node, shape, inner.alias), exp.column(exp.to_identifier(COPY))


def _remainder(at: exp.Expr, offset: int, period: int) -> exp.Expr:
    """(at − offset) mod period, from 0 on, also for times before 1970."""
    inner = call("MOD", plus(at.copy(), -(offset % period)), whole(period))
    return call("MOD", plus(inner, period), whole(period))


def _own_windows(node: Windowing, inner: Item, scope: Scope, time: exp.Column | None) -> tuple[exp.Select, Shape]:
    """A session that is not a key of GROUP BY is just the row's own: from its time on, as long as the gap."""
    at: exp.Expr = time_now() if time is None else as_type(time, "BIGINT")
    into = scope.as_timestamp if time is None else lambda value: as_type(value, "TIMESTAMP")
    tick = scope.tick if time is None else 1
    columns = named(node, scope, into(at), into(plus(at.copy(), node.args["size"] // tick)))
    there: exp.Expr | None = None
    if node.args["size"] <= 0:
        there = exp.false()
    elif time is not None:
        there = exp.Not(this=exp.Is(this=time.copy(), expression=exp.Null()))
    return _block(inner, columns, there), with_window(node, inner.shape, scope, inner.shape.times, paned=False)
