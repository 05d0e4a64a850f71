"""Expressions and names as text of the language; parsing gives the same expression again."""

import math
from collections.abc import Sequence
from decimal import Decimal

from semantics.casts import value_text
from semantics.expression import Cast, Constant, Expression, children
from semantics.notation.parentheses import Language, written
from semantics.rebuild import with_children
from semantics.sql.names import name_text
from semantics.sql.type_names import sql_type
from semantics.temporal import Counted
from semantics.types import Type
from semantics.value import Value


def constant_text(constant: Constant) -> str:
    """A constant that keeps its type: NULL and the floats without digits need CAST."""
    value: Value = constant.value
    if value is None:
        return f"CAST(NULL AS {sql_type(constant.type)})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return text_literal(value)
    if isinstance(value, float) and not math.isfinite(value):
        shown = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return f"CAST('{shown}' AS FLOAT)"
    if isinstance(value, Counted | Decimal):
        return typed_text(value, constant.type)
    if isinstance(value, tuple):
        return f"CAST({_parts(value, constant.type)} AS {sql_type(constant.type)})"
    return repr(value)


def typed_text(value: Counted | Decimal, type_: Type) -> str:
    """A constant that names its type, and a text.

    >>> from semantics.temporal import DayInterval
    >>> from semantics.types import decimal
    >>> typed_text(DayInterval("0 00:05:00"), Type.DAY_INTERVAL), typed_text(Decimal("1.50"), decimal(5, 2))
    ("INTERVAL '0 00:05:00' DAY TO SECOND", "DECIMAL(5, 2) '1.50'")
    """
    name, *units = sql_type(type_).split(" ") if type_.is_interval else (sql_type(type_),)
    return " ".join([name, f"'{value_text(value)}'", *units])


def _parts(values: tuple[Value, ...], type_: Type) -> str:
    """ARRAY[…] or ROW(…)."""
    if type_.element is not None:
        return f"ARRAY[{', '.join(constant_text(Constant(value, type_.element)) for value in values)}]"
    pairs = zip(values, type_.fields or (), strict=True)
    return f"ROW({', '.join(constant_text(Constant(value, field)) for value, (_, field) in pairs)})"


def expression_text(expression: Expression, columns: Sequence[str]) -> str:
    """An expression over columns with these names."""
    language = Language(
        column=lambda ref: columns[ref.index],
        constant=constant_text,
        name=name_text,
        type=sql_type,
        text=text_literal,
        word=str.upper,
        now="NOW()",
        modulo="%",
        is_not=True,
    )
    return written(_explicit(expression), language)


def _explicit(expression: Expression) -> Expression:
    """A FLOAT beside a DECIMAL as CAST(… AS FLOAT): a number with a point would be read as a DECIMAL there."""
    parts = [_explicit(part) for part in children(expression)]
    if not parts:
        return expression
    if any(part.type.is_decimal for part in parts):
        parts = [Cast(part, Type.FLOAT) if _is_float(part) else part for part in parts]
    return with_children(expression, parts)


def _is_float(part: Expression) -> bool:
    return isinstance(part, Constant) and isinstance(part.value, float) and math.isfinite(part.value)


def text_literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
