"""Functions and operators on text that dialects have and this language says otherwise."""

import re
from typing import Final

from sqlglot import exp

from semantics.sql.dialects.nested_values import Path, at_path, is_struct, struct
from semantics.sql.dialects.nodes import as_type, call, whole
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.errors import place

BITS: Final = {
    exp.BitwiseAnd: "BITAND",
    exp.BitwiseOr: "BITOR",
    exp.BitwiseXor: "BITXOR",
    exp.BitwiseLeftShift: "SHIFT_LEFT",
    exp.BitwiseRightShift: "SHIFT_RIGHT",
}
UTC: Final = ("UTC", "GMT", "Z", "ETC/UTC", "+00:00", "UCT", "ZULU")
PLAIN_SEPARATOR: Final = re.compile(r"[^\\.*+?|^$()\[\]{}]+")
"""What means the same as a text and as a regular expression."""
UNREAD: Final = {
    exp.SimilarTo: "SIMILAR TO",
    exp.RegexpILike: "~*",
    exp.Lambda: "a function as an argument",
}


def in_own_words(node: exp.Expr) -> exp.Expr:
    """The call or operator in this language's words, if it is one of these; else as it is."""
    if type(node) in UNREAD:
        raise Refused(UNREAD[type(node)], "this language has no such operator", place(node))
    if is_struct(node):
        return struct(node)
    if isinstance(node, Path):
        return at_path(node) if not isinstance(node.parent, Path) else node
    if isinstance(node, exp.EQ) and isinstance(node.expression, exp.Any) and not node.expression.find(exp.Query):
        return call("ARRAY_CONTAINS", unnest_paren(node.expression.this), node.this)
    if isinstance(node, exp.ILike):
        return exp.Like(this=call("LOWER", node.this), expression=call("LOWER", node.expression))
    if isinstance(node, exp.RegexpLike):
        return call("REGEXP_LIKE", node.this, node.expression)
    if type(node) in BITS:
        return call(BITS[type(node)], node.this, node.expression)
    if isinstance(node, exp.BitwiseNot):
        return call("BITNOT", node.this)
    if isinstance(node, exp.AtTimeZone):
        return _in_zone(node)
    return _called(node)


def _called(node: exp.Expr) -> exp.Expr:
    """Calls that are short for expressions."""
    match name_of(node), node.expressions if isinstance(node, exp.Anonymous) else []:
        case "SPLIT_INDEX", _:
            return _split_index(node)
        case "AS_VALUE", [value]:
            return value
        case "ISNULL", [value]:
            return exp.paren(exp.Is(this=value, expression=exp.Null()))
        case "ISNOTNULL", [value]:
            return exp.paren(exp.Not(this=exp.Is(this=value, expression=exp.Null())))
        case "ELT", [number, *options]:
            ifs = [
                exp.If(this=exp.EQ(this=number.copy(), expression=whole(i)), true=o) for i, o in enumerate(options, 1)
            ]
            return exp.Case(ifs=ifs)
        case "GENERATE_SERIES" | "RANGE", _ if not isinstance(node.parent, exp.Table):
            return call("SEQUENCE", *node.expressions)
        case "JSONB_ARRAY_ELEMENTS" | "JSON_ARRAY_ELEMENTS", [value]:
            return call("JSON_ELEMENTS", value)
        case _:
            return node


def _in_zone(node: exp.AtTimeZone) -> exp.Expr:
    """A time without a zone is one in UTC already."""
    zone = node.args.get("zone")
    if not isinstance(zone, exp.Literal) or zone.name.upper() not in UTC:
        raise Refused("AT TIME ZONE other than UTC", "times are in UTC here", place(node))
    return as_type(node.this, "TIMESTAMP")


def unnest_paren(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, exp.Paren) else node


def _split_index(node: exp.Expr) -> exp.Expr:
    """SPLIT_INDEX(text, separator, i) counts from 0, and is NULL where there are fewer parts."""
    if len(node.expressions) != 3:
        return node
    text, separator, place_ = node.expressions
    if not (isinstance(place_, exp.Literal) and place_.is_int):
        return node
    without = call("REPLACE", text.copy(), separator.copy(), exp.Literal.string(""))
    separators = exp.Sub(this=call("LENGTH", text.copy()), expression=call("LENGTH", without))
    needed = exp.Mul(this=whole(int(place_.name)), expression=call("LENGTH", separator.copy()))
    part = call("SPLIT_PART", text.copy(), separator.copy(), whole(int(place_.name) + 1))
    return exp.Case(ifs=[exp.If(this=exp.GTE(this=separators, expression=needed), true=part)])
