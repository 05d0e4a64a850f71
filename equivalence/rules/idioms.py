"""Idioms that many rules share: how streams are paired, composed expressions, padding, column order."""

from functools import reduce
from operator import and_

from equivalence.rules.statement import Free
from semantics import ColumnExpression, Query, Scope, coalesce, col, left, lit, null, right
from semantics.aggregate import Aggregate
from semantics.builder.aggregate_expression import AggregateExpression
from semantics.substitute import Replacement, substitute, substitute_in_aggregate


def twins(free: Free) -> tuple[Query, Query]:
    """Any two streams with the same columns."""
    a = free.stream("A")
    return a, free.stream("B", like=a)


def triplets(free: Free) -> tuple[Query, Query, Query]:
    """Any three streams with the same columns."""
    a, b = twins(free)
    return a, b, free.stream("C", like=a)


def pair(free: Free) -> tuple[Query, Query, ColumnExpression]:
    """Any two streams, and any condition θ on which they may be joined."""
    a, b = free.stream("A"), free.stream("B")
    return a, b, free.predicate("θ", a, b)


def twins_and_another(free: Free) -> tuple[Query, Query, Query, ColumnExpression]:
    """Two streams with the same columns, any third, and any condition θ on which either may be joined with it."""
    a, b = twins(free)
    c = free.stream("C")
    return a, b, c, free.predicate("θ", a, c)


def chain(free: Free) -> tuple[Query, Query, ColumnExpression, Query, ColumnExpression]:
    """Two streams with a condition θ, and a third with a condition φ on the second."""
    a, b, on = pair(free)
    c = free.stream("C")
    return a, b, on, c, free.predicate("φ", b, c)


def star(free: Free) -> tuple[Query, Query, ColumnExpression, Query, ColumnExpression]:
    """Two streams with a condition θ, and a third with a condition φ on the first."""
    a, b, on = pair(free)
    c = free.stream("C")
    return a, b, on, c, free.predicate("φ", a, c)


def not_true(predicate: ColumnExpression) -> ColumnExpression:
    """TRUE where the predicate is FALSE or unknown: what a filter on it drops."""
    return ~coalesce(predicate, False)


def after(outer: ColumnExpression, over: Query, **inner: ColumnExpression) -> ColumnExpression:
    """The expression over a map's output as one over its input: each column replaced by what computes it.

    >>> from semantics import show_expression, source
    >>> a = source("A", x=int)
    >>> double = a.select(y=col("x") * 2)
    >>> show_expression(after(col("y") > 3, double, y=col("x") * 2).resolve(Scope(a.schema)), Scope(a.schema))
    'x * 2 > 3'
    """
    return ColumnExpression(lambda scope: substitute(outer.resolve(Scope(over.schema)), _computed(scope, over, inner)))


def aggregate_after(outer: AggregateExpression, over: Query, **inner: ColumnExpression) -> AggregateExpression:
    """The aggregate over a map's output as one over its input."""

    def resolve(scope: Scope) -> tuple[Aggregate, ...]:
        computed = _computed(scope, over, inner)
        return tuple(substitute_in_aggregate(one, computed) for one in outer.resolve(Scope(over.schema)))

    return AggregateExpression(resolve)


def same(query: Query) -> ColumnExpression:
    """The same row left and right, NULL being the same as NULL, where both inputs have the columns of this query."""
    return reduce(and_, [~left(name).is_distinct_from(right(name)) for name in query.schema.names])


def equal(query: Query) -> ColumnExpression:
    """Equal rows left and right in the sense of =, which no NULL ever is."""
    return reduce(and_, [left(name) == right(name) for name in query.schema.names])


def present(query: Query) -> ColumnExpression:
    """The first column is not NULL: a condition that no padded row of this query meets."""
    return ~col(query.schema.names[0]).is_null()


def nothing(like: Query) -> Query:
    """∅ with the columns of a query."""
    return like.filter(lit(False))


def larger_union(a: Query, b: Query) -> Query:
    """⊔: of every row the larger multiplicity."""
    return a.union(b.difference(a))


def in_order(query: Query, *parts: Query) -> Query:
    """The same columns in the order of these parts."""
    return query.select(*(name for part in parts for name in part.schema.names))


def padded(query: Query, other: Query) -> Query:
    """The rows of a query with NULL in the other's columns behind."""
    return query.select(*query.schema.names, **nulls(other))


def padded_before(other: Query, query: Query) -> Query:
    """The rows of a query with NULL in the other's columns in front."""
    return query.select(**nulls(other), **{name: col(name) for name in query.schema.names})


def extended(query: Query, **computed: ColumnExpression) -> Query:
    """All columns of a query, then computed ones."""
    return query.select(*query.schema.names, **computed)


def nulls(of: Query) -> dict[str, ColumnExpression]:
    """NULL for every column of a query."""
    return {column.name: null(column.type) for column in of.schema.columns}


def _computed(scope: Scope, over: Query, inner: dict[str, ColumnExpression]) -> Replacement:
    """For a reference to a map's output the expression that computes it, over the columns of its input."""
    return lambda ref: inner[over.schema.names[ref.index]].resolve(scope)
