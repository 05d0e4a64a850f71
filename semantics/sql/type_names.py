"""What types are called in the language, and in other languages that mean the same by it."""

from typing import Final

from sqlglot import exp

from semantics.errors import TypeMismatch
from semantics.sql.errors import one_of, wrong
from semantics.sql.grammar.nodes import TypeName
from semantics.sql.names import name_text
from semantics.types import Type, array_of, decimal, row_of

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
    "TIMESTAMP": Type.TIMESTAMP,
    "DATE": Type.DATE,
    "TIME": Type.TIME,
}
"""The types without parameters; the first name of each is the one that is printed."""
OTHER_NAMES: Final = {
    "TINYINT": Type.INT,
    "SMALLINT": Type.INT,
    "LONG": Type.INT,
    "BOOL": Type.BOOL,
    "STRING": Type.STR,
    "CHAR": Type.STR,
    "CHARACTER": Type.STR,
    "DATETIME": Type.TIMESTAMP,
    "TIMESTAMP_NTZ": Type.TIMESTAMP,
    "TIMESTAMP_LTZ": Type.TIMESTAMP,
    "TIMESTAMPTZ": Type.TIMESTAMP,
}
"""What other languages call them. A TIMESTAMP with a time zone is read as one in UTC."""
DECIMALS: Final = ("DECIMAL", "NUMERIC", "DEC")
MONTH_UNITS: Final = ("YEAR", "QUARTER", "MONTH")
KNOWN: Final = (*TYPES, "DECIMAL(p, s)", "INTERVAL …", "ARRAY<…>", "ROW<…>")
DEFAULT_DECIMAL: Final = (10, 0)
FINEST: Final = 6
"""Digits of a second's fraction: microseconds."""


def type_named(node: exp.Expr) -> Type:
    """The type that a name means."""
    try:
        return _type_named(node)
    except TypeMismatch as error:
        raise wrong(node, str(error), one_of(KNOWN)) from None


def _type_named(node: exp.Expr) -> Type:
    if not isinstance(node, TypeName):
        node = TypeName(this=node)
    word, numbers = node.this.name.upper(), [int(number.name) for number in node.args.get("numbers") or ()]
    if word in DECIMALS:
        return decimal(*(numbers or DEFAULT_DECIMAL))
    if word == "INTERVAL":
        return interval_type(node.args.get("units") or [])
    if node.args.get("fields"):
        return row_of(*((field.this.name, type_named(field.args["type"])) for field in node.args["fields"]))
    if word == "ARRAY" and node.expressions:
        return array_of(type_named(node.expressions[0]))
    found = TYPES.get(word) or OTHER_NAMES.get(word)
    if found is None:
        raise wrong(node, f"unknown type {node.this.name}", one_of(KNOWN))
    if found in (Type.TIMESTAMP, Type.TIME) and numbers and numbers[0] > FINEST:
        raise wrong(node, f"{word}({numbers[0]}) is finer than a microsecond", f"{word}({FINEST}) at most")
    return found


def interval_type(units: list[exp.Identifier]) -> Type:
    """Months, or what has a fixed length; an INTERVAL without units has."""
    months = any(unit.name.upper().removesuffix("S") in MONTH_UNITS for unit in units)
    return Type.MONTH_INTERVAL if months else Type.DAY_INTERVAL


def sql_type(type_: Type) -> str:
    """What the language calls a type.

    >>> sql_type(Type.STR), sql_type(array_of(decimal(10, 2))), sql_type(Type.MONTH_INTERVAL)
    ('TEXT', 'ARRAY<DECIMAL(10, 2)>', 'INTERVAL YEAR TO MONTH')
    """
    if type_.is_interval:
        return "INTERVAL YEAR TO MONTH" if type_ is Type.MONTH_INTERVAL else "INTERVAL DAY TO SECOND"
    if type_.element is not None:
        return f"ARRAY<{sql_type(type_.element)}>"
    if type_.fields is not None:
        return f"ROW<{', '.join(f'{name_text(name)} {sql_type(field)}' for name, field in type_.fields)}>"
    return next((name for name, known in TYPES.items() if known is type_), type_.name)
