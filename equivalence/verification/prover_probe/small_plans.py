"""All small plans over one column: every operator, and every kind of window, aggregate and predicate."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

from semantics import FOREVER, Query, case, coalesce, col, first_value, lag, last_value, row_number, source
from semantics.builder.aggregate_expression import (
    AggregateExpression,
    avg,
    count,
    count_distinct,
    max_,
    median,
    min_,
    sum_,
    top,
)
from semantics.plan import Source, Union

A: Final = source("A", x=int)
B: Final = source("B", x=int)
X, Y = col("x"), col("y")
SOURCES: Final = (A, B)


def unary(query: Query) -> Iterator[Query]:
    """One more operator on top, always with one integer column again."""
    yield from (query.filter(predicate) for predicate in (X > 0, ~(X > 0), X.is_null(), (X <= 0) | X.is_null()))
    yield from (query.select(x=made) for made in (case((X > 0, 1), default=0), -X, coalesce(X, 0)))
    yield query.distinct()
    yield from _limits(query)
    yield from _windows(query)
    yield from (query.istream(), query.dstream(), query.rstream())
    yield from (query.aggregate(x=function) for function in _functions())
    yield from (query.aggregate(on_empty=True, x=function) for function in (count(), sum_("x")))
    yield from (_sign(query.aggregate(x=function)) for function in (avg("x"), median("x")))
    yield query.aggregate(x=top("x", 2)).select(x=col("x_2"))
    yield query.group_by("x").aggregate(n=count()).select(x=col("n"))
    yield query.group_by("x").aggregate(s=sum_("x")).select("x")
    if all(isinstance(node, Source | Union) for node in query.plan.walk()):
        yield from _in_time_order(query)


def _limits(query: Query) -> Iterator[Query]:
    yield from (query.limit(1), query.limit(2), query.limit(1, "x desc"), query.limit(1, "x", ranking="rank"))


def _windows(query: Query) -> Iterator[Query]:
    yield from (query.window(size, slide) for size, slide in ((1, 1), (2, 1), (3, 1), (FOREVER, 1), (2, 2), (1, 2)))
    yield from (query.rows(1), query.rows(2), query.rows(2, 2), query.rows(1, ties=True), query.rows(2, ties=True))
    yield from (query.rows(1, by="x"), query.rows(2, by="x"), query.rows(2, by="x", ties=True))
    yield from (query.landmark(1), query.landmark(0, 2))


def _in_time_order(query: Query) -> Iterator[Query]:
    """Sessions and OVER: over streams alone, because what is after the last instant of a case matters to them."""
    yield from (query.session(2).select("x"), query.session(1, touching=True).select(x=col("session_end")))
    yield query.session(2, by="x").select(x=col("session_start"))
    functions = count().over(range_=1), sum_("x").over(rows=1), row_number(), lag("x")
    yield from (query.over(y=function).select(x=Y) for function in functions)
    yield query.over(y=count().over(rows=1), by="x").select(x=Y)


def edges() -> Iterator[Query]:
    """The first and the last value of frames. They are among no other plans, and tried for their terms alone."""
    for query in (A, A.union(B)):
        for function in (first_value("x", rows=1), first_value("x", range_=1), last_value("x", range_=1)):
            yield query.over(y=function).select(x=Y)
            yield query.over(y=function, by="x").select(x=Y)


def _functions() -> tuple[AggregateExpression, ...]:
    return count(), count("x"), count_distinct("x"), sum_("x"), min_("x"), max_("x")


def _sign(query: Query) -> Query:
    return query.select(x=case((X > 0.0, 1), (X < 0.0, -1), default=0))


def binary(left: Query, right: Query) -> Iterator[Query]:
    """Two queries as one, of one column again."""
    other = right.rename(x="y")
    joins: tuple[Callable[..., Query], ...] = (left.join, left.left_join, left.right_join, left.full_join)
    yield from (left.union(right), left.difference(right), left.intersection(right))
    yield left.product(other).select("x")
    yield from (join(other, X == Y).select("x") for join in joins)
    yield left.join(other, X < Y).select(x=Y)
    yield left.left_join(other, X < Y).select(x=Y)
    yield from (left.semijoin(other, X == Y), left.antijoin(other, X == Y), left.antijoin(other, X <= Y))


def queries(operators: int) -> list[Query]:
    """All queries with exactly this many operators."""
    if operators == 0:
        return [*SOURCES]
    below = [queries(n) for n in range(operators)]
    made = [q for x in below[-1] for q in unary(x)]
    pairs = [pair for n in range(operators) for pair in product(below[n], below[operators - 1 - n])]
    return [*made, *(q for x, y in pairs for q in binary(x, y))]


def doubled() -> Iterator[Query]:
    """Every operator over a stream that holds everything twice."""
    yield from unary(A.union(A))


def larger() -> Iterator[Query]:
    """Queries with three operators: each one of two under one unary and one binary operator, in rotation."""
    for i, query in enumerate(queries(2)):
        yield _nth(unary(query), i)
        other = SOURCES[i % len(SOURCES)]
        yield _nth(binary(query, other) if i % 3 else binary(other, query), i)


def _nth(made: Iterator[Query], n: int) -> Query:
    several = list(made)
    return several[n % len(several)]
