"""A query of one dialect in the words of another, where both mean the same; else what cannot be kept.

Nothing is taken on trust: the text that comes out is read again in its own dialect, and both plans must be equal.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from sqlglot import ErrorLevel, exp

from semantics.plan import Aggregation, Plan
from semantics.sql.dialects.columns import clock_name, is_clock
from semantics.sql.dialects.ddl import SourceTable
from semantics.sql.dialects.durations import UNITS
from semantics.sql.dialects.group_keys import write_out_groups
from semantics.sql.dialects.group_windows import EVENT_TIME, with_windows_in_from
from semantics.sql.dialects.nodes import Windowing, call
from semantics.sql.dialects.profile import Profile
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.registry import OWN, PROFILES, profile_named, read_dialect
from semantics.sql.dialects.statements import StatementReader, Statements
from semantics.sql.dialects.window_calls import NAMES, table_function
from semantics.sql.errors import SqlError, one_of
from semantics.sql.script import parse_script

STANDARD: Final = ("flink", "calcite", "feldera")
"""Dialects with windows as table functions of the standard."""


@dataclass(frozen=True)
class Translation:
    """Text of another dialect, and what it does not say."""

    text: str
    lost: tuple[str, ...] = ()


def translate(text: str, source: str, target: str, declared: str = "") -> Translation:
    """The same query in another dialect.

    >>> ddl = "CREATE TABLE t (k INT, ts TIMESTAMP, WATERMARK FOR ts AS ts);"
    >>> print(translate(ddl + "SELECT k, COUNT(*) AS n FROM t GROUP BY k", "flink", "snapeq").text.splitlines()[-1])
      k
    """
    reading = read_dialect(text, source, declared=declared)
    if target == OWN:
        return Translation(reading.text)
    if target not in PROFILES or source not in PROFILES:
        raise SqlError(f"there is no way from {source} to {target}", one_of((OWN, *PROFILES)))
    found = _statements(text, source, declared)
    query = _rewritten(found, profile_named(source), target)
    tables = [found.tables[name] for name in _used(query, found)]
    lost = tuple(
        f"the watermark of {t.name}: {target} says it elsewhere" for t in tables if _loses_watermark(t, target)
    )
    script = ";\n".join([*(_declaration(table, query, target) for table in tables), _generated(query, target)])
    return Translation(script, (*lost, *_checked_same(reading.text, script, source, target)))


def _statements(text: str, source: str, declared: str) -> Statements:
    known = StatementReader(declared, profile_named(source)).read() if declared.strip() else Statements()
    return StatementReader(text, profile_named(source)).read(known)


def _used(query: exp.Expr, found: Statements) -> list[str]:
    names = dict.fromkeys(table.name.lower() for table in query.find_all(exp.Table) if table.name)
    words = [str(node.name).lower() for node in query.find_all(exp.Var, exp.Column)]
    inside = [word.removeprefix("table ").partition(" ")[0] for word in words]
    return [name for name in dict.fromkeys((*names, *inside)) if name in found.tables]


def _rewritten(found: Statements, profile: Profile, target: str) -> exp.Expr:
    """The query with views in their places and windows as the target writes them."""
    assert found.query is not None
    tree = _with_views(found.query.copy(), found)
    for select in reversed(list(tree.find_all(exp.Select))):
        write_out_groups(select)
        with_windows_in_from(select, profile)
    for table in list(tree.find_all(exp.Table)):
        made = table_function(table) if isinstance(table.this, exp.Anonymous) else None
        if made is not None:
            table.replace(made)
    for windowing in list(tree.find_all(Windowing)):
        _name_time(windowing, found)
    tree = tree.transform(_as_declared, _same_columns(found)).transform(_instant, profile, profile_named(target))
    for windowing in list(tree.find_all(Windowing)):
        _write_window(windowing, target)
    for select in tree.find_all(exp.Select):
        select.set("hint", None)
    return tree


def _name_time(node: Windowing, found: Statements) -> None:
    """A window that names no time column is about that of its stream."""
    table = found.tables.get(node.this.name.lower()) if isinstance(node.this, exp.Table) else None
    if node.args["time"].name == EVENT_TIME and table is not None and table.time is not None:
        node.set("time", exp.column(table.time))


def _same_columns(found: Statements) -> dict[str, str]:
    """Columns that are declared as being just another one, as ROWTIME is."""
    return {
        column.name.lower(): column.computed.name
        for table in found.tables.values()
        for column in table.columns
        if isinstance(column.computed, exp.Column)
    }


def _as_declared(node: exp.Expr, same: dict[str, str]) -> exp.Expr:
    if isinstance(node, exp.Column) and node.name.lower() in same:
        return exp.column(same[node.name.lower()], table=node.table or None)
    return node


def _instant(node: exp.Expr, source: Profile, target: Profile) -> exp.Expr:
    """The instant of the answer, as the target calls it: mz_now(), NOW()."""
    if not is_clock(node) or clock_name(node) not in source.now or not target.now:
        return node
    return node if clock_name(node) in target.now else call(max(target.now))


def _with_views(tree: exp.Expr, found: Statements) -> exp.Expr:
    for table in list(tree.find_all(exp.Table)):
        view = found.views.get(table.name.lower()) if isinstance(table.this, exp.Identifier) else None
        if view is not None and view.query != found.query and not view.columns:
            alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name))
            table.replace(exp.Subquery(this=_with_views(view.query.copy(), found), alias=alias))
    return tree


def _write_window(node: Windowing, target: str) -> None:
    if node.args["kind"] == "CUMULATE" and target != "flink":
        raise Refused("CUMULATE", f"{target} has no windows that grow")
    writers: dict[str, Callable[[Windowing], None]] = {
        **dict.fromkeys(STANDARD, _as_standard),
        "risingwave": _as_function,
        "spark": _as_spark,
        "arroyo": _as_arroyo,
    }
    if not isinstance(node.args["size"], int):
        raise Refused("a gap that rows differ in", "it is not translated")
    if target not in writers:
        raise Refused(f"{node.args['kind']} windows", f"{target} writes them in a way that is not translated")
    writers[target](node)


def _lengths(node: Windowing) -> list[exp.Expr]:
    """Slide or step, size, offset."""
    size, slide, offset = (node.args[part] for part in ("size", "slide", "offset"))
    first = [_interval(slide)] if node.args["kind"] in ("HOP", "CUMULATE") else []
    return [*first, _interval(size), *([_interval(offset)] if offset else [])]


def _interval(length: int) -> exp.Interval:
    unit = next(name for name in ("DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND") if length % UNITS[name] == 0)
    if unit == "MILLISECOND":
        text, unit = f"{length / UNITS['SECOND']:.3f}", "SECOND"
    else:
        text = str(length // UNITS[unit])
    return exp.Interval(this=exp.Literal.string(text), unit=exp.Var(this=unit))


def _as_standard(node: Windowing) -> None:
    relation, keys = node.this, node.args.get("keys") or []
    if isinstance(relation, exp.Table):
        partition = f" PARTITION BY {', '.join(key.sql() for key in keys)}" if keys else ""
        argument: exp.Expr = exp.Var(this=f"TABLE {relation.name}{partition}")
    else:
        argument = exp.Subquery(this=relation.this)
    called = call(node.args["kind"], argument, call("DESCRIPTOR", _time(node)), *_lengths(node))
    node.replace(exp.Table(this=call("TABLE", called), alias=node.args.get("alias")))


def _as_function(node: Windowing) -> None:
    if node.args["kind"] == "SESSION" or not isinstance(node.this, exp.Table):
        raise Refused(
            f"{node.args['kind']} over this relation", "RisingWave has it for named relations, and no SESSION"
        )
    called = call(node.args["kind"], exp.column(node.this.name), _time(node), *_lengths(node))
    node.replace(exp.Table(this=called, alias=node.args.get("alias")))


def _time(node: Windowing) -> exp.Expr:
    time: exp.Expr = node.args["time"]
    if time.name == EVENT_TIME:
        raise Refused("a window that names no time column", "the column is not known here")
    return time.copy()


def _as_spark(node: Windowing) -> None:
    size, slide, offset = (node.args[part] for part in ("size", "slide", "offset"))
    if node.args["kind"] == "SESSION":
        _as_call(node, call("SESSION_WINDOW", _time(node), _text(size)), "session_window")
        return
    further = [_text(slide)] if slide != size or offset else []
    _as_call(node, call("WINDOW", _time(node), _text(size), *further, *([_text(offset)] if offset else [])), "window")


def _text(length: int) -> exp.Literal:
    interval = _interval(length)
    return exp.Literal.string(f"{interval.this.name} {str(interval.args['unit'].name).lower()}s")


def _as_arroyo(node: Windowing) -> None:
    if node.args["offset"]:
        raise Refused("the offset of a window", "Arroyo has none")
    _as_call(node, call(node.args["kind"], *_lengths(node)), "window")


def _as_call(node: Windowing, called: exp.Anonymous, name: str) -> None:
    """A window as a key of GROUP BY, and its bounds as fields of the key."""
    select = node.find_ancestor(exp.Select)
    group = select.args.get("group") if select is not None else None
    keys = [key for key in group.expressions if key.name in NAMES[:2]] if group is not None else []
    if select is None or group is None or not keys or node.parent is not select.args.get("from_"):
        raise Refused("windows whose rows are not grouped by them", "the target assigns windows in GROUP BY")
    rest = [key for key in group.expressions if key not in keys]
    fields = dict(zip(NAMES[:2], ("start", "end"), strict=True))
    select.set("expressions", [_field_item(item, fields, name) for item in select.expressions])
    if select.args.get("having"):
        select.args["having"].set("this", select.args["having"].this.transform(_field, fields, name))
    group.set("expressions", [*rest, called])
    node.replace(node.this)


def _field_item(item: exp.Expr, fields: dict[str, str], name: str) -> exp.Expr:
    made = item.transform(_field, fields, name)
    plain = isinstance(item, exp.Column) and item.name in fields
    return exp.Alias(this=made, alias=exp.to_identifier(item.name)) if plain else made


def _field(node: exp.Expr, fields: dict[str, str], name: str) -> exp.Expr:
    if isinstance(node, exp.Column) and node.name in fields:
        return exp.column(fields[node.name], table=name)
    return node


def _loses_watermark(table: SourceTable, target: str) -> bool:
    return bool(table.delay) and target not in ("flink", "risingwave", "arroyo", "feldera")


def _declaration(table: SourceTable, query: exp.Expr, target: str) -> str:
    """CREATE TABLE of the target, with the time and its watermark where it can say them."""
    syntax = PROFILES[target].syntax()
    columns = []
    for column in table.columns:
        if column.computed is not None and not _asks_for(query, column.name):
            continue
        if column.computed is not None:
            raise Refused(f"the computed column {column.name}", f"it is not translated to {target}")
        type_ = exp.DataType.build(" ".join(column.type), udt=True).sql(dialect=syntax)
        late = f" LATENESS {_interval(table.delay or 0).sql(dialect=syntax)}" * (
            target == "feldera" and column.name == table.time
        )
        columns.append(f"{exp.to_identifier(column.name).sql(dialect=syntax)} {type_}{late}")
    if table.time is not None and target in ("flink", "risingwave", "arroyo"):
        behind = f" - {_interval(table.delay).sql(dialect=syntax)}" if table.delay else ""
        columns.append(f"WATERMARK FOR {table.time} AS {table.time}{behind}")
    name = exp.to_identifier(table.name).sql(dialect=syntax)
    if target == "calcite" and table.time is not None:
        return f"CREATE STREAM {name} ({', '.join(columns)}) ORDERED BY {table.time}"
    return f"CREATE TABLE {name} ({', '.join(columns)})"


def _asks_for(query: exp.Expr, name: str) -> bool:
    """Does a query use a column, perhaps by a star?"""
    starred = any(not isinstance(star.parent, exp.Anonymous) for star in query.find_all(exp.Star))
    return starred or any(column.name.lower() == name.lower() for column in query.find_all(exp.Column))


def _generated(query: exp.Expr, target: str) -> str:
    return query.sql(dialect=PROFILES[target].syntax, pretty=True, unsupported_level=ErrorLevel.IGNORE)


def _checked_same(own: str, script: str, source: str, target: str) -> list[str]:
    """What is lost on the way; apart from that the translation, read again, must mean what the original does."""
    try:
        plan, again = parse_script(own).plan, parse_script(read_dialect(script, target).text).plan
    except SqlError as error:
        raise Refused(f"this query in {target}", error.problem) from None
    if plan == again:
        return []
    begins = [name for name in (source, target) if not profile_named(name).row_for_nothing]
    if len(begins) != 1 or _without_row_for_nothing(plan) != _without_row_for_nothing(again):
        raise Refused(f"this query in {target}", "its words would mean something else there")
    return [f"the row of an aggregate where there is nothing: {begins[0]} has none before the first row comes"]


def _without_row_for_nothing(plan: Plan) -> Plan:
    """The plan without the rows of aggregates over nothing."""
    for node in {node for node in plan.walk() if isinstance(node, Aggregation) and node.on_empty}:
        plan = plan.replaced(node, replace(node, on_empty=False))
    return plan
