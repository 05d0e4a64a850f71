"""Quotients, means, casts and differences of dates: what an engine makes of whole numbers and of days."""

from sqlglot import exp

from semantics.sql.dialects.nodes import as_type, call
from semantics.sql.dialects.profile import Profile
from semantics.sql.dialects.sure_types import SureTypes
from semantics.sql.dialects.window_calls import name_of


def arithmetic(node: exp.Expr, types: SureTypes) -> exp.Expr | None:
    """The same in this language's words; None if it is nothing of this kind."""
    profile = types.profile
    if isinstance(node, exp.Add | exp.Sub) and types.is_date(node.this):
        return _of_days(node, types)
    if type(node) is exp.Cast and profile.rounding_casts and node.to.this in exp.DataType.INTEGER_TYPES:
        return node if types.is_integer(node.this) else call(_nearest(node.this, profile), node.this)
    if isinstance(node, exp.Div) and not profile.exact_division:
        return _divided(node, types)
    if name_of(node) == "AVG" and profile.integer_average and not isinstance(node.parent, exp.Filter | exp.Window):
        return _whole_average(node, node, types)
    if isinstance(node, exp.Filter | exp.Window) and name_of(node.this) == "AVG" and profile.integer_average:
        return _whole_average(node, node.this, types)
    return None


def _of_days(node: exp.Binary, types: SureTypes) -> exp.Expr:
    """A date and a number of days, or the days between two dates."""
    days = node.expression.copy()
    if types.is_integer(days):
        return call("DATE_ADD", node.this.copy(), exp.Neg(this=exp.paren(days)) if isinstance(node, exp.Sub) else days)
    if isinstance(node, exp.Sub) and types.profile.days_between_dates and types.is_date(days):
        return call("DATEDIFF", node.this.copy(), days)
    return node


def _divided(node: exp.Div, types: SureTypes) -> exp.Expr:
    """Whole numbers are divided without a rest; where their types are not known here, they decide."""
    sides = [node.this, node.expression]
    if any(map(types.has_fraction, sides)):
        return node
    name = "DIV" if all(map(types.is_integer, sides)) else "QUOTIENT"
    return call(name, *(side.copy() for side in sides))


def _whole_average(node: exp.Expr, average: exp.Expr, types: SureTypes) -> exp.Expr:
    """The sum divided by the number without a rest: no FLOAT on the way, which has not all large whole numbers."""
    given = average.expressions[0] if average.expressions else exp.Null()
    argument = given.expressions[0] if isinstance(given, exp.Distinct) else given
    if not types.is_integer(argument):
        return node
    if isinstance(node, exp.Window):
        return as_type(node.copy(), "BIGINT")
    both = (call(name, given.copy()) for name in ("SUM", "COUNT"))
    return call("DIV", *(_in_place(node, average, aggregate) for aggregate in both))


def _in_place(node: exp.Expr, average: exp.Expr, other: exp.Expr) -> exp.Expr:
    """The node with another aggregate, which keeps its FILTER."""
    if node is average:
        return other
    return exp.Filter(this=other, expression=node.expression.copy())


def _nearest(node: exp.Expr, profile: Profile) -> str:
    """How CAST rounds: halves of doubles to even numbers, and of decimals away from zero.

    This language has a FLOAT for what PostgreSQL computes as NUMERIC: averages, quotients and numbers written out.
    """
    exact = isinstance(node, exp.Literal) or (
        profile.decimal_fields
        and any(name_of(part) == "AVG" or isinstance(part, exp.Div | exp.Literal) for part in node.walk())
    )
    return "NEAREST" if exact else "NEAREST_EVEN"
