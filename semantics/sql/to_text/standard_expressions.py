"""Expressions and aggregates in standard SQL, with all parentheses: other systems bind operators in other ways."""

import math
from collections.abc import Sequence
from typing import Final, assert_never

from semantics import aggregate as aggregates
from semantics import expression as nodes
from semantics.aggregate import Aggregate
from semantics.expression import Constant, Expression
from semantics.sql.to_text.expressions import name_text
from semantics.value import Type

TYPES: Final = {Type.INT: "BIGINT", Type.FLOAT: "DOUBLE PRECISION", Type.BOOL: "BOOLEAN", Type.STR: "VARCHAR"}
Columns = Sequence[str]


def standard_constant(constant: Constant) -> str:
    """A constant of exactly its type: with an exponent, a number is a double, and without one a decimal."""
    value, type_ = constant.value, TYPES[constant.type]
    if value is None:
        return f"CAST(NULL AS {type_})"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, float) and not math.isfinite(value):
        return f"CAST('{'NaN' if math.isnan(value) else 'Infinity' if value > 0 else '-Infinity'}' AS {type_})"
    text = repr(value) if isinstance(value, int) or "e" in repr(value) else f"{value!r}e0"
    return f"({text})" if text.startswith("-") else text


def standard_expression(expression: Expression, columns: Columns) -> str:
    """An expression over columns with these names.

    >>> standard_expression(nodes.Arithmetic("/", nodes.Ref(0, Type.INT), Constant(2, Type.INT)), ["a"])
    '(CAST(a AS DOUBLE PRECISION) / NULLIF(2, 0))'
    """

    def of(part: Expression) -> str:
        return standard_expression(part, columns)

    match expression:
        case nodes.Ref(index=index):
            return columns[index]
        case Constant():
            return standard_constant(expression)
        case nodes.Now():
            raise AssertionError("standard SQL knows no instants of snapshots")
        case nodes.Arithmetic(symbol="/", left=left, right=right):
            return f"(CAST({of(left)} AS DOUBLE PRECISION) / NULLIF({of(right)}, 0))"
        case nodes.Arithmetic(symbol="MOD", left=left, right=right):
            return f"MOD({of(left)}, NULLIF({of(right)}, 0))"
        case nodes.Arithmetic() | nodes.Comparison():
            return f"({of(expression.left)} {expression.symbol} {of(expression.right)})"
        case nodes.And(left=left, right=right):
            return f"({of(left)} AND {of(right)})"
        case nodes.Or(left=left, right=right):
            return f"({of(left)} OR {of(right)})"
        case nodes.Negation(operand=operand):
            return f"(- {of(operand)})"
        case nodes.Not(operand=operand):
            return f"(NOT {of(operand)})"
        case nodes.IsNull(operand=operand):
            return f"({of(operand)} IS NULL)"
        case nodes.IsDistinct(left=left, right=right):
            return f"({of(left)} IS DISTINCT FROM {of(right)})"
        case nodes.In(operand=operand, options=options):
            return f"({of(operand)} IN ({', '.join(map(of, options))}))"
        case nodes.Like(operand=operand, pattern=pattern, escape=escape):
            tail = "" if escape is None else f" ESCAPE {standard_constant(Constant(escape, Type.STR))}"
            return f"({of(operand)} LIKE {of(pattern)}{tail})"
        case nodes.Case(branches=branches, default=default):
            whens = " ".join(f"WHEN {of(when)} THEN {of(then)}" for when, then in branches)
            return f"CASE {whens} ELSE {of(default)} END"
        case nodes.Coalesce(operands=operands):
            return f"COALESCE({', '.join(map(of, operands))})"
        case nodes.Call(function=function, arguments=arguments):
            return f"{name_text(function.name)}({', '.join(map(of, arguments))})"
        case _:
            assert_never(expression)


def standard_aggregate(aggregate: Aggregate, columns: Columns) -> str | None:
    """An aggregate over columns with these names; None if standard SQL has none like it."""
    if aggregate.argument is None:
        return "COUNT(*)"
    argument = standard_expression(aggregate.argument, columns)
    match aggregate:
        case aggregates.Count():
            return f"COUNT({argument})"
        case aggregates.CountDistinct():
            return f"COUNT(DISTINCT {argument})"
        case aggregates.Sum() | aggregates.Min() | aggregates.Max():
            return f"CAST({type(aggregate).__name__.upper()}({argument}) AS {TYPES[aggregate.type]})"
        case aggregates.Avg():
            return f"AVG(CAST({argument} AS DOUBLE PRECISION))"
        case aggregates.VarPop():
            return f"VAR_POP(CAST({argument} AS DOUBLE PRECISION))"
        case aggregates.StddevPop():
            return f"STDDEV_POP(CAST({argument} AS DOUBLE PRECISION))"
        case aggregates.Median():
            return f"PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY CAST({argument} AS DOUBLE PRECISION))"
        case aggregates.Largest() | aggregates.UserDefined():
            return None
        case _:
            assert_never(aggregate)
