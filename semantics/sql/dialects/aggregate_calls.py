"""Aggregates that dialects write as plain calls and this language with clauses of their own."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.nodes import call
from semantics.sql.dialects.window_calls import name_of

PERCENTILES: Final = {"QUANTILE_CONT": "PERCENTILE_CONT", "QUANTILE_DISC": "PERCENTILE_DISC"}
OF_DISTINCT: Final = {"COUNT_DISTINCT": "COUNT", "COLLECT_SET": "ARRAY_AGG"}
RENAMED: Final = {"LIST": "ARRAY_AGG"}
AGGREGATE_CALLS: Final = (*PERCENTILES, *OF_DISTINCT, *RENAMED)


def aggregate_call(node: exp.Expr) -> exp.Expr:
    """The aggregate in this language's words, if it is one of these; else as it is."""
    name = name_of(node)
    if name in PERCENTILES and len(node.expressions) == 2:
        value, share = node.expressions
        order = exp.Order(expressions=[exp.Ordered(this=value, nulls_first=True)])
        return exp.WithinGroup(this=call(PERCENTILES[name], share), expression=order)
    if name in OF_DISTINCT:
        return call(OF_DISTINCT[name], exp.Distinct(expressions=node.expressions))
    return call(RENAMED[name], *node.expressions) if name in RENAMED else node
