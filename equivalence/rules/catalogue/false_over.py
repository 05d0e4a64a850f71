"""Tempting claims about OVER that are false: a row is computed from those before it, and ties count."""

from typing import Final

from equivalence.rules.idioms import twins
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import count, lag, lead, rank, row_number
from semantics.builder.over_functions import last_value
from semantics.time import FOREVER


@rule("σ_p(κ_{lag(x)}(A)) ≐ κ_{lag(x)}(σ_p(A))", source="snapeq", valid=False)
def filter_through_over(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a.over(before=lag(a.schema.names[0])).filter(p), a.filter(p).over(before=lag(a.schema.names[0]))


@rule("κ_{count(*) over ROWS n}(A) ≐ κ_{count(*) over RANGE n}(A)", source="snapeq", valid=False)
def rows_are_instants(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    return a.over(c=count().over(rows=n)), a.over(c=count().over(range_=n))


@rule("κ_{last(x) over RANGE UNBOUNDED}(A) ≐ κ_{last(x) over ROWS UNBOUNDED}(A)", source="snapeq", valid=False)
def the_last_row_of_a_frame_is_the_row(free: Free) -> Sides:
    """The frame of a range ends with the last peer of the instant."""
    a = free.stream("A")
    x = a.schema.names[-1]
    return a.over(z=last_value(x)), a.over(z=last_value(x, rows=FOREVER))


@rule("κ_{rank}(A) ≐ κ_{row_number}(A)", source="snapeq", valid=False)
def no_two_rows_of_an_instant(free: Free) -> Sides:
    a = free.stream("A")
    return a.over(n=rank()), a.over(n=row_number())


@rule("κ_{row_number}(A ∪ B) ≐ κ_{row_number}(A) ∪ κ_{row_number}(B)", source="snapeq", valid=False)
def union_through_over(free: Free) -> Sides:
    a, b = twins(free)
    return a.union(b).over(n=row_number()), a.over(n=row_number()).union(b.over(n=row_number()))


@rule("κ_{lead(x),P}(A) ≐ κ_{lead(x)}(A)", source="snapeq", valid=False)
def lead_without_groups(free: Free) -> Sides:
    a = free.stream("A")
    x = a.schema.names[-1]
    return a.over(by=free.columns("P", a), after=lead(x)), a.over(after=lead(x))


FALSE: Final[tuple[Rule, ...]] = (
    filter_through_over,
    rows_are_instants,
    the_last_row_of_a_frame_is_the_row,
    no_two_rows_of_an_instant,
    union_through_over,
    lead_without_groups,
)
