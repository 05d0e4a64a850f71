"""ARRAY_AGG of engines that keep NULL in arrays, in a language whose aggregates leave NULL out."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.aggregate_calls import aggregate_call
from semantics.sql.dialects.nodes import call, mark_translated
from semantics.sql.dialects.window_calls import name_of

ARRAYS: Final = ("ARRAY_AGG", "LIST", "COLLECT_LIST")


def with_nulls(node: exp.Expr, *, in_frame: bool) -> exp.Expr:
    """An aggregate that makes arrays, or a FILTER of one, so that NULL is an element; any other node as it is."""
    if isinstance(node, exp.Filter) and _is_of_arrays(node.this):
        flat = node.parent is not None and name_of(node.parent) == "FLATTEN"
        return node if flat else call("FLATTEN", node.copy())
    return _of_arrays(node) if name_of(node) in ARRAYS and not in_frame else node


def _of_arrays(node: exp.Expr) -> exp.Expr:
    """ARRAY_AGG(x …) as FLATTEN(ARRAY_AGG(ARRAY[x] …)): no array is NULL, so that none is left out.

    With DISTINCT and an order, values must be ordered by themselves; then NULL is left out.
    """
    made = node.copy()
    value = made.expressions[0] if made.expressions else None
    if value is None or (made.find(exp.Distinct) and made.find(exp.Order)):
        return aggregate_call(node)
    while isinstance(value, exp.Distinct | exp.Order):
        value = value.expressions[0] if isinstance(value, exp.Distinct) else value.this
    value.replace(exp.Array(expressions=[value.copy()]))
    made = aggregate_call(made)
    return mark_translated(made if isinstance(node.parent, exp.Filter) else call("FLATTEN", made))


def _is_of_arrays(node: exp.Expr) -> bool:
    """Is it ARRAY_AGG(ARRAY[x] …)?"""
    return name_of(node) == "ARRAY_AGG" and node.find(exp.Array) is not None
