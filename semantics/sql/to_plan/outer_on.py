"""Conditions of joins that hold subqueries: the value of each becomes a column of the side that it is about.

In ON of inner joins a subquery means the same as in WHERE, where it is unnested. An outer join decides by its condition
which rows have a partner, so the value must be there before.
"""

from sqlglot import exp

from semantics.expression import Expression
from semantics.sql.errors import wrong
from semantics.sql.to_plan.aggregate_calls import has_subquery, is_subquery
from semantics.sql.to_plan.expressions import Expressions
from semantics.sql.to_plan.part import Part
from semantics.sql.to_plan.subqueries.as_columns import value_of
from semantics.sql.to_plan.visible_columns import Context, Probe, Rows, Stage
from semantics.substitute import shifted


def with_values(left: Part, right: Part, on: exp.Expr, context: Context) -> tuple[Part, Part, Expression]:
    """Both sides, with a column for each subquery, and the condition over them."""
    sides = [Rows(part.plan, part.entries, context, None) for part in (left, right)]
    values: dict[int, tuple[int, Expression]] = {}
    for node in _subqueries(on) if has_subquery(on) else ():
        side = _side(node, left, right, context)
        values[id(node)] = side, value_of(node, sides[side])
    wide = Part(sides[0].plan, left.entries), Part(sides[1].plan, right.entries)

    def known(node: exp.Expr, _: Stage) -> Expression:
        side, value = values[id(node)]
        return shifted(value, sides[0].width) if side else value

    seen = Rows(wide[0].plan, wide[0].beside(wide[1]), context, None)
    return *wide, Expressions(seen, known).predicate(on)


def _subqueries(node: exp.Expr) -> list[exp.Expr]:
    """The outermost nodes with a query below them."""
    if is_subquery(node):
        return [node]
    return [found for child in node.iter_expressions() for found in _subqueries(child)]


def _side(node: exp.Expr, left: Part, right: Part, context: Context) -> int:
    """The side whose columns a subquery uses: 0 is the left one, also if it uses none."""
    both = Rows(left.plan, left.beside(right), context, None)
    probe = Probe(both)
    value_of(node, Rows(left.plan, [], context, probe))
    sides = {int(ref.index >= len(left.plan.schema)) for ref in probe.used}
    if len(sides) > 1:
        raise wrong(node, "this subquery in ON uses columns of both sides of an outer join", "columns of one side")
    return sides.pop() if sides else 0
