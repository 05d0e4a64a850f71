"""Any plan as one query over tables of snapshots: a row for every tuple and instant, with columns t, c0, c1, …

The instant is a column like any other. So a standard operator is its relational counterpart with the instant among the
keys, and a window is a join with the table of all instants.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, assert_never

from physical.adapters.sql.dialect import SqlDialect
from physical.adapters.sql.expressions import sql_expression
from physical.adapters.sql.over import PLACES, over_columns
from physical.adapters.sql.windows import landmark_condition, last_rows, last_rows_with_ties, range_condition
from semantics import Expression, Plan
from semantics import aggregate as agg
from semantics import plan as op
from semantics.aggregate import Aggregate
from semantics.ordering import SortKey

INSTANTS: Final = "instants"
"""The table of all instants before the horizon; its column is t."""
JOINS: Final[Mapping[type[Plan], str]] = {
    op.Product: "JOIN",
    op.Join: "JOIN",
    op.LeftJoin: "LEFT JOIN",
    op.RightJoin: "RIGHT JOIN",
    op.FullJoin: "FULL JOIN",
}
INSTANT_OF_JOINS: Final[Mapping[type[Plan], str]] = {op.RightJoin: "r.t", op.FullJoin: "coalesce(l.t, r.t)"}
"""The instant of a joined row, if it is not that of the left side, which may be padded."""
Conditional = op.Join | op.LeftJoin | op.RightJoin | op.FullJoin
COUNTS: Final = (agg.CountRows, agg.Count, agg.CountDistinct)


def snapshot_query(plan: Plan, dialect: SqlDialect, tables: Mapping[str, str] = {}) -> str:
    """The query; sources are tables of their own names, or of those given here.

    >>> from semantics import parse_plan
    >>> snapshot_query(parse_plan("S(x int) | window(range 3)"), SqlDialect())
    'SELECT i.t AS t, l.c0 AS c0 FROM (SELECT * FROM S) AS l JOIN instants AS i ON l.t <= i.t AND l.t > i.t - 3'
    """
    writer = SnapshotQuery(dialect, tables)
    text = writer.text(plan)
    shared = ", ".join(f"{name} AS ({query})" for query, name in writer.shared.items())
    return f"WITH {shared} {text}" if shared else text


@dataclass
class SnapshotQuery:
    """Writes plans as queries. What is needed twice becomes a common table expression."""

    dialect: SqlDialect
    tables: Mapping[str, str]
    shared: dict[str, str] = field(default_factory=dict)
    """The names of the queries that are needed twice; one never needs a later one."""

    def text(self, plan: Plan) -> str:
        match plan:
            case op.Source(name=name):
                return f"SELECT * FROM {self.tables.get(name, name)}"
            case op.Filter(predicate=predicate):
                return f"SELECT * FROM {self._below(plan)} WHERE {self._say(plan, predicate)}"
            case op.Map(expressions=expressions):
                made = named([self._say(plan, expression) for expression in expressions])
                return f"SELECT l.t AS t, {made} FROM {self._below(plan)}"
            case op.Distinct():
                return f"SELECT DISTINCT * FROM {self._below(plan)}"
            case op.Rstream():
                return f"SELECT * FROM {self._below(plan)}"
            case op.Aggregation(on_empty=True):
                return self._total(plan)
            case op.Aggregation() | op.Grouping():
                return self._grouped(plan, self._below(plan))
            case op.Limit():
                return self._limited(plan)
            case op.Union() | op.Difference() | op.Intersection():
                word = {op.Union: "UNION", op.Difference: "EXCEPT", op.Intersection: "INTERSECT"}[type(plan)]
                return self._combined(word, self.text(plan.left), self.text(plan.right), len(plan.schema))
            case op.Product() | op.Join() | op.LeftJoin() | op.RightJoin() | op.FullJoin():
                return self._joined(plan)
            case op.Semijoin() | op.Antijoin():
                return self._filtered_by_partners(plan)
            case op.TimeWindow(size=size, slide=slide):
                return self._window(plan, range_condition(size, slide))
            case op.LandmarkWindow(start=start, reset=reset):
                return self._window(plan, landmark_condition(start, reset))
            case op.CountWindow(rows=rows, slide=slide, ties=ties):
                return self._last_rows(plan, (), rows, slide, ties)
            case op.PartitionedWindow(keys=keys, rows=rows, slide=slide, ties=ties):
                return self._last_rows(plan, keys, rows, slide, ties)
            case op.Istream() | op.Dstream():
                return self._changes(plan)
            case op.Over():
                return self._over(plan)
            case op.SessionWindow() | op.Unnest():
                raise AssertionError(f"{plan.operator} has no query over snapshots yet")
            case _:
                assert_never(plan)

    def _below(self, plan: Plan, index: int = 0) -> str:
        """An input as a table: l, or r for the second one."""
        return f"({self.text(plan.inputs[index])}) AS {'lr'[index]}"

    def _shared(self, plan: Plan) -> str:
        """The name of a query that may be used more than once."""
        text = self.text(plan)
        return self.shared.setdefault(text, f"q{len(self.shared)}")

    def _say(self, plan: Plan, expression: Expression) -> str:
        return sql_expression(expression, columns_of(plan), self.dialect)

    def _aggregate(self, plan: Plan, aggregate: Aggregate, over: str = "") -> str:
        argument = "" if aggregate.argument is None else self._say(plan, aggregate.argument)
        return self.dialect.aggregate(aggregate, argument, over)

    def _aggregates(self, plan: op.Aggregation | op.Grouping) -> list[str]:
        return [self._aggregate(plan, aggregate) for aggregate in plan.aggregates]

    def _over(self, plan: op.Over) -> str:
        columns = columns_of(plan)
        declared = [self._sorted(f"l.c{key.column}", key) for key in plan.order]
        values = [self._sorted(column, SortKey(0)) for column in columns]
        made = over_columns(plan, partial(self._say, plan), partial(self._aggregate, plan), declared, values)
        return f"SELECT l.t AS t, {named([*columns, *made])} FROM {self._below(plan)}"

    def _grouped(self, plan: op.Aggregation | op.Grouping, below: str) -> str:
        keys = [f"l.c{key}" for key in plan.keys] if isinstance(plan, op.Grouping) else []
        made = named([*keys, *self._aggregates(plan)])
        return f"SELECT l.t AS t, {made} FROM {below} GROUP BY {', '.join(['l.t', *keys])}"

    def _total(self, plan: op.Aggregation) -> str:
        """The aggregates of what is there, and those of nothing where nothing is."""
        below = self._shared(plan.input)
        none = [self.dialect.constant(0 if isinstance(a, COUNTS) else None, a.type) for a in plan.aggregates]
        empty = f"NOT EXISTS (SELECT 1 FROM {below} AS l WHERE l.t = i.t)"
        some = self._grouped(plan, f"{below} AS l")
        return f"{some} UNION ALL SELECT i.t AS t, {named(none)} FROM {INSTANTS} AS i WHERE {empty}"

    def _limited(self, plan: op.Limit) -> str:
        part = ", ".join(["l.t", *(f"l.c{key}" for key in plan.keys)])
        order = [self._sorted(f"l.c{k.column}", k) for k in plan.order]
        if plan.ranking == "rows":  # peers stand in the total order on rows
            order += [self._sorted(column, SortKey(0)) for column in columns_of(plan)]
        sorting = f" ORDER BY {', '.join(order)}" if order else ""  # without an order all rows are peers
        place = f"{PLACES[plan.ranking]} OVER (PARTITION BY {part}{sorting})"
        placed = f"SELECT l.t AS t, {named(columns_of(plan))}, {place} AS place FROM {self._below(plan)}"
        upto = "" if plan.count is None else f" AND place <= {plan.offset + plan.count}"
        return f"SELECT t, {listed(plan)} FROM ({placed}) AS p WHERE place > {plan.offset}{upto}"

    def _sorted(self, column: str, key: SortKey) -> str:
        direction = "DESC" if key.descending else "ASC"
        return f"{column}{self.dialect.binary_order} {direction} NULLS {'LAST' if key.ends_with_nulls else 'FIRST'}"

    def _combined(self, word: str, left: str, right: str, width: int) -> str:
        if word == "UNION" or self.dialect.has_all_set_operations:
            return f"SELECT * FROM ({left}) AS l {word} ALL SELECT * FROM ({right}) AS r"
        columns = ", ".join(["t", *(f"c{i}" for i in range(width))])
        numbered = [
            f"SELECT {columns}, row_number() OVER (PARTITION BY {columns}) AS copy FROM ({side}) AS s"
            for side in (left, right)
        ]
        return f"SELECT {columns} FROM ({numbered[0]} {word} {numbered[1]}) AS u"

    def _joined(self, plan: op.Product | Conditional) -> str:
        on = f" AND {self._say(plan, plan.condition)}" if isinstance(plan, Conditional) else ""
        instant = INSTANT_OF_JOINS.get(type(plan), "l.t")
        tables = f"{self._below(plan)} {JOINS[type(plan)]} {self._below(plan, 1)}"
        return f"SELECT {instant} AS t, {named(columns_of(plan))} FROM {tables} ON l.t = r.t{on}"

    def _filtered_by_partners(self, plan: op.Semijoin | op.Antijoin) -> str:
        partners, on = self._below(plan, 1), f"l.t = r.t AND {self._say(plan, plan.condition)}"
        wanted = isinstance(plan, op.Semijoin)
        if self.dialect.has_semijoins:
            return f"SELECT * FROM {self._below(plan)} LEFT {'SEMI' if wanted else 'ANTI'} JOIN {partners} ON {on}"
        exists = f"{'' if wanted else 'NOT '}EXISTS (SELECT 1 FROM {partners} WHERE {on})"
        return f"SELECT * FROM {self._below(plan)} WHERE {exists}"

    def _window(self, plan: op.TimeWindow | op.LandmarkWindow, condition: str) -> str:
        tables = f"{self._below(plan)} JOIN {INSTANTS} AS i"
        return f"SELECT i.t AS t, {named(columns_of(plan))} FROM {tables} ON {condition}"

    def _last_rows(
        self, plan: op.CountWindow | op.PartitionedWindow, keys: Sequence[int], rows: int, slide: int, ties: bool
    ) -> str:
        part = ["i.t", *(f"l.c{key}" for key in keys)]
        past = f"{self._below(plan)} JOIN {INSTANTS} AS i ON l.t <= i.t"
        made = f"i.t AS t, {named(columns_of(plan))}"
        if ties:
            return last_rows_with_ties(made, past, part, rows, listed(plan))
        order = [f"{column}{self.dialect.binary_order} ASC NULLS FIRST" for column in columns_of(plan)]
        return last_rows(made, past, part, order, rows, slide, listed(plan))

    def _changes(self, plan: op.Istream | op.Dstream) -> str:
        """What is there and was not an instant ago, or the other way round."""
        below = self._shared(plan.input)
        now = f"SELECT * FROM {below} AS l"
        one_later = (
            f"SELECT l.t + 1 AS t, {named(columns_of(plan))} FROM {below} AS l JOIN {INSTANTS} AS i ON i.t = l.t + 1"
        )
        pair = (now, one_later) if isinstance(plan, op.Istream) else (one_later, now)
        return self._combined("EXCEPT", *pair, len(plan.schema))


def columns_of(plan: Plan) -> list[str]:
    """The name of every column position that the operator's expressions may refer to."""
    sides = zip("lr", plan.inputs, strict=False)
    return [f"{side}.c{i}" for side, child in sides for i in range(len(child.schema))]


def named(texts: Sequence[str]) -> str:
    """Columns c0, c1, …"""
    return ", ".join(f"{text} AS c{i}" for i, text in enumerate(texts))


def listed(plan: Plan) -> str:
    """The columns of a plan's output."""
    return ", ".join(f"c{i}" for i in range(len(plan.schema)))
