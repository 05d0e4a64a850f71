"""Functions and operators on text that dialects have and this language says otherwise."""

import re
from typing import Final

from sqlglot import exp

from semantics.sql.dialects.durations import is_duration
from semantics.sql.dialects.nested_values import Path, at_path, has_key, is_json, is_struct, struct
from semantics.sql.dialects.nodes import as_type, call, whole
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.time_calls import check_utc
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.errors import place

BITS: Final[dict[type[exp.Expr], str]] = {
    exp.BitwiseAnd: "BITAND",
    exp.BitwiseOr: "BITOR",
    exp.BitwiseXor: "BITXOR",
    exp.BitwiseLeftShift: "SHIFT_LEFT",
    exp.BitwiseRightShift: "SHIFT_RIGHT",
}
PLAIN_SEPARATOR: Final = re.compile(r"[^\\.*+?|^$()\[\]{}]+")
"""What means the same as a text and as a regular expression."""
PLURALS: Final = tuple("YEARS MONTHS WEEKS DAYS HOURS MINUTES SECONDS MILLISECONDS MICROSECONDS".split())
"""Fields as some write them."""
UNREAD: Final = {
    exp.SimilarTo: "SIMILAR TO",
    exp.RegexpILike: "~*",
    exp.Lambda: "a function as an argument",
}


def check_meaning(node: exp.Expr, dialect: str) -> None:
    """Refuses calls whose name means something else in this language."""
    name = name_of(node)
    if dialect == "spark" and name == "SPLIT":
        separator = node.expressions[1] if len(node.expressions) == 2 else None
        if not (isinstance(separator, exp.Literal) and PLAIN_SEPARATOR.fullmatch(separator.name)):
            raise Refused("SPLIT by a regular expression", "texts are split by constant texts here", place(node))
    if (dialect, name) == ("spark", "INITCAP"):
        raise Refused("INITCAP", "its words end at spaces only; those of this language at all signs", place(node))
    if (dialect, name) == ("spark", "ARRAY_SORT"):
        raise Refused("ARRAY_SORT", "it puts NULL last; SORT_ARRAY puts it first, as this language does", place(node))


def in_own_words(node: exp.Expr) -> exp.Expr:
    """The call or operator in this language's words, if it is one of these; else as it is."""
    if type(node) in UNREAD:
        raise Refused(UNREAD[type(node)], "this language has no such operator", place(node))
    if is_struct(node):
        return struct(node)
    if isinstance(node, exp.Is) and isinstance(node.expression, exp.JSON):
        return is_json(node)
    if isinstance(node, exp.JSONBContainsTopKey):
        return has_key(node)
    if isinstance(node, exp.Add | exp.Sub) and is_duration(node.expression):
        return type(node)(this=node.this, expression=exp.Interval(this=node.expression.copy()))
    if isinstance(node, Path):
        return at_path(node) if not isinstance(node.parent, Path) else node
    if isinstance(node, exp.EQ) and isinstance(node.expression, exp.Any) and not node.expression.find(exp.Query):
        return call("ARRAY_CONTAINS", unnest_paren(node.expression.this), node.this)
    if isinstance(node, exp.Extract) and str(node.this.name).upper() in PLURALS:
        return exp.Extract(this=exp.Var(this=str(node.this.name)[:-1]), expression=node.expression)
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
    arguments: list[exp.Expr] = node.expressions if isinstance(node, exp.Anonymous) else []
    match name_of(node), arguments:
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
        case "GENERATE_SERIES", [first, last]:
            return call("SEQUENCE", first, last, whole(1))
        case "GENERATE_SERIES", [_, _, _]:
            return call("SEQUENCE", *node.expressions)
        case "JSONB_ARRAY_ELEMENTS" | "JSON_ARRAY_ELEMENTS", [value]:
            return call("JSON_ELEMENTS", value)
        case "JSONB_ARRAY_ELEMENTS_TEXT" | "JSON_ARRAY_ELEMENTS_TEXT", [value]:
            return call("JSON_ELEMENTS_TEXT", value)
        case _:
            return node


def _in_zone(node: exp.AtTimeZone) -> exp.Expr:
    """A time without a zone is one in UTC already."""
    check_utc(node.args.get("zone"), node)
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
