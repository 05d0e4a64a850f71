"""What a continuous query means: streams as multisets at every instant, operators at every instant, windows.

>>> from semantics import source, col, count, RawStream, evaluate
>>> bids = source("Bid", item=int, price=float)
>>> plan = bids.window(10).filter(col("price") > 5).group_by("item").aggregate(n=count())
>>> stream = RawStream(bids.schema, [((1, 9.5), 0), ((1, 20.0), 4), ((2, 3.0), 4)])
>>> evaluate(plan, {"Bid": stream}, horizon=20).at(12)
Multiset({(1, 1): 1})

Names are loaded when they are first used: a command that only prints its help needs none of them.
"""

from typing import TYPE_CHECKING

from semantics.lazy_names import lazy_names, never_hidden

if TYPE_CHECKING:
    from semantics.aggregate import AggregateFunction
    from semantics.builder.column_expression import (
        ColumnExpression,
        aggregated,
        avg,
        call,
        case,
        coalesce,
        col,
        count,
        count_distinct,
        left,
        lit,
        max_,
        median,
        min_,
        null,
        right,
        stddev_pop,
        sum_,
        top,
        var_pop,
    )
    from semantics.builder.query import Query, source
    from semantics.errors import (
        ArithmeticOverflow,
        FunctionError,
        NotationError,
        SchemaError,
        SnapeqError,
        StreamError,
        TooManyChanges,
        TypeMismatch,
        Unsupported,
        WindowError,
    )
    from semantics.evaluate import evaluate
    from semantics.expression import Expression, ScalarFunction
    from semantics.multiset import Multiset
    from semantics.notation.parse import parse, parse_expression, parse_plan
    from semantics.notation.show import show
    from semantics.notation.show_expression import show_expression
    from semantics.plan import Plan
    from semantics.schema import Column, Schema
    from semantics.scope import Scope
    from semantics.sparse import SparseStream, evaluate_sparse
    from semantics.stream import (
        IntervalStream,
        LogicalStream,
        RawStream,
        Stream,
        canonical,
        equivalent,
        physical_to_logical,
        raw_to_logical,
        raw_to_physical,
        to_logical,
    )
    from semantics.time import FOREVER, Instant, Interval
    from semantics.value import NULL, Row, Type, Value
else:
    __getattr__ = lazy_names(__name__)

__distribution__ = "snapeq"
__all__ = [
    "FOREVER",
    "NULL",
    "AggregateFunction",
    "ArithmeticOverflow",
    "Column",
    "ColumnExpression",
    "Expression",
    "FunctionError",
    "Instant",
    "Interval",
    "IntervalStream",
    "LogicalStream",
    "Multiset",
    "NotationError",
    "Plan",
    "Query",
    "RawStream",
    "Row",
    "ScalarFunction",
    "Schema",
    "SchemaError",
    "Scope",
    "SnapeqError",
    "SparseStream",
    "Stream",
    "StreamError",
    "TooManyChanges",
    "Type",
    "TypeMismatch",
    "Unsupported",
    "Value",
    "WindowError",
    "aggregated",
    "avg",
    "call",
    "canonical",
    "case",
    "coalesce",
    "col",
    "count",
    "count_distinct",
    "equivalent",
    "evaluate",
    "evaluate_sparse",
    "left",
    "lit",
    "max_",
    "median",
    "min_",
    "null",
    "parse",
    "parse_expression",
    "parse_plan",
    "physical_to_logical",
    "raw_to_logical",
    "raw_to_physical",
    "right",
    "show",
    "show_expression",
    "source",
    "stddev_pop",
    "sum_",
    "to_logical",
    "top",
    "var_pop",
]

never_hidden(__name__, "evaluate")
