"""What a key makes possible: no duplicates, groups of one row, at most one partner."""

from typing import Final

from equivalence.rules.idioms import equal, in_order, twins
from equivalence.rules.literature import OURS, TEXTBOOK
from equivalence.rules.statement import Free, Sides, rule
from semantics import Query, Type, case, col, count, count_distinct, left, lit, max_, right, sum_
from semantics.constraint import Key, NotNull

MATCH: Final = col("a1") == col("b1")


def _keyed(free: Free) -> Query:
    """A stream whose first column x is its key, and with another column p."""
    a = free.stream("A", types=(Type.INT, Type.INT))
    free.given(Key("A", ("a1",)))
    return a


def _led(free: Free) -> tuple[Query, Query]:
    """Two streams, to be joined on a column x of the first and the key y of the second."""
    a, b = free.stream("A", types=(Type.INT, Type.INT)), free.stream("B", types=(Type.INT, Type.INT))
    free.given(Key("B", ("b1",)))
    return a, b


@rule("δ(A) ≐ A", source=TEXTBOOK)
def keyed_rows_are_distinct(free: Free) -> Sides:
    a = _keyed(free)
    return a.distinct(), a


@rule("δ(π_x(A)) ≐ π_x(A)", source=TEXTBOOK)
def key_columns_are_distinct(free: Free) -> Sides:
    a = _keyed(free)
    return a.select("a1").distinct(), a.select("a1")


@rule("δ(A − B) ≐ A − B", source=OURS)
def difference_stays_keyed(free: Free) -> Sides:
    a = _keyed(free)
    b = free.stream("B", like=a)
    return a.difference(b).distinct(), a.difference(b)


@rule("γ_{x; MAX(p)}(A) ≐ A", source=TEXTBOOK)
def maximum_by_a_key(free: Free) -> Sides:
    a = _keyed(free)
    return a.group_by("a1").aggregate(m=max_("a2")), a


@rule("γ_{x; SUM(p)}(A) ≐ A", source=TEXTBOOK)
def sum_by_a_key(free: Free) -> Sides:
    a = _keyed(free)
    return a.group_by("a1").aggregate(s=sum_("a2")), a


@rule("γ_{x; COUNT(*)}(A) ≐ μ_{x,1}(A)", source=TEXTBOOK)
def count_by_a_key(free: Free) -> Sides:
    a = _keyed(free)
    return a.group_by("a1").aggregate(n=count()), a.select("a1", n=lit(1))


@rule("γ_{x; COUNT(p)}(A) ≐ μ_{x, 0 if p is NULL else 1}(A)", source=OURS)
def count_of_values_by_a_key(free: Free) -> Sides:
    a = _keyed(free)
    return a.group_by("a1").aggregate(n=count("a2")), a.select("a1", n=case((col("a2").is_null(), 0), default=1))


@rule("α_{COUNT(DISTINCT x)}(A) ≐ α_{COUNT(*)}(A)", source=TEXTBOOK)
def every_key_counts_once(free: Free) -> Sides:
    a = _keyed(free)
    return a.aggregate(n=count_distinct("a1")), a.aggregate(n=count())


@rule("A ⋈_{x=x'} ρ(A) ≐ μ_{A,A}(A): a join of a stream with itself on its key", source=OURS)
def self_join_on_a_key(free: Free) -> Sides:
    a = _keyed(free)
    again = a.prefix("other_")
    twice = {name: col(old) for name, old in zip(again.schema.names, a.schema.names, strict=True)}
    return a.join(again, col("a1") == col("other_a1")), a.select(*a.schema.names, **twice)


@rule("A ⋉_{x=x'} A ≐ A", source=OURS)
def self_semijoin(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT, Type.STR))
    free.given(NotNull("A", ("a1",)))
    return a.semijoin(a, left("a1") == right("a1")), a


@rule("A ∩ B ≐ A ⋉_{all columns =} B, all columns of A being its key", source=OURS)
def intersection_of_keys(free: Free) -> Sides:
    a, b = twins(free)
    free.given(Key("A", a.schema.names))
    return a.intersection(b), a.semijoin(b, equal(a))


@rule("A − B ≐ A ▷_{all columns =} B, all columns of A being its key", source=OURS)
def difference_of_keys(free: Free) -> Sides:
    a, b = twins(free)
    free.given(Key("A", a.schema.names))
    return a.difference(b), a.antijoin(b, equal(a))


@rule("π_A(A ⋈_{x=y} B) ≐ A ⋉_{x=y} B", source=TEXTBOOK)
def join_on_a_key_as_semijoin(free: Free) -> Sides:
    a, b = _led(free)
    return in_order(a.join(b, MATCH), a), a.semijoin(b, MATCH)


@rule("π_A(A ⟕_{x=y} B) ≐ A", source=OURS)
def left_join_on_a_key_is_lossless(free: Free) -> Sides:
    a, b = _led(free)
    return in_order(a.left_join(b, MATCH), a), a


@rule("α_{COUNT(*)}(A ⟕_{x=y} B) ≐ α_{COUNT(*)}(A)", source=OURS)
def left_join_on_a_key_keeps_the_count(free: Free) -> Sides:
    a, b = _led(free)
    return a.left_join(b, MATCH).aggregate(n=count()), a.aggregate(n=count())


@rule("δ(A ⋈_{x=y} B) ≐ A ⋈_{x=y} B", source=TEXTBOOK)
def join_of_keyed_streams(free: Free) -> Sides:
    a, b = _led(free)
    free.given(Key("A", ("a1",)))
    return a.join(b, MATCH).distinct(), a.join(b, MATCH)


@rule("δ(π_A(A ⋈_{p=y} B)) ≐ π_A(A ⋈_{p=y} B): A's key stays one", source=TEXTBOOK)
def join_keeps_the_key(free: Free) -> Sides:
    a, b = _led(free)
    free.given(Key("A", ("a1",)))
    joined = in_order(a.join(b, col("a2") == col("b1")), a)
    return joined.distinct(), joined


@rule("γ_{y,s;f}(A ⋈_{x=y} B(y,s)) ≐ γ_{y; MAX(s), f}(A ⋈_{x=y} B(y,s)), f over A", source=OURS)
def group_column_that_depends_on_a_key(free: Free) -> Sides:
    a, b = _led(free)
    f = free.aggregate("f", a)
    joined = a.join(b, MATCH)
    return joined.group_by("b1", "b2").aggregate(x=f), joined.group_by("b1").aggregate(s=max_("b2"), x=f)


RULES: Final = (
    keyed_rows_are_distinct,
    key_columns_are_distinct,
    difference_stays_keyed,
    maximum_by_a_key,
    sum_by_a_key,
    count_by_a_key,
    count_of_values_by_a_key,
    every_key_counts_once,
    self_join_on_a_key,
    self_semijoin,
    intersection_of_keys,
    difference_of_keys,
    join_on_a_key_as_semijoin,
    left_join_on_a_key_is_lossless,
    left_join_on_a_key_keeps_the_count,
    join_of_keyed_streams,
    join_keeps_the_key,
    group_column_that_depends_on_a_key,
)
