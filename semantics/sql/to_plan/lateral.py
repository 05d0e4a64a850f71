"""LATERAL: a query in FROM that may use the columns before it, once for each combination of their values.

As in every query of FROM, an aggregate has no row where there is nothing to aggregate.
"""

from collections.abc import Callable
from typing import Final

from semantics.expression import Expression
from semantics.plan import Join, LeftJoin, Plan
from semantics.sql.errors import wrong
from semantics.sql.grammar.nodes import Joining
from semantics.sql.to_plan.conjunctions import conjunction
from semantics.sql.to_plan.expressions import Expressions
from semantics.sql.to_plan.part import Part, apart, named_columns
from semantics.sql.to_plan.subqueries.as_columns import value_of
from semantics.sql.to_plan.subqueries.as_joins import dependent, outer_columns
from semantics.sql.to_plan.visible_columns import Context, Rows

KINDS: Final[dict[str, Callable[[Plan, Plan, Expression], Plan]]] = {"INNER": Join, "CROSS": Join, "LEFT": LeftJoin}


def lateral_join(left: Part, node: Joining, context: Context) -> Part | None:
    """The left side with what the query has for each of its rows; None if the query uses no column of it."""
    item, kind = node.this, node.args["kind"]
    stage = Rows(left.plan, left.entries, context, None)
    used = outer_columns(stage, item.this)
    if not used:
        return None
    if kind not in KINDS or node.args.get("using") or node.args.get("natural"):
        raise wrong(node, "this join cannot have LATERAL on its right", "JOIN, LEFT JOIN or CROSS JOIN, with ON")
    if item.args.get("window"):
        raise wrong(item.args["window"], "a query behind LATERAL has no window", "windows on the streams inside it")
    other = dependent(stage, item.this, used, values=0, total=False)
    right = apart(left.plan.schema.names, Part(other.plan, named_columns(item, other.plan, "", len(used))))
    entries = left.beside(right)
    conditions = list(other.links)
    if node.args.get("on") is not None:
        conditions.append(Expressions(Rows(left.plan, entries, context, None), value_of).predicate(node.args["on"]))
    return Part(KINDS[kind](left.plan, right.plan, conjunction(conditions)), entries)
