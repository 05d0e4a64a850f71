"""Functions of text that dialects have and this language says otherwise."""

from sqlglot import exp

from semantics.sql.dialects.nodes import call, whole
from semantics.sql.dialects.window_calls import name_of


def split_index(node: exp.Expr) -> exp.Expr:
    """SPLIT_INDEX(text, separator, i) counts from 0, and is NULL where there are fewer parts."""
    if name_of(node) != "SPLIT_INDEX" or len(node.expressions) != 3:
        return node
    text, separator, place = node.expressions
    if not (isinstance(place, exp.Literal) and place.is_int):
        return node
    without = call("REPLACE", text.copy(), separator.copy(), exp.Literal.string(""))
    separators = exp.Sub(this=call("LENGTH", text.copy()), expression=call("LENGTH", without))
    needed = exp.Mul(this=whole(int(place.name)), expression=call("LENGTH", separator.copy()))
    part = call("SPLIT_PART", text.copy(), separator.copy(), whole(int(place.name) + 1))
    return exp.Case(ifs=[exp.If(this=exp.GTE(this=separators, expression=needed), true=part)])
