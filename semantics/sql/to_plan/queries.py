"""Whole queries: blocks, set operations, WITH, ISTREAM and its kin."""

from collections.abc import Callable
from typing import Final

from sqlglot import exp

from semantics.expression import Constant
from semantics.plan import Difference, Distinct, Dstream, Intersection, Istream, Map, Plan, Rstream, Union
from semantics.sql.catalogue import Catalogue
from semantics.sql.errors import wrong
from semantics.sql.grammar.nodes import Block, Limited, Prefixed, Relations, Streamed, Values
from semantics.sql.to_plan.constant_rows import base_of, values_plan
from semantics.sql.to_plan.limits import limited_plan
from semantics.sql.to_plan.select import block_plan, rows_of
from semantics.sql.to_plan.visible_columns import Context, Outer, Rows
from semantics.sql.type_names import sql_type
from semantics.value import NULL, Type

UNTYPED: Final = Constant(NULL, Type.INT)
"""What NULL alone becomes."""
STREAMED: Final[dict[str, Callable[[Plan], Plan]]] = {"ISTREAM": Istream, "DSTREAM": Dstream, "RSTREAM": Rstream}


def query_plan(node: exp.Expr, catalogue: Catalogue) -> Plan:
    """The plan of a query whose names are those of the catalogue."""
    return Queries().plan(node, Context(catalogue, Queries(), base=base_of(node, catalogue)), None, total=False)


class Queries:
    """The translator that subqueries ask for."""

    def plan(self, query: exp.Expr, context: Context, outer: Outer | None, *, total: bool) -> Plan:
        match query:
            case Prefixed():
                return self.plan(query.this, self._naming(query, context), outer, total=total)
            case Streamed():
                return self._streamed(query, context)
            case exp.SetOperation():
                left, right = (self.plan(one, context, outer, total=total) for one in (query.this, query.expression))
                return set_operation(query, left, right, outer.width if outer else 0)
            case Values():
                return values_plan(query, context, outer)
            case Limited():
                return limited_plan(
                    query,
                    lambda below: self.plan(below, context, outer, total=total),
                    outer.width if outer else 0,
                )
            case Block():
                return block_plan(query, context, outer, total=total)
            case _:
                raise wrong(query, "this is no query", "SELECT, WITH, ISTREAM, DSTREAM or RSTREAM")

    def rows(self, relations: Relations, conditions: list[exp.Expr], context: Context, outer: Outer | None) -> Rows:
        return rows_of(relations, conditions, context, outer)

    def _naming(self, query: Prefixed, context: Context) -> Context:
        """Each name of WITH can be used by the next ones; it sees no column from outside."""
        names: set[str] = set()
        for one in query.expressions:
            name = one.args["alias"]
            if name.name in names:
                raise wrong(name, f"{name.name} is named twice in WITH", "another name")
            names.add(name.name)
            context = context.naming(name.name, self.plan(one.this, context, None, total=False))
        return context

    def _streamed(self, query: Streamed, context: Context) -> Plan:
        """These look at the instant before, so they cannot depend on a row of the query around them."""
        return STREAMED[query.args["kind"]](self.plan(query.this, context, None, total=False))


def set_operation(node: exp.SetOperation, left: Plan, right: Plan, carried: int) -> Plan:
    """With ALL the operator itself; without, every row once."""
    left, right = typed_like(left, right), typed_like(right, left)
    if left.schema.types != right.schema.types:
        here, there = (", ".join(map(sql_type, side.schema.types[carried:])) for side in (left, right))
        problem = f"{node.key.upper()}: the columns on the left are {here}, on the right {there}"
        raise wrong(node.expression, problem, f"columns of the types {here}; CAST(… AS FLOAT) makes an INT a FLOAT")
    distinct = bool(node.args.get("distinct"))
    match node:
        case exp.Union():
            return Distinct(Union(left, right)) if distinct else Union(left, right)
        case exp.Intersect():
            return Distinct(Intersection(left, right)) if distinct else Intersection(left, right)
        case _:
            return Difference(Distinct(left), Distinct(right)) if distinct else Difference(left, right)


def typed_like(plan: Plan, other: Plan) -> Plan:
    """The plan with NULLs of no type of their own typed as the other side's columns are."""
    if plan.schema.types == other.schema.types or len(plan.schema) != len(other.schema):
        return plan
    if isinstance(plan, Union):
        return Union(typed_like(plan.left, other), typed_like(plan.right, other))
    if not isinstance(plan, Map):
        return plan
    pairs = zip(plan.expressions, other.schema.types, strict=True)
    values = tuple(Constant(NULL, type_) if value == UNTYPED else value for value, type_ in pairs)
    return Map(plan.input, values, plan.names)
