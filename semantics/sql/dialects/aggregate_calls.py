"""Aggregates that dialects write as plain calls and this language with clauses of their own."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.nodes import call
from semantics.sql.dialects.window_calls import name_of

PERCENTILES: Final = {"QUANTILE_CONT": "PERCENTILE_CONT", "QUANTILE_DISC": "PERCENTILE_DISC"}
DISTINCT_COUNTS: Final = ("COUNT_DISTINCT",)
RENAMED: Final = {"LIST": "ARRAY_AGG"}
AGGREGATE_CALLS: Final = (*PERCENTILES, *DISTINCT_COUNTS, *RENAMED)


def aggregate_call(node: exp.Expr) -> exp.Expr:
    """The aggregate in this language's words, if it is one of these; else as it is."""
    name = name_of(node)
    if name in PERCENTILES and len(node.expressions) == 2:
        value, share = node.expressions
        order = exp.Order(expressions=[exp.Ordered(this=value, nulls_first=True)])
        return exp.WithinGroup(this=call(PERCENTILES[name], share), expression=order)
    if name in DISTINCT_COUNTS:
        return call("COUNT", exp.Distinct(expressions=node.expressions))
    return call(RENAMED[name], *node.expressions) if name in RENAMED else node
