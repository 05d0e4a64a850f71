"""A script of a dialect as a script of this language, with what the dialect takes for granted about its output."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from sqlglot import exp

from semantics.sql.catalogue import NO_STREAM, Catalogue, Declaration
from semantics.sql.dialects.ddl import SourceColumn, SourceTable
from semantics.sql.dialects.known_of_tables import known_of, never_null, targets_first
from semantics.sql.dialects.nodes import Windowing
from semantics.sql.dialects.profile import OutputKind, Profile
from semantics.sql.dialects.queries import Queries
from semantics.sql.dialects.refusals import of_column
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.shapes import LASTING, SETTLED, STREAMED, Shape
from semantics.sql.dialects.sources import computed_value
from semantics.sql.dialects.statements import Statements
from semantics.sql.dialects.type_names import no_type, type_name
from semantics.sql.dialects.window_calls import NAMES, name_of
from semantics.sql.dialects.writing import written
from semantics.sql.errors import SqlError
from semantics.sql.type_names import sql_type

FINAL: Final = ("FINAL", "ON WINDOW CLOSE")
"""What EMIT says where rows of panes are final."""
WINDOW_TIME: Final = NAMES[2]
EVENT_TIME: Final = "event_time"
WINDOW_FUNCTIONS: Final = ("DESCRIPTOR", "TUMBLE", "HOP", "CUMULATE", "SESSION", "WINDOW")


@dataclass(frozen=True)
class Reading:
    """A query of a dialect in this language."""

    dialect: str
    declarations: tuple[str, ...]
    query: str
    kind: OutputKind
    """How the engine writes down the answer by default."""
    watermarks: dict[str, tuple[str, int]] = field(default_factory=dict)
    """For each stream its time column, and the microseconds by which the watermark is behind it."""
    lasting: str = ""
    """The query whose rows stay, where an engine goes on changing the rows of panes and `query` has the final ones."""
    keys: tuple[str, ...] = ()
    """The key of the table that the query fills."""
    input_keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The keys of the tables that it reads: by them a new row of a log of changes replaces an old one."""
    roles: dict[str, str] = field(default_factory=dict)
    """The columns of the answer with the start and the end of a window, or the time of a row, by what they hold."""

    @property
    def text(self) -> str:
        """The whole script in this language."""
        return ";\n".join((*self.declarations, self.query))


def translated(found: Statements, profile: Profile, functions: frozenset[str] = frozenset()) -> Reading:
    """What the statements of a script mean."""
    if found.query is None:
        raise SqlError("there is no query", "SELECT, INSERT INTO … SELECT, or CREATE VIEW … AS SELECT")
    _leave_out_implied(found.query, profile)
    asked = _asked_for(found)
    found.tables = {name: profile.timed(table, asked) for name, table in found.tables.items()}
    scope = Scope(profile, found.tables, found.views, _mentioned(found), asked, profile.unit, functions, found.unknown)
    query, shape = Queries().query(found.query.copy(), scope, STREAMED)
    if profile.views and shape.raw and not shape.paned:
        query, shape = Queries().query(found.query.copy(), scope, SETTLED)
    for name, reason in shape.hidden.items():
        raise of_column(name, reason)
    lasting = _lasting(found, shape, scope)
    query, names = _into_target(query, shape, found)
    used = _used(query, found.tables)
    declared = [
        f"SET TIME UNIT {scope.unit}",
        *(
            [declaration(table, scope) for table in targets_first(used, found.tables)]
            or [f"CREATE TABLE {NO_STREAM}(x BIGINT)"]
        ),
    ]
    return Reading(
        profile.name,
        tuple(declared),
        written(query, pretty=True),
        _kind(shape, profile),
        _watermarks(used, found.query),
        lasting=lasting,
        keys=found.target.keys if found.target is not None else (),
        input_keys={table.name: table.keys for table in used if table.keys},
        roles=_roles(shape, names),
    )


