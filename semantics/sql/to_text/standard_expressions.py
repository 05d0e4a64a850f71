"""Expressions and aggregates in standard SQL, with all parentheses: other systems bind operators in other ways."""

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final, assert_never

from semantics import aggregate as aggregates
from semantics import expression as nodes
from semantics.aggregate import Aggregate
from semantics.expression import Constant, Expression
from semantics.sql.to_text.expressions import typed_text
from semantics.sql.type_names import sql_type
from semantics.temporal import Counted
from semantics.value import Type

TYPES: Final = {Type.INT: "BIGINT", Type.FLOAT: "DOUBLE PRECISION", Type.BOOL: "BOOLEAN", Type.STR: "VARCHAR"}
Columns = Sequence[str]


def standard_type(type_: Type) -> str:
    """What standard SQL calls a type."""
    return TYPES.get(type_) or sql_type(type_)


def standard_constant(constant: Constant) -> str:
    """A constant of exactly its type: with an exponent, a number is a double, and without one a decimal."""
    value, type_ = constant.value, standard_type(constant.type)
    if value is None:
        return f"CAST(NULL AS {type_})"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, float) and not math.isfinite(value):
        return f"CAST('{'NaN' if math.isnan(value) else 'Infinity' if value > 0 else '-Infinity'}' AS {type_})"
    if isinstance(value, Counted | Decimal):
        return typed_text(value, constant.type) if isinstance(value, Counted) else f"CAST('{value:f}' AS {type_})"
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
        case nodes.Now() | nodes.Call():
            raise AssertionError("standard SQL knows neither instants of snapshots nor these functions")
        case nodes.Arithmetic() if expression.type not in TYPES:
            return f"CAST({_typed(expression, of)} AS {standard_type(expression.type)})"
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
        case nodes.Cast(operand=operand, type=type_, safe=safe):
            return f"{'TRY_CAST' if safe else 'CAST'}({of(operand)} AS {standard_type(type_)})"
        case _:
            assert_never(expression)


def _typed(expression: nodes.Arithmetic, of: Callable[[Expression], str]) -> str:
    """Arithmetic over decimals, points in time and spans; nothing is divided by zero."""
    left, right = of(expression.left), of(expression.right)
    if expression.symbol in ("/", "MOD"):
        right = f"NULLIF({right}, 0)"
    return f"MOD({left}, {right})" if expression.symbol == "MOD" else f"({left} {expression.symbol} {right})"


def standard_aggregate(aggregate: Aggregate, columns: Columns) -> str | None:
    """An aggregate over columns with these names; None if standard SQL has none like it."""
    if isinstance(aggregate, aggregates.OfDistinct):
        return _standard_call(aggregate.function, columns, "DISTINCT ")
    return _standard_call(aggregate, columns, "")


def _standard_call(aggregate: Aggregate, columns: Columns, distinct: str) -> str | None:
    if aggregate.argument is None:
        return "COUNT(*)"
    argument = standard_expression(aggregate.argument, columns)
    name, double = aggregates.name_of(aggregate).upper(), f"CAST({argument} AS DOUBLE PRECISION)"
    match aggregate:
        case aggregates.Count():
            return f"COUNT({argument})"
        case aggregates.CountDistinct(others=()):
            return f"COUNT(DISTINCT {argument})"
        case aggregates.Sum() | aggregates.Min() | aggregates.Max():
            return f"CAST({name}({distinct}{argument}) AS {standard_type(aggregate.type)})"
        case (
            aggregates.Avg()
            | aggregates.VarPop()
            | aggregates.StddevPop()
            | aggregates.VarSamp()
            | aggregates.StddevSamp()
        ):
            return f"{name}({distinct}{double})"
        case aggregates.Paired(other=other):
            return f"{name}({distinct}{double}, CAST({standard_expression(other, columns)} AS DOUBLE PRECISION))"
        case aggregates.Median() if not distinct:
            return f"PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {double})"
        case aggregates.Percentile(fraction=fraction, discrete=False) if not distinct:
            return f"{name}({aggregates.decimal_text(fraction)}) WITHIN GROUP (ORDER BY {double})"
        case (
            aggregates.CountRows()
            | aggregates.CountDistinct()
            | aggregates.Median()
            | aggregates.Percentile()
            | aggregates.Mode()
            | aggregates.Bitwise()
            | aggregates.ExtremeBy()
            | aggregates.Listed()
            | aggregates.Largest()
            | aggregates.UserDefined()
            | aggregates.OfDistinct()
        ):
            return None
        case _:
            assert_never(aggregate)
