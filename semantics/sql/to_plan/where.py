"""WHERE and HAVING: plain conditions filter, subqueries become semijoins and antijoins (Section 5.3, after Dayal)."""

from sqlglot import exp

from semantics.comparison import MIRRORED
from semantics.expression import Comparison, ComparisonSymbol, Expression, IsDistinct, Ref
from semantics.plan import Antijoin, Filter, Semijoin
from semantics.sql.errors import blaming
from semantics.sql.grammar.nodes import is_unranked
from semantics.sql.to_plan.aggregate_calls import called, has_subquery, is_aggregate, is_aggregated
from semantics.sql.to_plan.conjunctions import OPPOSITE, TRUE, conjunction, conjuncts
from semantics.sql.to_plan.expressions import COMPARISON, Expressions, unwrapped
from semantics.sql.to_plan.nullness import column_never_null, never_null
from semantics.sql.to_plan.row_values import parts_of_row, rows_compared
from semantics.sql.to_plan.subqueries.as_columns import value_of
from semantics.sql.to_plan.subqueries.as_joins import Side, existing, side
from semantics.sql.to_plan.subqueries.decorrelate import equated
from semantics.sql.to_plan.visible_columns import Stage


def keep(stage: Stage, node: exp.Expr) -> None:
    """Keep the rows for which a condition is TRUE."""
    if not has_subquery(node):
        stage.plan = Filter(stage.plan, Expressions(stage, value_of).predicate(node))
        return
    parts = list(conjuncts(node))
    plain = [Expressions(stage, value_of).predicate(part) for part in parts if not has_subquery(part)]
    if plain:
        stage.plan = Filter(stage.plan, conjunction(plain))
    for part in parts:
        if has_subquery(part):
            keep_nested(stage, part)


def keep_nested(stage: Stage, node: exp.Expr) -> None:
    """Keep the rows for which a condition with a subquery is TRUE."""
    positive, inner = _negations(node)
    match inner:
        case _ if stage.probing:
            Expressions(stage, value_of).predicate(node)
        case exp.Exists():
            _join(stage, side(stage, existing(inner.this), value_of, values=0), TRUE, some=positive)
        case exp.In() if inner.args.get("query") is not None:
            symbol: ComparisonSymbol = "=" if positive else "<>"
            _quantified(stage, inner.this, symbol, inner.args["query"], some=positive)
        case _ if type(inner) in COMPARISON and isinstance(inner.expression, exp.Any | exp.All):
            some = isinstance(inner.expression, exp.Any) == positive
            symbol = COMPARISON[type(inner)] if positive else OPPOSITE[COMPARISON[type(inner)]]
            _quantified(stage, inner.this, symbol, inner.expression.this, some=some)
        case _ if positive and _is_with_plain_aggregate(inner, stage):
            _compared(stage, inner)
        case _:
            predicate = Expressions(stage, value_of).predicate(node)
            stage.plan = Filter(stage.plan, predicate)


def _negations(node: exp.Expr) -> tuple[bool, exp.Expr]:
    """A condition without the NOTs before it and comparisons with TRUE or FALSE, and whether these cancel out."""
    positive, node = True, unwrapped(node)
    while isinstance(node, exp.Not) or (isinstance(node, exp.EQ) and isinstance(node.expression, exp.Boolean)):
        positive = positive == (isinstance(node, exp.EQ) and bool(node.expression.this))
        node = unwrapped(node.this)
    return positive, node


def _quantified(stage: Stage, operand: exp.Expr, symbol: ComparisonSymbol, query: exp.Expr, *, some: bool) -> None:
    """Rows whose value compares with some value of the subquery, or with all of them."""
    values = [Expressions(stage, value_of).of(part) for part in parts_of_row(operand)]
    other = side(stage, query, value_of, values=len(values))
    with blaming(operand, "a value that can be compared with the subquery's"):
        condition = rows_compared(symbol, values, list(other.values), operand)
    if not some:
        condition = _fails(stage, values[0], symbol, other) if len(values) == 1 else IsDistinct(condition, TRUE)
    _join(stage, other, condition, some=some)


def _fails(stage: Stage, value: Expression, symbol: ComparisonSymbol, other: Side) -> Expression:
    """Where a comparison is not TRUE: it is FALSE, or it is unknown because of a NULL."""
    index = getattr(other.value, "index", 0) - stage.width
    if never_null(value, stage.plan) and index >= 0 and column_never_null(other.plan, index):
        return Comparison(OPPOSITE[symbol], value, other.value)
    return IsDistinct(Comparison(symbol, value, other.value), TRUE)


def _join(stage: Stage, other: Side, condition: Expression, *, some: bool) -> None:
    conditions = [*other.links, *([] if condition == TRUE else [condition])]
    kind = Semijoin if some else Antijoin
    stage.plan = kind(stage.plan, other.plan, conjunction(conditions))


def _is_with_plain_aggregate(node: exp.Expr, stage: Stage) -> bool:
    """Is it a comparison of a value with one aggregate, which is NULL where there is nothing?"""
    if type(node) not in COMPARISON:
        return False
    sides = [unwrapped(node.this), unwrapped(node.expression)]
    nested = [one for one in sides if has_subquery(one)]
    return len(nested) == 1 and isinstance(nested[0], exp.Subquery) and _is_plain_aggregate(nested[0].this, stage)


def _is_plain_aggregate(query: exp.Expr, stage: Stage) -> bool:
    catalogue = stage.context.catalogue
    if not is_unranked(query) or len(query.expressions) != 1 or not is_aggregated(query, catalogue):
        return False
    item = query.expressions[0]
    item = item.this if isinstance(item, exp.Alias) else item
    grouped = query.args.get("grouped")
    is_bare = isinstance(item, exp.Anonymous) and is_aggregate(item, catalogue) and called(item).upper() != "COUNT"
    return is_bare and (grouped is None or not grouped.expressions)


def _aggregate_side(stage: Stage, query: exp.Expr) -> Side:
    """The groups of an aggregate that is equated with outer columns, or whatever else it takes."""
    grouped = None if query.args.get("having") else equated(stage, query, value_of)
    if grouped is None:
        return side(stage, query, value_of, values=1, total=False)
    position = len(grouped.outside)
    value = Ref(stage.width + position, grouped.plan.schema.types[position])
    return Side(grouped.plan, grouped.links(stage.width), (value,))


def _compared(stage: Stage, node: exp.Expr) -> None:
    """A comparison with an aggregate: where there is nothing it is unknown, so a semijoin says the same (Q4)."""
    left, right = unwrapped(node.this), unwrapped(node.expression)
    symbol = COMPARISON[type(node)]
    if has_subquery(left):
        left, right, symbol = right, left, MIRRORED[symbol]
    value = Expressions(stage, value_of).of(left)
    other = _aggregate_side(stage, right.this)
    with blaming(node, "a value that can be compared with the subquery's"):
        condition = Comparison(symbol, value, other.value)
    _join(stage, other, condition, some=True)