def _watermarks(used: Iterable[SourceTable], query: exp.Expr) -> dict[str, tuple[str, int]]:
    """As the streams declare them; a window with a grace period has a watermark that is so far behind its stream."""
    graces = {
        node.this.name.lower(): node.args["grace"]
        for node in query.find_all(Windowing)
        if isinstance(node.this, exp.Table) and node.args.get("grace") is not None
    }
    delays = {table.name: graces.get(table.name.lower(), table.delay) for table in used}
    return {
        table.name: (table.time, delay) for table in used if table.time and (delay := delays[table.name]) is not None
    }


def _leave_out_implied(query: exp.Expr, profile: Profile) -> None:
    """`*` of the whole query does not stand for columns that nobody declares; inside of it others may ask for them."""
    for item in query.expressions if isinstance(query, exp.Select) and profile.implied else ():
        star = item.this if isinstance(item, exp.Column) else item
        if isinstance(star, exp.Star):
            star.set("except_", [*(star.args.get("except_") or []), *map(exp.to_identifier, profile.implied)])


def _lasting(found: Statements, shape: Shape, scope: Scope) -> str:
    """The query with the rows of all panes so far, for engines that write down how panes change."""
    profile = scope.profile
    if not (shape.raw and shape.paned) or found.query is None or found.emit in FINAL:
        return ""
    if not (profile.views or profile.changes == "upsert"):
        return ""
    query, settled = Queries().query(found.query.copy(), scope, LASTING)
    return written(_into_target(query, settled, found)[0])


def _roles(shape: Shape, names: Sequence[str]) -> dict[str, str]:
    """Which columns of the answer hold times, under the names that they have in the end."""
    held = {name: f"window {role}" for name, role in shape.window.items() if role != "time"}
    if shape.raw and not shape.paned:
        held |= dict.fromkeys(shape.times, "time")
    there = dict(zip((column.lower() for column in shape.columns), names, strict=True))
    return {role: there[name] for name, role in reversed(held.items()) if name in there}


def _kind(shape: Shape, profile: Profile) -> OutputKind:
    """Panes and events are final; what else changes is written down as changes."""
    if shape.raw and shape.paned:
        return "panes"
    return "events" if shape.raw else profile.changes


def _asked_for(found: Statements) -> frozenset[str]:
    """The names of all columns and functions in the queries of a script."""
    queries = [found.query, *(view.query for view in found.views.values())]
    nodes = [node for query in queries if query is not None for node in query.find_all(exp.Column, exp.Anonymous)]
    return frozenset((name_of(node) or node.name).lower() for node in nodes)


def _mentioned(found: Statements) -> frozenset[str] | None:
    """The columns that queries ask for; None where a star, or a list of other names, asks for all of them."""
    names: set[str] = set()
    for query in [found.query, *(view.query for view in found.views.values())]:
        for node in query.walk() if query is not None else ():
            if isinstance(node, exp.Star) and not isinstance(node.parent, exp.Anonymous | exp.Count):
                return None
            if isinstance(node, exp.Table) and node.alias_column_names:
                return None
            if isinstance(node, exp.Column) and not _is_descriptor(node):
                names |= {part.name.lower() for part in node.parts}  # what stands before a field may be a column
            if name_of(node).endswith("_ROWTIME"):
                names.add(WINDOW_TIME)
            if isinstance(node, exp.Window):  # rows that are equal otherwise are told apart by their times
                names |= {table.time.lower() for table in found.tables.values() if table.time}
    return frozenset(names | {name for table in found.tables.values() for name in _needed_by(table, names)})


def _needed_by(table: SourceTable, names: set[str]) -> set[str]:
    """The columns that computed columns need which somebody asks for; the time is now and needs none."""
    asked = [c.computed for c in table.columns if c.computed and c.name != table.time and c.name.lower() in names]
    return {node.name.lower() for one in asked for node in one.find_all(exp.Column) if node.name != table.time}


def _is_descriptor(node: exp.Column) -> bool:
    """Is it only named as the column that windows are about?"""
    parent = node.parent
    if parent is None or isinstance(parent, Windowing):
        return parent is not None
    same_gap = name_of(parent) != "SESSION_WINDOW" or isinstance(parent.expressions[-1], exp.Literal | exp.Interval)
    return name_of(parent).startswith((*WINDOW_FUNCTIONS, "SESSION_WINDOW")) and same_gap


