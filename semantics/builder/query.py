"""The fluent builder: a query is a plan under construction, in the words of SQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Final

from semantics import plan as op
from semantics.aggregate import Aggregate
from semantics.builder.aggregate_expression import AggregateExpression, OverExpression
from semantics.builder.column_expression import ColumnExpression, as_column_expression, col
from semantics.errors import SchemaError, TypeMismatch
from semantics.expression import Expression
from semantics.notation.show_expression import explained
from semantics.ordering import Ranking, SortKey
from semantics.plan import Plan
from semantics.schema import Schema
from semantics.scope import Scope
from semantics.time import End
from semantics.value import Type, Value

NULLS: Final[dict[str, bool | None]] = {"": None, "nulls first": False, "nulls last": True}


def source(name: str, schema: Schema | None = None, /, **columns: Type | type) -> "Query":
    """A stream given from outside, with its columns as a schema or as keywords.

    >>> source("Bid", item=int, price=float).window(10).select("item").plan.operator
    'Map'
    """
    if (schema is None) == (not columns) or not isinstance(schema, Schema | None):
        raise SchemaError(f"source {name}: give the columns as one schema or as keywords")
    return Query(op.Source(name, schema or Schema.of(**columns)))


@dataclass(frozen=True)
class Query:
    """A plan with methods that put one more operator on top of it; each returns a new query."""

    plan: Plan

    @property
    def schema(self) -> Schema:
        return self.plan.schema

    def filter(self, *conditions: ColumnExpression) -> "Query":
        """σ: the rows for which all conditions are TRUE."""
        return Query(op.Filter(self.plan, resolved_all("Filter", conditions, Scope(self.schema))))

    def select(self, /, *kept: str, **computed: ColumnExpression | Value) -> "Query":
        """μ: the columns kept as they are, then the computed ones.

        >>> source("Bid", item=int, price=float).select("item", euro=col("price") * 0.9).schema.names
        ('item', 'euro')
        """
        check_names("Map", kept)
        columns: dict[str, ColumnExpression] = {name: col(name) for name in kept}
        if len(columns) < len(kept) or set(kept) & set(computed):
            raise SchemaError(f"Map: output names must differ, got: {', '.join([*kept, *computed])}")
        columns |= {name: as_column_expression(value) for name, value in computed.items()}
        return Query(op.Map(self.plan, tuple(self._resolved("Map", c) for c in columns.values()), tuple(columns)))

    def rename(self, /, **names: str) -> "Query":
        """The same columns, some under new names: `rename(old="new")`."""
        for old in names:
            self.schema.index(old, "Map")
        renamed = tuple(names.get(name, name) for name in self.schema.names)
        return Query(op.Map(self.plan, tuple(self._resolved("Map", col(n)) for n in self.schema.names), renamed))

    def prefix(self, prefix: str) -> "Query":
        """The same columns, each name with a prefix: what a self-join needs."""
        return self.rename(**{name: prefix + name for name in self.schema.names})

    def unnest(
        self, array: ColumnExpression | str, name: str, *, number: str | None = None, outer: bool = False
    ) -> "Query":
        """υ: a row for each element of an array, in a column of this name; `number` names one for its number.

        >>> from semantics import array_of, show
        >>> show(source("S", xs=array_of(Type.INT)).unnest("xs", "x", number="n"))
        'S(xs array<int>) | unnest(xs as x numbered n)'
        """
        given = self._resolved("Unnest", col(array) if isinstance(array, str) else array)
        return Query(op.Unnest(self.plan, given, (name,) if number is None else (name, number), outer))

    def distinct(self) -> "Query":
        """δ: every row once."""
        return Query(op.Distinct(self.plan))

    def aggregate(self, /, *, on_empty: bool = False, **aggregates: AggregateExpression) -> "Query":
        """α: one row of aggregates; with on_empty also where there is nothing to aggregate."""
        functions, names = resolved_aggregates("Aggregation", aggregates, Scope(self.schema))
        return Query(op.Aggregation(self.plan, functions, names, on_empty))

    def group_by(self, *columns: str) -> "GroupedQuery":
        """γ: `group_by("item").aggregate(n=count())`."""
        check_names("Grouping", columns)
        return GroupedQuery(self.plan, self._keys("Grouping", columns))

    def limit(
        self,
        count: int | None,
        order: str | Sequence[str] = (),
        *,
        by: str | Sequence[str] = (),
        offset: int = 0,
        ranking: Ranking = "rows",
    ) -> "Query":
        """λ: the first rows in an order such as `("price desc", "item")`, of all or of each group of `by`.

        >>> from semantics import show
        >>> bids = source("Bid", item=int, price=float)
        >>> show(bids.limit(3, "price desc nulls last", by="item"))
        'Bid(item int, price float) | limit(3 per item; price desc nulls last)'
        """
        wanted = (order,) if isinstance(order, str) else tuple(order)
        keys = self._keys("Limit", (by,) if isinstance(by, str) else tuple(by))
        sort_keys = tuple(_sort_key(text, self.schema) for text in wanted)
        return Query(op.Limit(self.plan, count, sort_keys, keys, offset, ranking))

    def union(self, other: "Query") -> "Query":
        """∪ (UNION ALL)."""
        return Query(op.Union(self.plan, plan_of("Union", other)))

    def difference(self, other: "Query") -> "Query":
        """− (EXCEPT ALL)."""
        return Query(op.Difference(self.plan, plan_of("Difference", other)))

    def intersection(self, other: "Query") -> "Query":
        """∩ (INTERSECT ALL)."""
        return Query(op.Intersection(self.plan, plan_of("Intersection", other)))

    def product(self, other: "Query") -> "Query":
        """×: every pair of rows."""
        return Query(op.Product(self.plan, plan_of("Product", other)))

    def join(self, other: "Query", *on: ColumnExpression) -> "Query":
        """⋈: the pairs of rows for which all conditions are TRUE.

        >>> from semantics import left, right
        >>> a, b = source("A", x=int), source("B", y=int)
        >>> a.join(b, col("x") == col("y")).schema.names
        ('x', 'y')
        >>> a.semijoin(a, left("x") < right("x")).schema.names
        ('x',)
        """
        return Query(op.Join(self.plan, plan_of("Join", other), self._on("Join", other, on)))

    def left_join(self, other: "Query", *on: ColumnExpression) -> "Query":
        """⟕: the join, and left rows without a partner."""
        return Query(op.LeftJoin(self.plan, plan_of("LeftJoin", other), self._on("LeftJoin", other, on)))

    def right_join(self, other: "Query", *on: ColumnExpression) -> "Query":
        """⟖: the join, and right rows without a partner."""
        return Query(op.RightJoin(self.plan, plan_of("RightJoin", other), self._on("RightJoin", other, on)))

    def full_join(self, other: "Query", *on: ColumnExpression) -> "Query":
        """⟗: the join, and rows without a partner on either side."""
        return Query(op.FullJoin(self.plan, plan_of("FullJoin", other), self._on("FullJoin", other, on)))

    def semijoin(self, other: "Query", *on: ColumnExpression) -> "Query":
        """⋉: the left rows with a partner."""
        return Query(op.Semijoin(self.plan, plan_of("Semijoin", other), self._on("Semijoin", other, on)))

    def antijoin(self, other: "Query", *on: ColumnExpression) -> "Query":
        """▷: the left rows without a partner."""
        return Query(op.Antijoin(self.plan, plan_of("Antijoin", other), self._on("Antijoin", other, on)))

    def window(self, size: End, slide: int = 1) -> "Query":
        """ω: the last `size` instants (or FOREVER), renewed every `slide` instants."""
        return Query(op.TimeWindow(self.plan, size, slide))

    def rows(self, rows: int, slide: int = 1, *, by: str | Sequence[str] = (), ties: bool = False) -> "Query":
        """ω^rows: the last occurrences, of the whole stream or of each group of the column or columns `by`."""
        columns = (by,) if isinstance(by, str) else tuple(by)
        if columns:
            keys = self._keys("PartitionedWindow", columns)
            return Query(op.PartitionedWindow(self.plan, keys, rows, slide, ties))
        return Query(op.CountWindow(self.plan, rows, slide, ties))

    def landmark(self, start: int, reset: int | None = None) -> "Query":
        """ω_[a,∞): everything since the last landmark."""
        return Query(op.LandmarkWindow(self.plan, start, reset))

    def session(
        self,
        gap: int,
        *,
        by: str | Sequence[str] = (),
        touching: bool = False,
        names: tuple[str, str] = ("session_start", "session_end"),
    ) -> "Query":
        """ω^gap: sessions of the stream or of each group of `by`, in which instants are less than a gap apart.

        >>> source("Bid", item=int).session(10, by="item").schema.names
        ('item', 'session_start', 'session_end')
        """
        keys = self._keys("SessionWindow", (by,) if isinstance(by, str) else tuple(by))
        return Query(op.SessionWindow(self.plan, gap, keys, touching, names))

    def over(
        self, *, by: str | Sequence[str] = (), order: str | Sequence[str] = (), **functions: OverExpression
    ) -> "Query":
        """Each row with what functions make of the rows of its group so far, in the order of time.

        >>> from semantics import lag, show, sum_
        >>> bids = source("Bid", item=int, price=float)
        >>> show(bids.over(by="item", total=sum_("price").over(rows=2), before=lag("price")))
        'Bid(item int, price float) | over(sum(price) rows 2 as total, lag(price, 1) as before per item)'
        """
        keys = self._keys("Over", (by,) if isinstance(by, str) else tuple(by))
        wanted = (order,) if isinstance(order, str) else tuple(order)
        sort_keys = tuple(_sort_key(text, self.schema) for text in wanted)
        with explained("Over", Scope(self.schema)):
            found = tuple(function.resolve(Scope(self.schema)) for function in functions.values())
        return Query(op.Over(self.plan, found, tuple(functions), keys, sort_keys))

    def istream(self) -> "Query":
        """What appeared since the instant before."""
        return Query(op.Istream(self.plan))

    def dstream(self) -> "Query":
        """What disappeared since the instant before."""
        return Query(op.Dstream(self.plan))

    def rstream(self) -> "Query":
        """What is there."""
        return Query(op.Rstream(self.plan))

    def _resolved(self, operator: str, of: ColumnExpression) -> Expression:
        return resolved(operator, of, Scope(self.schema))

    def _on(self, operator: str, other: "Query", conditions: tuple[ColumnExpression, ...]) -> Expression:
        return resolved_all(operator, conditions, Scope(self.schema, other.schema))

    def _keys(self, operator: str, columns: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(self.schema.index(column, operator) for column in columns)


@dataclass(frozen=True)
class GroupedQuery:
    """A query whose rows are grouped, waiting for its aggregates."""

    plan: Plan
    keys: tuple[int, ...]

    def aggregate(self, /, **aggregates: AggregateExpression) -> Query:
        """γ: per group its columns and these aggregates."""
        functions, names = resolved_aggregates("Grouping", aggregates, Scope(self.plan.schema))
        return Query(op.Grouping(self.plan, self.keys, functions, names))


def _sort_key(text: object, schema: Schema) -> SortKey:
    """A column with its direction: `price desc nulls last`."""
    check_names("Limit", [text])
    name, _, direction = str(text).partition(" ")
    directions = {f"{way} {nulls}".strip(): (way, nulls) for way in ("", "asc", "desc") for nulls in NULLS}
    if direction not in directions:
        raise SchemaError(f"Limit: {text!r}: expected a column and one of: {', '.join(filter(None, directions))}")
    way, nulls = directions[direction]
    return SortKey(schema.index(name, "Limit"), way == "desc", NULLS[nulls])


def plan_of(operator: str, other: object) -> Plan:
    """The plan of the other input."""
    if not isinstance(other, Query):
        raise SchemaError(f"{operator}: the other input must be a query, got {other!r}")
    return other.plan


def check_names(operator: str, names: Sequence[object]) -> None:
    """Where columns are kept or grouped by, they are named; computed ones come as keywords."""
    for name in names:
        if not isinstance(name, str):
            raise SchemaError(f"{operator}: expected the names of columns, got {name!r}")


def resolved(operator: str, of: ColumnExpression, scope: Scope) -> Expression:
    """The expression that a column expression means here; errors name the operator and the columns."""
    with explained(operator, scope):
        return of.resolve(scope)


def resolved_all(operator: str, conditions: tuple[ColumnExpression, ...], scope: Scope) -> Expression:
    """The conjunction of the conditions, of which there must be one at least."""
    if not conditions:
        raise SchemaError(f"{operator}: at least one condition is needed, got none")
    return resolved(operator, reduce(and_, map(as_column_expression, conditions)), scope)


def resolved_aggregates(
    operator: str, aggregates: dict[str, AggregateExpression], scope: Scope
) -> tuple[tuple[Aggregate, ...], tuple[str, ...]]:
    """The aggregates with their names; several of one expression are numbered from 1."""
    functions: list[Aggregate] = []
    names: list[str] = []
    for name, of in aggregates.items():
        if not isinstance(of, AggregateExpression):
            raise TypeMismatch(f"{operator}: {name} must be an aggregate like count() or sum_(…), got {of!r}")
        with explained(operator, scope):
            several = of.resolve(scope)
        functions += several
        names += [name] if len(several) == 1 else [f"{name}_{i}" for i in range(1, len(several) + 1)]
    return tuple(functions), tuple(names)
