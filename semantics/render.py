"""Values, rows, names and expressions as one line of text; `semantics.parser` reads it back."""

import re
from collections.abc import Container, Iterator
from contextlib import contextmanager
from typing import Final, assert_never, cast

from semantics.errors import SchemaError, TypeMismatch
from semantics.expression import (
    And,
    Arithmetic,
    Call,
    Case,
    Coalesce,
    Comparison,
    Constant,
    Expression,
    In,
    IsDistinct,
    IsNull,
    Like,
    Negation,
    Not,
    Or,
    Ref,
)
from semantics.schema import Schema
from semantics.scope import Scope
from semantics.value import NULL, Row, Value

KEYWORDS: Final = frozenset(
    "and or not is null distinct from in like between escape case when then else end coalesce true false nan inf mod"
    " as".split()
)
"""Words that mean something inside an expression, so that a name that is one of them has to be quoted."""

_OR, _AND, _NOT, _COMPARE, _ADD, _MULTIPLY, _UNARY, _ATOM = range(8)


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
    return repr(value)


def show_row(row: Row) -> str:
    """A row in parentheses: `(1, 'a', null)`."""
    return f"({', '.join(show_value(value) for value in row)})"


def show_name(name: str, also: Container[str] = ()) -> str:
    """A name as it is if it is a plain word that means nothing else, also not here, else in quotes."""
    taken = name.lower() in KEYWORDS or name.lower() in also
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and not taken
    return name if plain else _quoted(name, '"')


def show_schema(schema: Schema) -> str:
    """The columns in parentheses: `(item int, price float)`."""
    return f"({', '.join(f'{show_name(column.name)} {column.type.value}' for column in schema.columns)})"


def show_expression(expression: Expression, scope: Scope | None = None) -> str:
    """An expression with the names of its scope, or with `$position:type` if none is given."""
    return _text(expression, scope, _OR)


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


def _text(expression: Expression, scope: Scope | None, context: int) -> str:
    """The expression, in parentheses if it binds weaker than its context asks for."""
    strength, text = _strength_and_text(expression, scope)
    return f"({text})" if strength < context else text


def _strength_and_text(expression: Expression, scope: Scope | None) -> tuple[int, str]:
    def at(context: int, operand: Expression) -> str:
        return _text(operand, scope, context)

    def listed(operands: tuple[Expression, ...]) -> str:
        return ", ".join(at(_OR, operand) for operand in operands)

    match expression:
        case Ref():
            return _ATOM, _column(expression, scope)
        case Constant(value=None, type=type_):
            return _ATOM, f"null:{type_.value}"
        case Constant(value=value):
            return (_UNARY if show_value(value).startswith("-") else _ATOM), show_value(value)
        case Arithmetic(symbol="+" | "-" as symbol, left=left, right=right):
            return _ADD, f"{at(_ADD, left)} {symbol} {at(_MULTIPLY, right)}"
        case Arithmetic(symbol=symbol, left=left, right=right):
            return _MULTIPLY, f"{at(_MULTIPLY, left)} {symbol.lower()} {at(_UNARY, right)}"
        case Negation(operand=operand):
            return _UNARY, f"-({at(_OR, operand)})"
        case Comparison(symbol=symbol, left=left, right=right):
            return _COMPARE, f"{at(_ADD, left)} {symbol} {at(_ADD, right)}"
        case And(left=left, right=right):
            return _AND, f"{at(_AND, left)} and {at(_NOT, right)}"
        case Or(left=left, right=right):
            return _OR, f"{at(_OR, left)} or {at(_AND, right)}"
        case Not(operand=operand):
            return _NOT, f"not {at(_NOT, operand)}"
        case IsNull(operand=operand):
            return _COMPARE, f"{at(_ADD, operand)} is null"
        case IsDistinct(left=left, right=right):
            return _COMPARE, f"{at(_ADD, left)} is distinct from {at(_ADD, right)}"
        case In(operand=operand, options=options):
            return _COMPARE, f"{at(_ADD, operand)} in ({listed(options)})"
        case Like(operand=operand, pattern=pattern, escape=escape):
            tail = "" if escape is None else f" escape {show_value(escape)}"
            return _COMPARE, f"{at(_ADD, operand)} like {at(_ADD, pattern)}{tail}"
        case Case(branches=branches, default=default):
            whens = " ".join(f"when {at(_OR, condition)} then {at(_OR, result)}" for condition, result in branches)
            return _ATOM, f"case {whens} else {at(_OR, default)} end"
        case Coalesce(operands=operands):
            return _ATOM, f"coalesce({listed(operands)})"
        case Call(function=function, arguments=arguments):
            return _ATOM, f"{show_name(function.name)}({listed(arguments)})"
        case _:
            assert_never(expression)


def _column(ref: Ref, scope: Scope | None) -> str:
    if scope is None:
        return f"${ref.index}:{ref.type.value}"
    side, name = scope.label(ref.index)
    return f"{side}.{show_name(name)}" if side else show_name(name)
