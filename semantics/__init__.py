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
    from semantics.builder.aggregate_expression import (
        aggregated,
        avg,
        bit_and,
        bit_or,
        bit_xor,
        corr,
        count,
        count_distinct,
        covar_pop,
        covar_samp,
        max_,
        max_by,
        median,
        min_,
        min_by,
        mode,
        percentile_cont,
        percentile_disc,
        stddev_pop,
        stddev_samp,
        string_agg,
        sum_,
        top,
        var_pop,
        var_samp,
    )
    from semantics.builder.column_expression import (
        ColumnExpression,
        call,
        case,
        cast,
        coalesce,
        col,
        left,
        lit,
        now,
        null,
        right,
        try_cast,
    )
    from semantics.builder.functions import fn
    from semantics.builder.over_functions import dense_rank, first_value, lag, last_value, lead, rank, row_number
    from semantics.builder.query import Query, source
    from semantics.errors import (
        ArithmeticOverflow,
        CastError,
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
    from semantics.temporal import Date, DayInterval, MonthInterval, Time, Timestamp
    from semantics.time import FOREVER, Instant, Interval
    from semantics.types import array_of, decimal, row_of
    from semantics.value import NULL, Row, Type, Value
else:
    __getattr__ = lazy_names(__name__)

__distribution__ = "snapeq"
__all__ = [
    "FOREVER",
    "NULL",
    "AggregateFunction",
    "ArithmeticOverflow",
    "CastError",
    "Column",
    "ColumnExpression",
    "Date",
    "DayInterval",
    "Expression",
    "FunctionError",
    "Instant",
    "Interval",
    "IntervalStream",
    "LogicalStream",
    "MonthInterval",
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
    "Time",
    "Timestamp",
    "TooManyChanges",
    "Type",
    "TypeMismatch",
    "Unsupported",
    "Value",
    "WindowError",
    "aggregated",
    "array_of",
    "avg",
    "bit_and",
    "bit_or",
    "bit_xor",
    "call",
    "canonical",
    "case",
    "cast",
    "coalesce",
    "col",
    "corr",
    "count",
    "count_distinct",
    "covar_pop",
    "covar_samp",
    "decimal",
    "dense_rank",
    "equivalent",
    "evaluate",
    "evaluate_sparse",
    "first_value",
    "fn",
    "lag",
    "last_value",
    "lead",
    "left",
    "lit",
    "max_",
    "max_by",
    "median",
    "min_",
    "min_by",
    "mode",
    "now",
    "null",
    "parse",
    "parse_expression",
    "parse_plan",
    "percentile_cont",
    "percentile_disc",
    "physical_to_logical",
    "rank",
    "raw_to_logical",
    "raw_to_physical",
    "right",
    "row_number",
    "row_of",
    "show",
    "show_expression",
    "source",
    "stddev_pop",
    "stddev_samp",
    "string_agg",
    "sum_",
    "to_logical",
    "top",
    "try_cast",
    "var_pop",
    "var_samp",
]

never_hidden(__name__, "evaluate")
