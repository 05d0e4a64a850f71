"""Expressions and aggregates in Spark's SQL: the text of our language, with Spark's literals."""

import math
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, Final

from semantics import Expression, Type, Value
from semantics import expression as terms
from semantics.aggregate import Aggregate
from semantics.expression import Ref
from semantics.rebuild import over
from semantics.sql.to_text.aggregates import aggregate_text
from semantics.sql.to_text.expressions import expression_text

SQL_TYPES: Final = {Type.INT: "BIGINT", Type.FLOAT: "DOUBLE", Type.BOOL: "BOOLEAN", Type.STR: "STRING"}
Change = Callable[[Expression], Expression]


def spark_expression(expression: Expression, columns: Sequence[str], *, guarded: bool = False) -> str:
    """An expression over columns with these names; if guarded, no divisor is ever 0.

    >>> spark_expression(terms.Arithmetic("/", Ref(0, Type.INT), terms.Constant(2, Type.INT)), ["a"])
    'a / 2L'
    """
    names = list(columns)
    return expression_text(_prepared(expression, names, guarded), names)


def spark_aggregate(aggregate: Aggregate, columns: Sequence[str], *, guarded: bool = False) -> str:
    """An aggregate over columns with these names."""
    names = list(columns)
    return aggregate_text(over(aggregate, lambda argument: _prepared(argument, names, guarded)), names)


def literal(value: Value, type_: Type) -> str:
    """A constant of exactly this type: to Spark, a bare 1 is an INT of 32 bits and a bare 0.1 a DECIMAL.

    >>> literal(-1, Type.INT), literal(0.1, Type.FLOAT), literal("it's", Type.STR)
    ('(-1L)', '0.1D', "'it\\\\'s'")
    """
    if value is None:
        return f"CAST(NULL AS {SQL_TYPES[type_]})"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and not math.isfinite(value):
        return f"DOUBLE('{value}')"
    text = f"{value!r}{'D' if isinstance(value, float) else 'L'}"
    return f"({text})" if text.startswith("-") else text


def _prepared(expression: Expression, names: list[str], guarded: bool) -> Expression:
    """The expression with a new column for each literal; their texts are appended to the names."""

    def literal_as_column(part: Expression) -> Expression:
        if not isinstance(part, terms.Constant):
            return part
        names.append(literal(part.value, part.type))
        return Ref(len(names) - 1, part.type)

    return rebuilt(rebuilt(expression, _guard) if guarded else expression, literal_as_column)


def _guard(part: Expression) -> Expression:
    """A division whose divisor is NULL where it would be 0."""
    if not isinstance(part, terms.Arithmetic) or part.symbol not in ("/", "MOD"):
        return part
    zero, nothing = terms.Constant(0, Type.INT), terms.Constant(None, part.right.type)
    divisor = terms.Case(((terms.Comparison("=", part.right, zero), nothing),), part.right)
    return terms.Arithmetic(part.symbol, part.left, divisor)


def rebuilt(expression: Expression, change: Change) -> Expression:
    """The expression with every part changed, the innermost first."""
    parts = {field.name: getattr(expression, field.name) for field in fields(expression)}
    if not terms.children(expression):
        return change(expression)
    return change(type(expression)(**{name: _changed(part, change) for name, part in parts.items()}))


def _changed(part: Any, change: Change) -> Any:
    if isinstance(part, Expression):
        return rebuilt(part, change)
    return tuple(_changed(inner, change) for inner in part) if isinstance(part, tuple) else part
