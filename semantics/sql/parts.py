"""Rows and their fields: ROW(…), r.a."""

from collections.abc import Sequence
from typing import cast

from sqlglot import exp

from semantics.expression import Constant, Expression
from semantics.functions.table import call_of
from semantics.sql.errors import one_of, wrong
from semantics.types import Type


def row_value(values: Sequence[Expression]) -> Expression:
    """ROW(…): fields without names are f1, f2, …"""
    named = [part for i, value in enumerate(values, 1) for part in (Constant(f"f{i}", Type.STR), value)]
    return cast(Expression, call_of("named_row", named))


def field_of(of: Expression, name: exp.Identifier) -> Expression:
    """The field of a row with this name; upper and lower case matter only where there is an exact match."""
    fields = [field for field, _ in of.type.fields or ()]
    if not fields:
        raise wrong(name, f"{of.type.name} has no field {name.name}", "a value of a ROW before the dot")
    alike = [field for field in fields if not name.quoted and field.lower() == name.name.lower()]
    found = [field for field in fields if field == name.name] or alike
    if len(found) != 1:
        raise wrong(name, f"{of.type.name} has no field {name.name}", one_of(fields))
    return cast(Expression, call_of("field", [of, Constant(found[0], Type.STR)]))
