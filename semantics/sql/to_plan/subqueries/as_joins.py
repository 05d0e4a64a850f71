"""The other side of the join that a subquery becomes.

Three ways lead there. A subquery that uses no outer column is planned by itself. Where outer columns stand in WHERE
only, those conditions become the join's. In every other case the subquery is joined with the distinct values of the
outer columns that it uses, and carries them along (as Neumann and Kemper do), so that it can be joined on them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from semantics.expression import Expression, IsDistinct, Not, Ref
from semantics.expression.parts import refs
from semantics.how_many import how_many
from semantics.plan import Distinct, LeftJoin, Map, Plan
from semantics.sql.errors import wrong
from semantics.sql.grammar.nodes import Block, is_unranked
from semantics.sql.to_plan.aggregate_calls import has_subquery, is_aggregated
from semantics.sql.to_plan.conjunctions import conjuncts
from semantics.sql.to_plan.expressions import Expressions, Nested
from semantics.sql.to_plan.visible_columns import Domain, Outer, Probe, Rows, Stage


@dataclass(frozen=True)
class Side:
    """A plan, the conditions that link it to the rows outside, and the subquery's values, seen from both sides."""

    plan: Plan
    links: tuple[Expression, ...]
    values: tuple[Expression, ...]

    @property
    def value(self) -> Expression:
        return self.values[0]


def side(stage: Stage, query: exp.Expr, nested: Nested, *, values: int, total: bool = True) -> Side:
    """The other side for EXISTS, IN, ANY, ALL: matching a row of it means that the subquery has such a row.

    So many of its values are compared; for EXISTS none is.
    """
    used = outer_columns(stage, query)
    if not used:
        plan = stage.context.translator.plan(query, stage.context, Outer(stage), total=total)
        check_width(query, len(plan.schema), values)
        return Side(plan, (), _values(plan, stage.width, 0, values))
    if is_unranked(query) and _is_simple(query, stage, values):
        return _pulled_up(stage, query, nested, values)
    return dependent(stage, query, used, values=values, total=total)


def _values(plan: Plan, width: int, first: int, number: int) -> tuple[Expression, ...]:
    """The columns of a subquery that are compared, behind a left side of this width."""
    return tuple(Ref(width + i, plan.schema.types[i]) for i in range(first, first + number))


def existing(query: exp.Expr) -> exp.Expr:
    """A subquery of EXISTS: what `*` stands for does not matter, so columns of joined streams may share names."""
    if not isinstance(query, Block) or not any(isinstance(item, exp.Star) for item in query.expressions):
        return query
    chains = query.args["relations"].expressions
    if len(chains) == 1 and not chains[0].expressions:
        return query
    query = query.copy()
    query.set("expressions", [exp.Alias(this=exp.Literal.number(1), alias=exp.to_identifier("one"))])
    return query


def outer_columns(stage: Stage, query: exp.Expr) -> list[Ref]:
    """The columns of this stage that a subquery uses, at any depth."""
    probe = Probe(stage)
    stage.context.translator.plan(query, stage.context, probe, total=True)
    return list(probe.used)


def dependent(
    stage: Stage, query: exp.Expr, used: Sequence[Expression], *, values: int = 1, total: bool = True
) -> Side:
    """A subquery for each distinct combination of the outer values that it uses."""
    outer = Domain(stage, distinct_values(stage, used), list(used))
    plan = stage.context.translator.plan(query, stage.context, outer, total=total)
    check_width(query, len(plan.schema) - len(used), values)
    return Side(plan, links(stage.width, used), _values(plan, stage.width, len(used), values))


def distinct_values(stage: Stage, used: Sequence[Expression]) -> Plan:
    """The distinct combinations of values that these expressions have."""
    names = tuple(f"outer_{i}" for i in range(1, len(used) + 1))
    return Distinct(Map(_where_made(stage.plan, used), tuple(used), names))


def _where_made(plan: Plan, used: Sequence[Expression]) -> Plan:
    """The rows below all outer joins that only add columns: without them, many subqueries would nest their plans."""
    width = max((ref.index + 1 for one in used for ref in refs(one)), default=0)
    while isinstance(plan, LeftJoin) and width <= len(plan.left.schema):
        plan = plan.left
    return plan


def links(width: int, used: Sequence[Expression]) -> tuple[Expression, ...]:
    """A row meets the values that it has itself: NULL meets NULL."""
    return tuple(Not(IsDistinct(outside, Ref(width + i, outside.type))) for i, outside in enumerate(used))


def check_width(query: exp.Expr, width: int, values: int) -> None:
    if values and width != values:
        wanted = "a subquery with one column" if values == 1 else f"a subquery with {values} columns"
        raise wrong(query, f"this subquery has {how_many(width, 'column')}", wanted)


def _is_simple(query: Block, stage: Stage, values: int) -> bool:
    """Are outer columns used in plain conditions of WHERE only, or in the value that is compared?"""
    catalogue = stage.context.catalogue
    if is_aggregated(query, catalogue) or (values and len(query.expressions) != values):
        return False
    if not query.args["relations"].expressions:
        return False
    for value in query.expressions if values else ():
        if isinstance(value, exp.Star) or isinstance(value.this, exp.Star) or has_subquery(value):
            return False
    return not any(has_subquery(node) and _uses_outer(node, query, stage) for node in _conditions(query))


def _conditions(query: Block) -> list[exp.Expr]:
    where = query.args.get("where")
    return list(conjuncts(where)) if where else []


def _uses_outer(condition: exp.Expr, query: Block, stage: Stage) -> bool:
    probe = Probe(stage)
    stage.context.translator.rows(query.args["relations"], [condition], stage.context, probe)
    return bool(probe.used)


def _pulled_up(stage: Stage, query: Block, nested: Nested, values: int) -> Side:
    """The rows of the subquery's FROM; what refers to outer columns moves into the join's condition."""
    conditions = _conditions(query)
    outside = [condition for condition in conditions if _uses_outer(condition, query, stage)]
    inside = [condition for condition in conditions if condition not in outside]
    rows = stage.context.translator.rows(query.args["relations"], inside, stage.context, Outer(stage))
    entries = [entry.shifted(stage.width) for entry in rows.entries]
    both = Expressions(Rows(rows.plan, entries, stage.context, Outer(stage)), nested)
    items = [both.of(item.this if isinstance(item, exp.Alias) else item) for item in query.expressions[:values]]
    return Side(rows.plan, tuple(both.predicate(condition) for condition in outside), tuple(items))
