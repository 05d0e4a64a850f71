"""Correlated aggregates whose outer columns are only equated with inner ones: the textbook's way.

`(SELECT MAX(b.v) FROM b WHERE b.k = a.k)` is b grouped by k, joined with a on k. Where this does not fit, the general
way of `semantics.sql.to_plan.subqueries.as_joins` does.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp

from semantics.aggregate import COUNTS
from semantics.expression import Coalesce, Comparison, Constant, Expression, Ref
from semantics.plan import Plan
from semantics.sql.grammar.nodes import Block, Grouped, is_unranked
from semantics.sql.to_plan.aggregate_calls import (
    aggregate_calls,
    called,
    has_subquery,
    is_aggregated,
)
from semantics.sql.to_plan.called_aggregate import aggregate
from semantics.sql.to_plan.column_names import item_of
from semantics.sql.to_plan.conjunctions import conjuncts
from semantics.sql.to_plan.expressions import Expressions, Nested, unwrapped
from semantics.sql.to_plan.part import fresh
from semantics.sql.to_plan.visible_columns import Outer, Rows, Stage
from semantics.value import Type


@dataclass(frozen=True)
class Equated:
    """The inner rows grouped by what is equated, what it is equated with, and the aggregates behind the keys."""

    plan: Plan
    outside: tuple[Expression, ...]
    calls: tuple[exp.Anonymous, ...]
    counts: tuple[bool, ...]

    def links(self, width: int) -> tuple[Expression, ...]:
        """The equations, for a left side of this width."""
        keys = (Ref(width + i, type_) for i, type_ in enumerate(self.plan.schema.types))
        return tuple(Comparison("=", one, key) for one, key in zip(self.outside, keys, strict=False))

    def value(self, call: exp.Expr, width: int) -> Expression | None:
        """A call's value behind an outer join on the equations: without a partner a count is 0."""
        for i, other in enumerate(self.calls):
            if other is call or other == call:
                position = len(self.outside) + i
                ref = Ref(width + position, self.plan.schema.types[position])
                return Coalesce((ref, Constant(0, Type.INT))) if self.counts[i] else ref
        return None


class Attached(Stage):
    """A stage to which an equated aggregate has been joined."""

    def __init__(self, stage: Stage, aggregates: Equated, width: int) -> None:
        super().__init__(stage.plan, stage.context, stage.outer)
        self.aggregates = aggregates
        self.before = width

    def own(self, node: exp.Column) -> Expression | None:  # noqa: ARG002  # all columns are inside the aggregates
        return None

    def known(self, node: exp.Expr) -> Expression | None:
        return self.aggregates.value(node, self.before)


def equated(stage: Stage, query: exp.Expr, nested: Nested) -> Equated | None:
    """The subquery as groups, if its outer columns stand in equations of WHERE only."""
    if not _is_total(query, stage):
        return None
    relations, where = query.args["relations"], query.args.get("where")
    rows = stage.context.translator.rows(relations, [], stage.context, Outer(stage))
    outputs = [*query.expressions, *([query.args["having"]] if query.args.get("having") else [])]
    if not all(_is_inside(node, rows) for node in outputs):
        return None
    conditions = list(conjuncts(where)) if where else []
    inside = [condition for condition in conditions if _is_inside(condition, rows)]
    equations = [_equation(condition, rows) for condition in conditions if condition not in inside]
    pairs = [equation for equation in equations if equation]
    if not pairs or len(pairs) < len(equations):
        return None
    return _grouped(stage, query, inside, pairs, nested)


def _is_total(query: exp.Expr, stage: Stage) -> bool:
    """Is it a block of aggregates without keys?"""
    if not is_unranked(query) or len(query.expressions) != 1:
        return False
    if not is_aggregated(query, stage.context.catalogue):
        return False
    clause = query.args.get("grouped")
    return clause is None or not clause.expressions


def _is_inside(node: exp.Expr, rows: Rows) -> bool:
    """Are all columns those of the subquery's own rows?"""
    return not has_subquery(node) and all(rows.own(column) is not None for column in node.find_all(exp.Column))


def _is_outside(node: exp.Expr, rows: Rows) -> bool:
    return not has_subquery(node) and all(rows.own(column) is None for column in node.find_all(exp.Column))


def _equation(node: exp.Expr, rows: Rows) -> tuple[exp.Expr, exp.Expr] | None:
    """(inner, outer) of an equation between the two."""
    if not isinstance(node, exp.EQ) or has_subquery(node):
        return None
    for inner, outer in ((node.this, node.expression), (node.expression, node.this)):
        if _is_inside(inner, rows) and inner.find(exp.Column) and _is_outside(outer, rows):
            return inner, outer
    return None


def _grouped(
    stage: Stage, query: exp.Expr, inside: list[exp.Expr], pairs: list[tuple[exp.Expr, exp.Expr]], nested: Nested
) -> Equated:
    """The block that groups by the inner sides, planned as any other."""
    catalogue = stage.context.catalogue
    having = query.args.get("having")
    found = [
        call
        for node in [*query.expressions, *([having] if having else [])]
        for call in aggregate_calls(node, catalogue)
    ]
    calls = [call for i, call in enumerate(found) if call not in found[:i]]
    keys = [inner for inner, _ in pairs]
    block = Block(
        expressions=_named([*keys, *calls]),
        relations=query.args["relations"].copy(),
        where=_all(inside),
        grouped=Grouped(expressions=[key.copy() for key in keys]),
    )
    plan = stage.context.translator.plan(block, stage.context, Outer(stage), total=False)
    outside = tuple(Expressions(stage, nested).of(outer) for _, outer in pairs)
    rows = stage.context.translator.rows(query.args["relations"], [], stage.context, Outer(stage))
    kinds = [aggregate(call, Expressions(rows, nested).of, catalogue) for call in calls]
    return Equated(plan, outside, tuple(calls), tuple(isinstance(kind, COUNTS) for kind in kinds))


def _named(nodes: list[exp.Expr]) -> list[exp.Expr]:
    """Items with names that differ: a column's own, a function's, or one made up."""
    taken: set[str] = set()
    items = []
    for node in nodes:
        plain = unwrapped(node)
        name = called(plain).lower() if isinstance(plain, exp.Anonymous) else plain.name or "key"
        taken.add(name := fresh(name, taken))
        items.append(exp.Alias(this=node.copy(), alias=exp.Identifier(this=name, quoted=True)))
    return list(items)


def _all(conditions: Iterable[exp.Expr]) -> exp.Expr | None:
    whole: exp.Expr | None = None
    for condition in conditions:
        whole = exp.And(this=whole, expression=condition.copy()) if whole else condition.copy()
    return whole


def item_value(stage: Stage, query: exp.Expr, aggregates: Equated, width: int, nested: Nested) -> Expression:
    """The subquery's one item, once its aggregates are columns; NULL where HAVING is not TRUE."""
    having, item = query.args.get("having"), item_of(query.expressions[0])
    if having:
        item = exp.Case(ifs=[exp.If(this=having, true=item)])
    return Expressions(Attached(stage, aggregates, width), nested).of(item)
