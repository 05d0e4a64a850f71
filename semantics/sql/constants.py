"""Constants: numbers, and CAST, which gives NULL a type and names the floats that have no digits."""

import math
from collections.abc import Callable
from typing import Final

from sqlglot import exp

from semantics.expression import Coalesce, Constant, Expression
from semantics.sql.errors import blaming, one_of, wrong
from semantics.value import NULL, Type

TYPES: Final = {
    "INT": Type.INT,
    "INTEGER": Type.INT,
    "BIGINT": Type.INT,
    "FLOAT": Type.FLOAT,
    "REAL": Type.FLOAT,
    "DOUBLE": Type.FLOAT,
    "BOOLEAN": Type.BOOL,
    "TEXT": Type.STR,
    "VARCHAR": Type.STR,
}
SPECIAL: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
LONGEST_WHOLE_NUMBER: Final = 30
"""Characters. Whatever fits into 64 bits is shorter."""


def type_named(node: exp.Identifier) -> Type:
    """The type that a name means."""
    found = TYPES.get(node.name.upper())
    if found is None:
        raise wrong(node, f"unknown type {node.name}", one_of(TYPES))
    return found


def sql_type(type_: Type) -> str:
    """What the language calls a type.

    >>> sql_type(Type.STR)
    'TEXT'
    """
    return next(name for name, known in TYPES.items() if known is type_)


def number(node: exp.Expr, text: str) -> Constant:
    """A number as it is written: with a dot or an exponent it is a FLOAT."""
    with blaming(node, "a number of 64 bits"):
        if text.lstrip("-").isdigit():
            return Constant(whole_number(node, text), Type.INT)
        if math.isinf(float(text)):
            raise wrong(node, f"{_shortened(text)} is too large", "a number of 64 bits, or CAST('Infinity' AS FLOAT)")
        return Constant(float(text), Type.FLOAT)


def whole_number(node: exp.Expr, text: str) -> int:
    """A whole number as it is written. One of thousands of digits is refused before Python refuses to read it."""
    if len(text) > LONGEST_WHOLE_NUMBER:
        raise wrong(node, f"{_shortened(text)} has {len(text):,} digits", "a number of 64 bits")
    return int(text)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_WHOLE_NUMBER else f"{text[:LONGEST_WHOLE_NUMBER]}…"


def cast(node: exp.Cast, of: Callable[[exp.Expr], Expression]) -> Expression:
    """CAST(NULL AS type), CAST('NaN' AS FLOAT), and an INT as a FLOAT."""
    type_, operand = type_named(node.args["to"]), node.this
    if isinstance(operand, exp.Null):
        return Constant(NULL, type_)
    if isinstance(operand, exp.Literal) and operand.is_string and type_ is Type.FLOAT and operand.name in SPECIAL:
        return Constant(SPECIAL[operand.name], Type.FLOAT)
    value = of(operand)
    if value.type is type_:
        return value
    if (value.type, type_) == (Type.INT, Type.FLOAT):
        return Coalesce((value, Constant(NULL, Type.FLOAT)))
    expected = "NULL of any type, an INT as FLOAT, or one of 'NaN', 'Infinity', '-Infinity' as FLOAT"
    raise wrong(node, f"CAST cannot make {sql_type(type_)} of {sql_type(value.type)}", expected)
