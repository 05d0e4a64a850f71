"""CREATE STREAM and CREATE TABLE: columns, time columns and constraints."""

from collections import Counter
from collections.abc import Iterator

from sqlglot import exp

from semantics.how_many import how_many
from semantics.schema import Column, Schema
from semantics.sql.catalogue import Catalogue, Constraint, Declaration
from semantics.sql.errors import one_of, wrong
from semantics.sql.grammar.nodes import Constrained, CreateStream, Declared
from semantics.sql.to_plan.visible_columns import same
from semantics.sql.type_names import type_named
from semantics.value import Type


def declaration(node: CreateStream, catalogue: Catalogue) -> Declaration:
    """A stream or table; the time columns leave the schema (Remark 3.1)."""
    declared = [part for part in node.expressions if isinstance(part, Declared)]
    _check_columns(declared)
    times = _time_columns(node, declared)
    _check_once(node)
    columns = [Column(part.this.name, type_named(part.args["type"])) for part in declared if part not in times]
    if not columns:
        raise wrong(node, "no column is left beside time", "at least one more column")
    names = [time.this.name for time in times]
    return Declaration(
        node.this.name,
        Schema(tuple(columns)),
        tuple(part.this.name for part in declared),
        ordered=names[0] if names and node.args.get("ordered") else None,
        valid=(names[0], names[1]) if node.args.get("valid") else None,
        timestamps=tuple(time.this.name for time in times if _is_timestamp(time)),
        constraints=tuple(_constraints(node, [column.name for column in columns], catalogue)),
    )


def _check_columns(declared: list[Declared]) -> None:
    twice = [name for name, n in Counter(part.this.name.lower() for part in declared).items() if n > 1]
    for part in reversed(declared):
        if part.this.name.lower() in twice:
            raise wrong(part, f"two columns are called {part.this.name}", "another name")


def _time_columns(node: CreateStream, declared: list[Declared]) -> list[Declared]:
    """The columns that ORDERED BY or VALID name; they are whole numbers or timestamps."""
    ordered, valid = None if node.args.get("clock") else node.args.get("ordered"), node.args.get("valid")
    names = [ordered] if ordered else list(valid or [])
    times = [_declared(name, declared) for name in names]
    if len({id(time) for time in times}) < len(times):
        raise wrong(names[-1], "VALID needs two columns", "another column for the end")
    for time in times:
        kind = time.args["type"]
        if type_named(kind) not in (Type.INT, Type.TIMESTAMP):
            raise wrong(kind, f"time column {time.this.name} is {kind.this.name}", "INT, BIGINT or TIMESTAMP")
    return times


def _check_once(node: CreateStream) -> None:
    """What comes once holds for one instant; rows of tables and interval streams hold for longer."""
    for part in node.find_all(Constrained):
        if part.args["kind"] == "ONCE" and not node.args.get("ordered"):
            raise wrong(part, "ONCE is about streams whose rows hold for one instant", "PRIMARY KEY, or ORDERED BY")


def _declared(name: exp.Identifier, declared: list[Declared]) -> Declared:
    found = next((part for part in declared if same(part.this.name, name)), None)
    if found is None:
        raise wrong(name, f"unknown column {name.name}", one_of(part.this.name for part in declared))
    return found


def _is_timestamp(column: Declared) -> bool:
    return type_named(column.args["type"]) is Type.TIMESTAMP


def _constraints(node: CreateStream, columns: list[str], catalogue: Catalogue) -> Iterator[Constraint]:
    """The constraints of columns and those listed by themselves; about time columns there are none."""
    for part in node.expressions:
        if isinstance(part, Constrained):
            yield _constraint(part, _listed(part.args["columns"], columns), catalogue)
        else:
            for constrained in part.expressions:
                yield _constraint(constrained, _listed([part.this], columns), catalogue)


def _constraint(node: Constrained, columns: tuple[str, ...], catalogue: Catalogue) -> Constraint:
    table, target = node.args.get("table"), node.args.get("target")
    if table is None:
        return Constraint(node.args["kind"], columns)
    found = catalogue.find(table.name, exactly=table.quoted)
    if found is None:
        known = one_of(catalogue.relations) if catalogue.relations else "a CREATE TABLE before it"
        raise wrong(table, f"unknown table {table.name}", known)
    named = _listed(target, list(found.schema.names)) if target else found.schema.names[: len(columns)]
    if len(named) != len(columns):
        raise wrong(
            node, f"{len(columns)} columns refer to {len(named)}", f"{how_many(len(columns), 'column')} of {found.name}"
        )
    return Constraint("REFERENCES", columns, found.name, named)


def _listed(names: list[exp.Identifier], columns: list[str]) -> tuple[str, ...]:
    found = []
    for name in names:
        column = next((column for column in columns if same(column, name)), None)
        if column is None:
            raise wrong(name, f"no constraint can be about {name.name}", one_of(columns))
        found.append(column)
    return tuple(found)
