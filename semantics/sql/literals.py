"""Constants that take their type from what they meet: 1.5 beside a DECIMAL, '2024-01-31' beside a DATE."""

from collections.abc import Sequence

from sqlglot import exp

from semantics.decimals import LARGEST_PRECISION, from_text, sizes_of
from semantics.expression import Constant, Expression
from semantics.sql.errors import wrong
from semantics.sql.type_names import sql_type
from semantics.types import Type, decimal

DATED: tuple[Type, ...] = (Type.TIMESTAMP, Type.DATE, Type.TIME)


def as_meant(nodes: Sequence[exp.Expr], values: Sequence[Expression]) -> list[Expression]:
    """The values, with constants as what the others make of them; nothing changes among INT, FLOAT, BOOL and TEXT."""
    types = [value.type for value in values]
    dated = next((type_ for type_ in types if type_ in DATED), None)
    exact = any(type_.is_decimal for type_ in types)
    if dated is None and not exact:
        return list(values)
    pairs = zip(nodes, values, strict=True)
    return [_dated(node, value, dated) if dated else _exact(node, value) for node, value in pairs]


def _dated(node: exp.Expr, value: Expression, type_: Type) -> Expression:
    if not (isinstance(node, exp.Literal) and node.is_string):
        return value
    try:
        return Constant(type_.python(node.name), type_)
    except ValueError as error:
        expected = f"a text that is a {sql_type(type_)}, as it meets one"
        raise wrong(node, f"{node.name!r}: {error}", expected) from None


def _exact(node: exp.Expr, value: Expression) -> Expression:
    """A number with a point and without an exponent is a DECIMAL, digit by digit."""
    sign, literal = ("-", node.this) if isinstance(node, exp.Neg) else ("", node)
    if not isinstance(literal, exp.Literal) or literal.is_string or value.type is not Type.FLOAT:
        return value
    if "e" in literal.name.lower():
        return value
    number = from_text(sign + literal.name)
    precision, scale = sizes_of(number)
    return Constant(number, decimal(precision, scale)) if precision <= LARGEST_PRECISION else value
