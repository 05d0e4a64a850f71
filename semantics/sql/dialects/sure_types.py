"""What the values of an expression are sure to be, where the declarations or the words say it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from semantics.functions.definition import Function
from semantics.functions.table import BY_NAME
from semantics.sql.dialects.own_meanings import field_of
from semantics.sql.dialects.profile import Profile
from semantics.sql.dialects.shapes import Item, owner
from semantics.sql.dialects.window_calls import name_of
from semantics.types import Type

OF_ARGUMENTS: Final = frozenset("SUM MIN MAX MOD ABS COALESCE GREATEST LEAST NULLIF DIV GREATEST_IGNORE_NULLS".split())
"""Calls that are whole numbers if all of their arguments are."""
WHOLE: Final = frozenset(
    (
        "COUNT",
        *(
            name.upper()
            for name, found in BY_NAME.items()
            if isinstance(found, Function) and all(overload.result is Type.INT for overload in found.overloads)
        ),
    )
)
"""Calls that are whole numbers whatever their arguments are."""


@dataclass(frozen=True)
class SureTypes:
    """Asked about expressions over some items of FROM."""

    items: Sequence[Item]
    profile: Profile

    def is_integer(self, node: exp.Expr) -> bool:
        """Is it sure to be a whole number?"""
        match node:
            case exp.Paren() | exp.Neg():
                return self.is_integer(node.this)
            case exp.Literal():
                return bool(node.is_int)
            case exp.Cast():
                return bool(node.to.this in exp.DataType.INTEGER_TYPES)
            case exp.Column():
                return any(i.column(node) is not None and node.name.lower() in i.shape.integers for i in self.items)
            case exp.Add() | exp.Sub() | exp.Mul() | exp.Mod():
                return self.is_integer(node.this) and self.is_integer(node.expression)
            case exp.Case():
                results = [*(branch.args["true"] for branch in node.args["ifs"]), node.args.get("default")]
                return all(self.is_integer(one) for one in results if not isinstance(one, exp.Null | None))
            case exp.Extract():
                return not self.profile.decimal_fields
            case exp.Filter() | exp.Window() | exp.Distinct():
                inner = node.expressions[0] if isinstance(node, exp.Distinct) else node.this
                return self.is_integer(inner)
            case exp.Anonymous() if name_of(node) in ("NEAREST", "NEAREST_EVEN"):
                return True
            case exp.Anonymous() if name_of(node) in OF_ARGUMENTS:
                return all(self.is_integer(one) for one in node.expressions if not isinstance(one, exp.Null))
            case _:
                return name_of(node) in WHOLE

    def has_fraction(self, node: exp.Expr) -> bool:
        """Is it sure to be a number with a fraction?"""
        match node:
            case exp.Paren() | exp.Neg():
                return self.has_fraction(node.this)
            case exp.Literal():
                return not node.is_string and not node.is_int
            case exp.Cast():
                return bool(node.to.this in exp.DataType.REAL_TYPES)
            case exp.Add() | exp.Sub() | exp.Mul() | exp.Div():
                return self.has_fraction(node.this) or self.has_fraction(node.expression)
            case _:
                return self.profile.decimal_fields and bool(field_of(node))

    def is_date(self, node: exp.Expr) -> bool:
        """Is it sure to be a DATE?"""
        if isinstance(node, exp.Cast):
            return bool(node.to.this == exp.DataType.Type.DATE)
        if isinstance(node, exp.Paren):
            return self.is_date(node.this)
        found = owner(self.items, node) if isinstance(node, exp.Column) else None
        return found is not None and node.name.lower() in found.shape.dates
