"""Small plans over two columns, where groups have values of their own, and what may be declared of their streams."""

from collections.abc import Callable, Iterator
from typing import Final

from semantics import Query, coalesce, col, count, count_distinct, lag, lit, max_, min_, now, source, sum_
from semantics.builder.aggregate_expression import AggregateExpression
from semantics.constraint import (
    Constraint,
    DuplicateFree,
    Key,
    NotNull,
    Once,
    References,
    Unique,
    UniqueInstants,
)

A: Final = source("A", k=int, v=int)
B: Final = source("B", k=int, v=int)
K, V, OTHER_K, OTHER_V = col("k"), col("v"), col("other_k"), col("other_v")
DECLARED: Final[dict[str, tuple[Constraint, ...]]] = {
    "nothing": (),
    "no NULL": (NotNull("A", ("k", "v")), NotNull("B", ("k", "v"))),
    "a key and references to it": (Key("B", ("k",)), References("A", ("k",), "B", ("k",))),
}
FURTHER_DECLARED: Final[dict[str, tuple[Constraint, ...]]] = {
    "keys that come once": (Once("A", ("k",)),),
    "no duplicates": (DuplicateFree("A"), DuplicateFree("B")),
    "one row an instant": (UniqueInstants("A"), Unique("B", ("k",))),
}
"""Not yet part of `snapeq verify`: whether enough is proved from these to say something is not known."""
FUNCTIONS: Final[tuple[Callable[[str], AggregateExpression], ...]] = (max_, min_, sum_, count, count_distinct)


def unary(query: Query) -> Iterator[Query]:
    """One more operator on top, always with two integer columns again."""
    yield from (query.filter(predicate) for predicate in (V < 2, V != 1, K > 0, K == V, ~V.is_null()))
    yield from (query.distinct(), query.window(2), query.limit(1, "v", by="k"))
    yield query.select(k=K, v=lit(1)).distinct()
    yield from (query.select(k=V, v=K), query.select(k=K, v=coalesce(V, 0)), query.select(k=K, v=lit(1)))
    for function in FUNCTIONS:
        yield query.group_by("k").aggregate(v=function("v"))
    yield query.group_by("k").aggregate(v=max_("v"), n=count()).filter(col("n") > 1).select("k", "v")
    yield query.group_by("k").aggregate(v=sum_("v").filter(V < 2))
    yield query.group_by("k", "v").aggregate(n=count()).select(k=K, v=col("n"))


def further(query: Query) -> Iterator[Query]:
    """Operators that look at time or at other rows, with two integer columns again."""
    yield from (query.filter(now() >= K), query.select(k=K, v=now()), query.filter(now() + 1 > V))
    yield from (query.limit(1, "v desc"), query.limit(1, "v", by="k", ranking="rank"), query.limit(1, "v", offset=1))
    yield from (query.rows(2, by="k"), query.window(2, 2))
    for keys in ("k", ()):
        yield query.session(2, by=keys, names=("start", "end")).select(k=K, v=col("start"))
    yield query.over(by="k", n=sum_("v").over(range_=1)).select(k=K, v=col("n"))
    yield query.over(by="k", n=lag("v")).select(k=K, v=col("n"))
    yield query.group_by("k").aggregate(v=count_distinct("v").filter(V != 1))
    yield query.group_by("k").aggregate(v=max_("v"), n=min_("v")).select(k=K, v=coalesce(col("v"), col("n")))


def binary(left: Query, right: Query) -> Iterator[Query]:
    """Two queries as one, of two columns again."""
    other = right.rename(k="other_k", v="other_v")
    yield from (left.union(right), left.difference(right), left.intersection(right))
    for join in (left.join, left.left_join, left.full_join):
        yield from (join(other, K == OTHER_K).select("k", "v"), join(other, K == OTHER_K).select(k=K, v=OTHER_V))
    yield from (left.semijoin(other, K == OTHER_K), left.antijoin(other, K == OTHER_K))


def queries() -> list[Query]:
    """All of up to two operators, one of which has two inputs at most."""
    one, two = [*unary(A)], [*binary(A, B)]
    over_one = [made for query in one for made in unary(query)]
    over_two = [made for query in two for made in unary(query)]
    below_two = [made for q in unary(A) for made in binary(q, B)] + [made for q in unary(B) for made in binary(A, q)]
    return [A, *one, *two, *over_one, *over_two, *below_two]


def further_queries() -> list[Query]:
    """All of one of the further operators, alone, below another operator, over one, or on one side of two inputs."""
    new = [*further(A)]
    above = [made for query in new for made in unary(query)]
    below = [made for query in unary(A) for made in further(query)]
    beside = [made for query in new for made in binary(query, B)]
    return [*new, *above, *below, *beside]


def extremes(query: Query) -> Iterator[Query]:
    """The values of all rows in one row."""
    yield from (query.aggregate(v=max_("v")), query.aggregate(v=min_("v")))


def where_both_are(one: Query, other: Query) -> tuple[Query, Query]:
    """Two queries of one column where both hold something, so that only what they hold may differ."""
    return one.semijoin(other.rename(v="other_v"), lit(True)), other.semijoin(one.rename(v="other_v"), lit(True))
