"""Which plans an engine's SQL can say."""

import math

from physical.adapters.sql.dialect import SqlDialect
from physical.adapters.sql.expressions import parts
from semantics import Expression, Plan, Type
from semantics import expression as expr
from semantics.plan import Aggregation, Grouping, Over, SessionWindow


def is_sayable(plan: Plan, dialect: SqlDialect) -> bool:
    """Does the dialect have words for every operator, aggregate and expression of the plan?"""
    return all(_is_sayable(node, dialect) for node in plan.walk())


def _is_sayable(node: Plan, dialect: SqlDialect) -> bool:
    if isinstance(node, SessionWindow | Over) or not all(type_ in dialect.types for type_ in node.schema.types):
        return False
    aggregates = node.aggregates if isinstance(node, Aggregation | Grouping) else ()
    if not all(type(aggregate) in dialect.aggregates for aggregate in aggregates):
        return False
    if not dialect.can_be_said(node):
        return False
    return all(_has_words(part, dialect) for root in node.own_expressions for part in parts(root))


def _has_words(part: Expression, dialect: SqlDialect) -> bool:
    if part.type not in dialect.types:
        return False
    match part:
        case expr.Call() | expr.Cast():
            return False
        case expr.Like(escape=escape, pattern=pattern):
            literal = isinstance(pattern, expr.Constant) and pattern.value is not None
            return (escape is None or dialect.has_escapes) and (literal or dialect.has_pattern_columns)
        case expr.Arithmetic(symbol="MOD", type=Type.FLOAT):
            return dialect.has_float_modulo
        case expr.Constant(value=float() as value):
            return dialect.has_special_floats or math.isfinite(value)
        case _:
            return True
