"""Which plans an engine's SQL can say."""

import math

from physical.adapters.sql.dialect import INTERVALS, SqlDialect
from physical.adapters.sql.expressions import parts
from physical.adapters.sql.over import can_be_framed
from semantics import Expression, Plan, Type
from semantics import aggregate as agg
from semantics import expression as expr
from semantics.casts import can_always_be_cast
from semantics.plan import Aggregation, Grouping, Over, SessionWindow, Unnest
from semantics.result_types import sizes


def is_sayable(plan: Plan, dialect: SqlDialect) -> bool:
    """Does the dialect have words for every operator, aggregate and expression of the plan?"""
    return all(_is_sayable(node, dialect) for node in plan.walk())


def _is_sayable(node: Plan, dialect: SqlDialect) -> bool:
    if isinstance(node, SessionWindow | Unnest) or not all(map(dialect.has_type, node.schema.types)):
        return False
    aggregates = node.aggregates if isinstance(node, Aggregation | Grouping) else ()
    if not all(_can_aggregate(aggregate, dialect) for aggregate in aggregates):
        return False
    if isinstance(node, Over) and not all(can_be_framed(f) and dialect.can_compute(f) for f in node.functions):
        return False
    if not dialect.can_be_said(node):
        return False
    return all(_has_words(part, dialect) for root in node.own_expressions for part in parts(root))


def _can_aggregate(aggregate: agg.Aggregate, dialect: SqlDialect) -> bool:
    """A mean of decimals is a decimal here, and has fewer digits there."""
    mean = isinstance(aggregate, agg.Avg) and aggregate.type is not Type.FLOAT
    return type(aggregate) in dialect.aggregates and not mean


def _has_words(part: Expression, dialect: SqlDialect) -> bool:
    if part.type in INTERVALS:
        return isinstance(part, expr.Constant) and part.value is not None and dialect.has_intervals
    if not dialect.has_type(part.type):
        return False
    match part:
        case expr.Call():
            return dialect.template(part) is not None
        case expr.Cast(operand=operand, type=type_, safe=safe):
            known = (operand.type.kind, type_.kind) in dialect.casts
            return known and not safe and can_always_be_cast(operand.type, type_)
        case expr.Like(escape=escape, pattern=pattern):
            literal = isinstance(pattern, expr.Constant) and pattern.value is not None
            return (escape is None or dialect.has_escapes) and (literal or dialect.has_pattern_columns)
        case expr.Arithmetic(symbol="MOD", type=Type.FLOAT):
            return dialect.has_float_modulo
        case expr.Arithmetic(type=type_) if type_.is_decimal:
            return _is_exact(part)
        case expr.Constant(value=float() as value):
            return dialect.has_special_floats or math.isfinite(value)
        case expr.Constant(value=str() as value):
            return dialect.has_nul or "\0" not in value
        case _:
            return True


def _is_exact(part: expr.Arithmetic) -> bool:
    """Sums and products of decimals whose result has as many digits behind the point as the exact one."""
    (_, left), (_, right), (_, found) = (sizes(type_) for type_ in (part.left.type, part.right.type, part.type))
    return {"+": max(left, right), "-": max(left, right), "*": left + right}.get(part.symbol) == found
