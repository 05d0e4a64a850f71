"""Functions and operators on text that dialects have and this language says otherwise."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.nested_values import Path, at_path, is_struct, struct
from semantics.sql.dialects.nodes import call, whole
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.errors import place

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
    return _split_index(node) if name_of(node) == "SPLIT_INDEX" else node


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
