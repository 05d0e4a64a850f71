"""Values, rows, names and expressions as one line of text; `semantics.notation.parse` reads it back."""

import re
from collections.abc import Container, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Final, cast

from semantics.errors import SchemaError, TypeMismatch
from semantics.expression import Constant, Expression, Ref
from semantics.notation.parentheses import Language, written
from semantics.schema import Schema
from semantics.scope import Scope
from semantics.temporal import Counted
from semantics.types import TEMPORAL_TYPES
from semantics.value import NULL, Row, Value

_NAMES: Final = {type_.python: type_.value for type_ in TEMPORAL_TYPES}
KEYWORDS: Final = frozenset(
    "and or not is null distinct from in like between escape case when then else end coalesce true false nan inf mod"
    " as now cast try_cast decimal array row".split()
)
"""Words that mean something inside an expression, so that a name that is one of them has to be quoted."""


def show_value(value: Value) -> str:
    """A value that reads back as the same value of the same type.

    >>> [show_value(v) for v in (1, 1.0, "it's", True, None, float("nan"))]
    ['1', '1.0', "'it\\\\'s'", 'true', 'null', 'nan']
    """
    if value is NULL:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value, "'")
    if isinstance(value, tuple):
        return f"[{', '.join(map(show_value, value))}]"
    if isinstance(value, Decimal):
        return f"decimal '{value:f}'"
    if isinstance(value, Counted):
        return f"{_NAMES[type(value)]} '{value.text}'"
    return repr(value)


def show_row(row: Row) -> str:
    """A row in parentheses: `(1, 'a', null)`."""
    return f"({', '.join(show_value(value) for value in row)})"


def show_name(name: str, also: Container[str] = ()) -> str:
    """A plain word as it is, and any other name in quotes; so are keywords, and words that are taken here."""
    taken = name.lower() in KEYWORDS or name.lower() in also
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and not taken
    return name if plain else _quoted(name, '"')


def show_schema(schema: Schema) -> str:
    """The columns in parentheses: `(item int, price float)`."""
    return f"({', '.join(f'{show_name(column.name)} {column.type.value}' for column in schema.columns)})"


def show_expression(expression: Expression, scope: Scope | None = None) -> str:
    """An expression with the names of its scope, or with `$position:type` if none is given."""
    return written(expression, _language(scope))


@contextmanager
def explained(operator: str, scope: Scope) -> Iterator[None]:
    """Let errors of expressions built inside name the operator, the expressions to blame, and the columns."""
    try:
        yield
    except SchemaError as error:
        raise SchemaError(f"{operator}: {error}") from None
    except TypeMismatch as error:
        blamed = ", ".join(show_expression(cast(Expression, operand), scope) for operand in error.operands)
        place = f" ({blamed}); {scope}" if blamed else f"; {scope}"
        raise TypeMismatch(f"{operator}: {error}{place}") from None


def _quoted(text: str, quote: str) -> str:
    return quote + "".join(_escaped(character, quote) for character in text) + quote


def _escaped(character: str, quote: str) -> str:
    if character in (quote, "\\"):
        return "\\" + character
    return character if character.isprintable() else f"\\u{{{ord(character):x}}}"


def _language(scope: Scope | None) -> Language:
    return Language(
        column=lambda ref: _column(ref, scope),
        constant=_constant,
        name=show_name,
        type=lambda type_: type_.value,
        text=show_value,
        word=str.lower,
        now="now",
        modulo="mod",
        is_not=False,
    )


def _constant(constant: Constant) -> str:
    value, type_ = constant.value, constant.type
    if value is NULL:
        return f"null:{type_.value}"
    if isinstance(value, Decimal):
        return f"{type_.value} '{value:f}'"
    return f"{type_.value}{show_value(value)}" if type_.is_nested else show_value(value)


def _column(ref: Ref, scope: Scope | None) -> str:
    if scope is None:
        return f"${ref.index}:{ref.type.value}"
    side, name = scope.label(ref.index)
    return f"{side}.{show_name(name)}" if side else show_name(name)
