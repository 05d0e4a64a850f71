"""Plans of standard operators as Spark SQL over all snapshots at once: every row has the instant of its snapshot."""

from typing import assert_never

from physical.adapters.spark.sql_text import spark_aggregate, spark_expression
from semantics import Expression, Plan
from semantics import plan as nodes
from semantics.aggregate import Aggregate, Largest, UserDefined, is_basic
from semantics.expression import Call, children

Grouped = nodes.Aggregation | nodes.Grouping
Conditional = nodes.Join | nodes.LeftJoin | nodes.RightJoin | nodes.FullJoin
Standard = (
    nodes.Source
    | nodes.Filter
    | nodes.Map
    | nodes.Distinct
    | nodes.Rstream
    | nodes.Aggregation
    | nodes.Grouping
    | nodes.Union
    | nodes.Difference
    | nodes.Intersection
    | nodes.Product
    | nodes.Join
    | nodes.LeftJoin
    | nodes.RightJoin
    | nodes.FullJoin
    | nodes.Semijoin
    | nodes.Antijoin
)
JOIN_KEYWORDS: dict[type[Plan], str] = {
    nodes.Product: "JOIN",
    nodes.Join: "JOIN",
    nodes.LeftJoin: "LEFT JOIN",
    nodes.RightJoin: "RIGHT JOIN",
    nodes.FullJoin: "FULL JOIN",
}
INSTANT_COLUMNS: dict[type[Plan], str] = {nodes.RightJoin: "r.t", nodes.FullJoin: "coalesce(l.t, r.t)"}
"""The instant of a joined row, if it is not that of the left side, which may be padded."""


def is_relational(plan: Plan) -> bool:
    """Does Spark SQL have a query that should mean this plan, instant by instant?"""
    if not isinstance(plan, Standard) or not all(map(is_relational, plan.inputs)):
        return False
    if isinstance(plan, Grouped) and not all(_has_spark(a) for a in plan.aggregates):
        return False
    total = isinstance(plan, nodes.Aggregation) and plan.on_empty
    return not total and not plan.mentions_now and not any(map(calls, plan.own_expressions))


def _has_spark(aggregate: Aggregate) -> bool:
    """Has Spark an aggregate of this name, with the same rules for NULL and for ties?"""
    return is_basic(aggregate) and not isinstance(aggregate, Largest | UserDefined)


def query(plan: Plan, *, guarded: bool = False) -> str:
    """A query whose columns are t, c0, c1, …; its sources are tables with the same columns.

    >>> from semantics import parse_plan
    >>> query(parse_plan("A(x int) | distinct"))
    'SELECT DISTINCT * FROM (SELECT * FROM A) l'
    """
    return SparkSqlWriter(guarded).text(plan)


class SparkSqlWriter:
    """Writes plans as queries; if guarded, so that nothing is divided by 0."""

    def __init__(self, guarded: bool) -> None:
        self.guarded = guarded

    def text(self, plan: Plan) -> str:
        if not isinstance(plan, Standard):
            raise ValueError(f"{plan.operator} is no standard operator")
        below = [f"({self.text(child)}) {side}" for child, side in zip(plan.inputs, "lr", strict=False)]
        match plan:
            case nodes.Source(name=name):
                return f"SELECT * FROM {name}"
            case nodes.Filter(predicate=predicate):
                return f"SELECT * FROM {below[0]} WHERE {self._expression(plan, predicate)}"
            case nodes.Map(expressions=expressions):
                made = [f"{self._expression(plan, e)} AS c{i}" for i, e in enumerate(expressions)]
                return f"SELECT {', '.join(['t', *made])} FROM {below[0]}"
            case nodes.Distinct():
                return f"SELECT DISTINCT * FROM {below[0]}"
            case nodes.Rstream():
                return f"SELECT * FROM {below[0]}"
            case nodes.Aggregation() | nodes.Grouping():
                return self._grouped(plan, below[0])
            case nodes.Union() | nodes.Difference() | nodes.Intersection():
                word = {nodes.Union: "UNION", nodes.Difference: "EXCEPT", nodes.Intersection: "INTERSECT"}[type(plan)]
                return f"SELECT * FROM {below[0]} {word} ALL SELECT * FROM {below[1]}"
            case nodes.Product() | nodes.Join() | nodes.LeftJoin() | nodes.RightJoin() | nodes.FullJoin():
                return self._joined(plan, *below)
            case nodes.Semijoin(condition=condition) | nodes.Antijoin(condition=condition):
                kind = "SEMI" if isinstance(plan, nodes.Semijoin) else "ANTI"
                on = self._expression(plan, condition)
                return f"SELECT * FROM {below[0]} LEFT {kind} JOIN {below[1]} ON l.t = r.t AND ({on})"
            case _:
                assert_never(plan)

    def _grouped(self, plan: Grouped, below: str) -> str:
        keys = plan.keys if isinstance(plan, nodes.Grouping) else ()
        groups = ["t", *(f"l.c{key}" for key in keys)]
        made = [spark_aggregate(a, _columns(plan), guarded=self.guarded) for a in plan.aggregates]
        named = [f"{one} AS c{i}" for i, one in enumerate([*groups[1:], *made])]
        return f"SELECT {', '.join(['t', *named])} FROM {below} GROUP BY {', '.join(groups)}"

    def _joined(self, plan: nodes.Product | Conditional, left: str, right: str) -> str:
        on = [f"({self._expression(plan, plan.condition)})"] if isinstance(plan, Conditional) else []
        instant = INSTANT_COLUMNS.get(type(plan), "l.t")
        named = [f"{column} AS c{i}" for i, column in enumerate(_columns(plan))]
        wanted = ", ".join([f"{instant} AS t", *named])
        return f"SELECT {wanted} FROM {left} {JOIN_KEYWORDS[type(plan)]} {right} ON {' AND '.join(['l.t = r.t', *on])}"

    def _expression(self, plan: Plan, expression: Expression) -> str:
        return spark_expression(expression, _columns(plan), guarded=self.guarded)


def _columns(plan: Plan) -> list[str]:
    """Spark's name of every column position that the operator's expressions may refer to."""
    sides = zip("lr", plan.inputs, strict=False)
    return [f"{side}.c{i}" for side, child in sides for i in range(len(child.schema))]


def calls(expression: Expression) -> bool:
    """Does it call a user's function?"""
    return isinstance(expression, Call) or any(map(calls, children(expression)))
