"""ORDERED BY name AS expression: the time of a row, computed from its columns."""

from dataclasses import replace

from sqlglot import exp

from semantics.expression import Expression, mentions_now
from semantics.sql.catalogue import Catalogue, Declaration
from semantics.sql.errors import wrong
from semantics.sql.to_plan.expressions import Expressions
from semantics.sql.to_plan.queries import Queries
from semantics.sql.to_plan.subqueries.as_columns import value_of
from semantics.sql.to_plan.visible_columns import Context, Entry, Rows
from semantics.value import Type


def clocked(declared: Declaration, name: exp.Identifier, node: exp.Expr, catalogue: Catalogue) -> Declaration:
    """A stream whose time, under this name, is the value of an expression over its columns."""
    if any(column.lower() == name.name.lower() for column in declared.schema.names):
        raise wrong(name, f"{name.name} is a column already", "another name for what is computed")
    clock = _clock(declared, node, catalogue)
    timestamps = (name.name,) if clock.type.name == "TIMESTAMP" else ()
    return replace(declared, ordered=name.name, timestamps=timestamps, clock=clock)


def _clock(declared: Declaration, node: exp.Expr, catalogue: Catalogue) -> Expression:
    entries = [Entry(declared.name, c.name, i, c.type) for i, c in enumerate(declared.schema.columns)]
    stage = Rows(declared.plan, entries, Context(catalogue, Queries()), None)
    clock = Expressions(stage, value_of).of(node)
    if stage.plan != declared.plan or mentions_now(clock):
        raise wrong(node, "the time of a row depends on nothing but the row", "an expression over its columns")
    if clock.type is not Type.INT and clock.type.name != "TIMESTAMP":
        raise wrong(node, f"the time of a row is {clock.type.name}", "INT, BIGINT or TIMESTAMP")
    return clock