def _into_target(query: exp.Expr, shape: Shape, found: Statements) -> tuple[exp.Expr, Sequence[str]]:
    """The columns of a query under the names of the table that it fills, and these names."""
    filled = [c.name for c in found.target.columns if c.computed is None] if found.target else []
    names = list(found.target_columns) or filled
    if len(names) != len(shape.columns):
        return query, shape.columns
    columns = [exp.to_identifier(name) for name in names]
    inner = exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier("result"), columns=columns))
    values = [_cast(name, found.target.column(name.name)) if found.target else exp.column(name) for name in columns]
    return exp.Select(expressions=values).from_(inner), names


def _cast(name: exp.Identifier, column: SourceColumn | None) -> exp.Expr:
    """A column in the type of the table that it goes into."""
    if column is None or not column.type or column.type[0] in ("ARRAY", "ROW", "MAP", "STRUCT"):
        return exp.column(name.copy())
    cast = exp.Cast(this=exp.column(name.copy()), to=exp.DataType.build(type_name(column.type)))
    return exp.Alias(this=cast, alias=name.copy())


def _used(query: exp.Expr, tables: dict[str, SourceTable]) -> list[SourceTable]:
    names = dict.fromkeys(table.name.lower() for table in query.find_all(exp.Table))
    return [tables[name] for name in names if name in tables]


def declaration(table: SourceTable, scope: Scope) -> str:
    """CREATE STREAM or CREATE TABLE in this language."""
    there = [c for c in table.columns if c.computed is None and not no_type(c.type)]
    columns = [f"{_quoted(c.name)} {type_name(c.type)}" for c in there or table.columns]
    if table.valid:
        return (
            f"CREATE STREAM {_quoted(table.name)}({', '.join(columns)}) VALID ({', '.join(map(_quoted, table.valid))})"
        )
    if table.time is not None and [column.name for column in there] == [
        table.time
    ]:  # a stream has columns beside its time
        return f"CREATE STREAM {_quoted(table.name)}({columns[0]}) ORDERED BY {EVENT_TIME} AS {_quoted(table.time)}"
    if table.time is None:
        marked = [
            column + mark for column, mark in zip(columns, never_null(table, there or table.columns), strict=True)
        ]
        known = known_of(table, [c.name for c in there], scope.tables)
        return f"CREATE TABLE {_quoted(table.name)}({', '.join([*marked, *known])})"
    clock = table.column(table.time)
    ordered = _quoted(table.time)
    if clock is not None and clock.computed is not None:
        ordered = f"{ordered} AS {written(computed_value(clock.computed, table, scope))}"
    return f"CREATE STREAM {_quoted(table.name)}({', '.join(columns)}) ORDERED BY {ordered}"


def _quoted(name: str) -> str:
    return written(exp.to_identifier(name))


def known_tables(catalogue: Catalogue | None) -> dict[str, SourceTable]:
    """What a catalogue declares, as tables of a dialect."""
    if catalogue is None:
        return {}
    declared = [found for found in catalogue.relations.values() if isinstance(found, Declaration)]
    return {found.name.lower(): _as_table(found) for found in declared}


def _as_table(found: Declaration) -> SourceTable:
    types = dict(zip(found.schema.names, found.schema.types, strict=True))
    columns = [
        SourceColumn(name, (sql_type(types[name]),) if name in types else _time_type(name, found))
        for name in found.columns or found.schema.names
    ]
    keys = next((one.columns for one in found.constraints if one.kind == "PRIMARY KEY"), ())
    there = {name for one in found.constraints if one.kind == "NOT NULL" for name in one.columns}
    return SourceTable(
        found.name,
        tuple(replace(column, not_null=column.name in there) for column in columns),
        found.ordered,
        0 if found.ordered else None,
        keys,
        valid=found.valid,
        constraints=tuple(one for one in found.constraints if one.kind in ("UNIQUE", "ONCE", "REFERENCES")),
    )


def _time_type(name: str, found: Declaration) -> tuple[str, ...]:
    return ("TIMESTAMP",) if name in found.timestamps else ("BIGINT",)
