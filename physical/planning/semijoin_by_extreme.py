"""Semijoins and antijoins with a single inequality: only the extreme partner matters, and whether one is NULL.

Comparing every left element with all partners takes quadratic time; with the extreme alone there is one partner.
"""

from dataclasses import replace

from semantics import Plan, Type
from semantics import expression as expr
from semantics.aggregate import Aggregate, Max, Min
from semantics.comparison import both_ways
from semantics.expression import Expression
from semantics.plan import Aggregation, Antijoin, Distinct, Semijoin

TRUE = expr.Constant(True, Type.BOOL)


def with_extreme(plan: Plan) -> Plan:
    """The same plan; if it asks whether some right value is beyond a left one, with the largest or least value alone.

    Without a partner there is no extreme, and if all partners are NULL the extreme is NULL: nothing is beyond it, as
    before.

    >>> from semantics import parse_plan, show
    >>> show(with_extreme(parse_plan("antijoin(A(x int), B(y int, z int); x < z)")))
    'antijoin(A(x int), B(y int, z int) | aggregate(max(z) as z) | distinct; x < z)'
    """
    if not isinstance(plan, Semijoin | Antijoin):
        return plan
    condition, here = plan.condition, len(plan.left.schema)
    fails = isinstance(condition, expr.IsDistinct) and condition.right == TRUE
    found = _inequality(condition.left if isinstance(condition, expr.IsDistinct) and fails else condition, here)
    if found is None:
        return plan
    symbol, own, value = found
    return _failing(plan, symbol, own, value) if fails else _holding(plan, symbol, own, value)


def _inequality(condition: Expression, here: int) -> tuple[expr.ComparisonSymbol, Expression, expr.Ref] | None:
    """An inequality of an expression on the left and a column on the right, numbered as in its own schema."""
    ways = (
        both_ways(condition) if isinstance(condition, expr.Comparison) and condition.symbol not in ("=", "<>") else []
    )
    for symbol, own, other in ways:
        if all(ref.index < here for ref in expr.refs(own)) and isinstance(other, expr.Ref) and other.index >= here:
            return symbol, own, expr.Ref(other.index - here, other.type)
    return None


def _holding(plan: Semijoin | Antijoin, symbol: expr.ComparisonSymbol, own: Expression, value: expr.Ref) -> Plan:
    """The inequality holds for some partner iff it holds for the one for which it is easiest."""
    here, name = len(plan.left.schema), plan.right.schema.names[value.index]
    easiest = Max(value) if symbol in ("<", "<=") else Min(value)
    return _with(plan, {name: easiest}, expr.Comparison(symbol, own, expr.Ref(here, value.type)))


def _failing(plan: Semijoin | Antijoin, symbol: expr.ComparisonSymbol, own: Expression, value: expr.Ref) -> Plan:
    """The inequality fails for some partner iff it fails for the one for which it is hardest, or one is NULL."""
    here, name = len(plan.left.schema), plan.right.schema.names[value.index]
    hardest = Min(value) if symbol in ("<", "<=") else Max(value)
    fails = expr.IsDistinct(expr.Comparison(symbol, own, expr.Ref(here, value.type)), TRUE)
    return _with(
        plan, {name: hardest, f"{name} is null": Max(expr.IsNull(value))}, expr.Or(expr.Ref(here + 1, Type.BOOL), fails)
    )


def _with(plan: Semijoin | Antijoin, aggregates: dict[str, Aggregate], condition: Expression) -> Plan:
    """The plan with aggregates in place of its partners; Distinct joins the pieces during which they stay the same."""
    alone = Distinct(Aggregation(plan.right, tuple(aggregates.values()), tuple(aggregates)))
    return replace(plan, right=alone, condition=condition)
