"""Aggregates that dialects write as plain calls and this language with clauses of their own."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.nodes import call, whole
from semantics.sql.dialects.window_calls import name_of

PERCENTILES: Final = {
    "APPROX_PERCENTILE_CONT": "PERCENTILE_CONT",
    "QUANTILE_CONT": "PERCENTILE_CONT",
    "QUANTILE_DISC": "PERCENTILE_DISC",
}
OF_DISTINCT: Final = {"COUNT_DISTINCT": "COUNT", "COLLECT_SET": "ARRAY_AGG"}
RENAMED: Final = {"LIST": "ARRAY_AGG", "SOME": "BOOL_OR", "VAR": "VAR_SAMP", "APPROX_MEDIAN": "MEDIAN"}
ENDS: Final = {"FIRST": "FIRST_VALUE", "LAST": "LAST_VALUE"}
"""Of rows in a declared order."""
GREATEST: Final = ("TOPK", "TOPKDISTINCT")
AGGREGATE_CALLS: Final = (*PERCENTILES, *OF_DISTINCT, *RENAMED, *GREATEST, "MODE")


def _greatest(value: exp.Expr, number: exp.Expr, *, distinct: bool) -> exp.Expr:
    """ksqlDB's TOPK: an array of so many values, the greatest first."""
    values = exp.Distinct(expressions=[value]) if distinct else value
    return call("ARRAY_SLICE", call("ARRAY_REVERSE", call("ARRAY_AGG", values)), whole(1), number)


def aggregate_call(node: exp.Expr) -> exp.Expr:
    """The aggregate in this language's words, if it is one of these; else as it is."""
    name = name_of(node)
    if name in PERCENTILES and len(node.expressions) == 2:
        value, share = node.expressions
        order = exp.Order(expressions=[exp.Ordered(this=value, nulls_first=True)])
        return exp.WithinGroup(this=call(PERCENTILES[name], share), expression=order)
    if name in GREATEST and len(node.expressions) == 2:
        return _greatest(*node.expressions, distinct=name == "TOPKDISTINCT")
    if isinstance(node, exp.WithinGroup) and name_of(node.this) == "MODE" and not node.this.expressions:
        return call("MODE", node.expression.expressions[0].this)
    if name in OF_DISTINCT:
        return call(OF_DISTINCT[name], exp.Distinct(expressions=node.expressions))
    if name in ENDS and node.find(exp.Order):
        return call(ENDS[name], *node.expressions)
    return call(RENAMED[name], *node.expressions) if name in RENAMED else node
