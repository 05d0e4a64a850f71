"""Expressions and aggregates as those of Polars."""

from collections.abc import Sequence
from functools import reduce
from operator import add, eq, ge, gt, le, lt, mul, ne, or_, sub
from typing import Any, Final

import polars as pl

from semantics import Expression, Type, Unsupported
from semantics import aggregate as agg
from semantics import expression as expr
from semantics.aggregate import Aggregate

TYPES: Final = {Type.INT: pl.Int64, Type.FLOAT: pl.Float64, Type.BOOL: pl.Boolean, Type.STR: pl.String}
OPERATIONS: Final[dict[str, Any]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "=": eq,
    "<>": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


def frame_expression(expression: Expression, columns: Sequence[str]) -> pl.Expr:
    """An expression over columns with these names; raises Unsupported if there is none."""

    def of(part: Expression, type_: Type | None = None) -> pl.Expr:
        found = frame_expression(part, columns)
        return found.cast(TYPES[type_]) if type_ is not None and type_ is not part.type else found

    def alike(parts: Sequence[Expression]) -> list[pl.Expr]:
        type_ = expr.common_type("comparison", parts)
        return [of(part, type_) for part in parts]

    match expression:
        case expr.Ref(index=index):
            return pl.col(columns[index])
        case expr.Constant(value=value, type=type_):
            return pl.lit(value, dtype=TYPES[type_])
        case expr.Now():
            return pl.col("t")
        case expr.Arithmetic(symbol="/", left=left, right=right):
            divisor = of(right, Type.FLOAT)
            return of(left, Type.FLOAT) / pl.when(divisor != 0).then(divisor)
        case expr.Arithmetic(symbol=symbol, left=left, right=right, type=type_) if symbol in OPERATIONS:
            computed: pl.Expr = OPERATIONS[symbol](of(left, type_), of(right, type_))
            return computed
        case expr.Negation(operand=operand):
            return -of(operand)
        case expr.Comparison(symbol=symbol, left=left, right=right):
            compared: pl.Expr = OPERATIONS[symbol](*alike((left, right)))
            return compared
        case expr.And(left=left, right=right):
            return of(left) & of(right)
        case expr.Or(left=left, right=right):
            return of(left) | of(right)
        case expr.Not(operand=operand):
            return ~of(operand)
        case expr.IsNull(operand=operand):
            return of(operand).is_null()
        case expr.IsDistinct(left=left, right=right):
            first, second = alike((left, right))
            return first.ne_missing(second)
        case expr.In(operand=operand, options=options):
            wanted, *others = alike((operand, *options))
            return reduce(or_, (wanted == other for other in others))
        case expr.Case(branches=branches, default=default, type=type_):
            return _case([(of(when), of(then, type_)) for when, then in branches], of(default, type_))
        case expr.Coalesce(operands=operands, type=type_):
            return pl.coalesce([of(operand, type_) for operand in operands])
        case _:
            raise Unsupported(f"no expression of Polars for {type(expression).__name__}")


def _case(branches: Sequence[tuple[pl.Expr, pl.Expr]], default: pl.Expr) -> pl.Expr:
    for when, then in reversed(branches):
        default = pl.when(when).then(then).otherwise(default)
    return default


def frame_aggregate(aggregate: Aggregate, argument: pl.Expr) -> pl.Expr:
    """An aggregate of a group; raises Unsupported if there is none."""
    floats = argument.cast(pl.Float64)
    match aggregate:
        case agg.CountRows():
            return pl.len().cast(pl.Int64)
        case agg.Count():
            return argument.count().cast(pl.Int64)
        case agg.CountDistinct():
            return argument.drop_nulls().n_unique().cast(pl.Int64)
        case agg.Sum():
            return pl.when(argument.count() > 0).then(argument.sum())  # a sum of nothing is 0 there
        case agg.Avg():
            return floats.mean()
        case agg.Min():
            return argument.min()
        case agg.Max():
            return argument.max()
        case agg.VarPop():
            return floats.var(ddof=0)
        case agg.StddevPop():
            return floats.std(ddof=0)
        case agg.Median():
            return floats.median()
        case _:
            raise Unsupported(f"no aggregate of Polars for {type(aggregate).__name__}")
