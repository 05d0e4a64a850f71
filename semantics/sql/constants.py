"""Constants: numbers, texts with a type before them, and CAST, which gives NULL a type."""

import math
from collections.abc import Callable
from typing import Final
from typing import cast as cast_to

from sqlglot import exp

from semantics.casts import cast_value, castable
from semantics.decimals import from_text
from semantics.errors import TypeMismatch
from semantics.expression import Cast, Coalesce, Constant, Expression
from semantics.fold import fold_expression
from semantics.functions.table import call_of
from semantics.how_many import how_many
from semantics.result_types import common_type_of
from semantics.sql.errors import blaming, one_of, wrong
from semantics.sql.grammar.nodes import ArrayOf, TypedText
from semantics.sql.type_names import sql_type, type_named
from semantics.types import PLAIN_TYPES, Type, array_of
from semantics.value import NULL, Value, promoted_to, type_of

SPECIAL: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
LONGEST_WHOLE_NUMBER: Final = 30
"""Characters. Whatever fits into 64 bits is shorter."""


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
    """CAST; NULL, 'NaN' as FLOAT, and arrays and rows of constants become constants."""
    type_, operand, safe = type_named(node.args["to"]), node.this, isinstance(node, exp.TryCast)
    if isinstance(operand, exp.Null):
        return Constant(NULL, type_)
    if isinstance(operand, exp.Literal) and operand.is_string and type_ is Type.FLOAT and operand.name in SPECIAL:
        return Constant(SPECIAL[operand.name], Type.FLOAT)
    if isinstance(operand, ArrayOf | exp.Tuple) and type_.is_nested and _are_constants(operand):
        return Constant(_parts(operand, type_, of), type_)
    value = of(operand)
    if value.type is type_:
        return value
    if (value.type, type_) == (Type.INT, Type.FLOAT):
        return Coalesce((value, Constant(NULL, Type.FLOAT)))
    if not castable(value.type, type_):
        expected = one_of(sql_type(other) for other in PLAIN_TYPES if castable(value.type, other))
        raise wrong(node, f"CAST cannot make {sql_type(type_)} of {sql_type(value.type)}", expected)
    return Cast(value, type_, safe)


def _are_constants(node: exp.Expr) -> bool:
    """Does it hold no column? An array without elements has its type from the CAST alone."""
    return node.find(exp.Column) is None and not any(True for _ in node.find_all(exp.Query))


def _parts(node: exp.Expr, type_: Type, of: Callable[[exp.Expr], Expression]) -> tuple[Value, ...]:
    """The values of ARRAY[…] or ROW(…), each as its type wants it."""
    parts, fields = node.expressions, type_.fields
    types = [type_.element or Type.INT] * len(parts) if fields is None else [field for _, field in fields]
    if len(types) != len(parts):
        raise wrong(
            node, f"a row of {how_many(len(parts), 'value')}", f"{how_many(len(types), 'value')}, one for each field"
        )
    return tuple(_part(part, wanted, of) for part, wanted in zip(parts, types, strict=True))


def _part(node: exp.Expr, type_: Type, of: Callable[[exp.Expr], Expression]) -> Value:
    if isinstance(node, ArrayOf | exp.Tuple) and type_.is_nested:
        return _parts(node, type_, of)
    found = _constant(node, of)
    if found.value is not NULL and not castable(found.type, type_):
        raise wrong(node, f"a {sql_type(found.type)} in a {sql_type(type_)}", sql_type(type_))
    return cast_value(found.value, found.type, type_)


def _constant(node: exp.Expr, of: Callable[[exp.Expr], Expression]) -> Constant:
    found = fold_expression(of(node))
    if not isinstance(found, Constant):
        raise wrong(node, "arrays and rows are made of constants only", "constants")
    return found


def array(node: ArrayOf, alike: Callable[[list[exp.Expr]], list[Expression]]) -> Expression:
    """ARRAY[…] of expressions of one type, NULL is of any; of constants it is one."""
    values = alike(node.expressions) if node.expressions else []
    type_ = common_type_of([value.type for value in values]) if values else None
    if type_ is None:
        raise wrong(node, "the elements of ARRAY[…] must have one type", "CAST(ARRAY[…] AS ARRAY<type>)")
    folded = [fold_expression(value) for value in values]
    if all(isinstance(value, Constant) for value in folded):
        constants = [promoted_to(value.value, type_) for value in folded if isinstance(value, Constant)]
        return Constant(tuple(constants), array_of(type_))
    return cast_to(Expression, call_of("array", values))


def typed_text(node: TypedText) -> Constant:
    """DATE '…', TIMESTAMP '…', TIME '…', DECIMAL(10, 2) '…'."""
    type_, text = type_named(node.args["type"]), node.this.name
    sized = node.args["type"].args.get("numbers")
    try:
        if type_.sizes is None:
            return Constant(type_.python(text), type_)
        number_ = from_text(text)
        return Constant(number_, type_ if sized else type_of(number_) or type_)
    except (ValueError, TypeMismatch) as error:
        raise wrong(node, f"{sql_type(type_)} {text!r}: {error}", f"a text that is a {sql_type(type_)}") from None
