"""Expressions that ask for now: filters by time, and rows that carry their instant."""

from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER, Query, Type, col, max_, min_, now


def stamped(a: Query) -> Query:
    """μ_{…, now as ts}: every row with the instant at which it is there."""
    return a.select(**{name: col(name) for name in a.schema.names}, ts=now())


@rule("σ_{now < ts+3}(ω_∞(μ_{…, now as ts}(A))) ≐ ω_3(μ_{…, now as ts}(A))", source="snapeq")
def temporal_filter_is_a_window(free: Free) -> Sides:
    events = stamped(free.stream("A"))
    return events.window(FOREVER).filter(now() < col("ts") + 3), events.window(3)


@rule("σ_{now = ts}(ω_∞(μ_{…, now as ts}(A))) ≐ μ_{…, now as ts}(A)", source="snapeq")
def rows_of_this_instant(free: Free) -> Sides:
    events = stamped(free.stream("A"))
    return events.window(FOREVER).filter(now() == col("ts")), events


@rule("σ_{ts = now}(μ_{…, now as ts}(A)) ≐ μ_{…, now as ts}(A)", source="snapeq")
def a_stamp_is_now(free: Free) -> Sides:
    events = stamped(free.stream("A"))
    return events.filter(col("ts") == now()), events


@rule("σ_{now ≥ 0}(A) ≐ A", source="snapeq")
def time_begins_at_zero(free: Free) -> Sides:
    a = free.stream("A")
    return a.filter(now() >= 0), a


@rule("σ_{now < c}(σ_p(A)) ≐ σ_p(σ_{now < c}(A))", source="snapeq")
def filter_by_now_commutes_with_filter(free: Free) -> Sides:
    a, c = free.stream("A"), free.constant("c", Type.INT)
    p = free.predicate("p", a)
    return a.filter(p).filter(now() < c), a.filter(now() < c).filter(p)


@rule("σ_{now < c}(A ∪ B) ≐ σ_{now < c}(A) ∪ σ_{now < c}(B)", source="snapeq")
def filter_by_now_through_union(free: Free) -> Sides:
    a, c = free.stream("A"), free.constant("c", Type.INT)
    b = free.stream("B", like=a)
    return a.union(b).filter(now() < c), a.filter(now() < c).union(b.filter(now() < c))


@rule("A ⋈_{p and now < c} B ≐ σ_{now < c}(A) ⋈_p B", source="snapeq")
def condition_on_now_out_of_join(free: Free) -> Sides:
    a, b, c = free.stream("A"), free.stream("B"), free.constant("c", Type.INT)
    p = free.predicate("p", a, b)
    return a.join(b, p & (now() < c)), a.filter(now() < c).join(b, p)


@rule("α_{max(now)}(A) ≐ α_{min(now)}(A)", source="snapeq")
def now_is_the_same_for_all_rows(free: Free) -> Sides:
    a = free.stream("A")
    return a.aggregate(t=max_(now())), a.aggregate(t=min_(now()))


@rule("Istream(σ_{now < c}(A)) ≐ σ_{now < c}(Istream(A))", source="snapeq")
def filter_that_ends_through_istream(free: Free) -> Sides:
    a, c = free.stream("A"), free.constant("c", Type.INT)
    return a.filter(now() < c).istream(), a.istream().filter(now() < c)


RULES: Final[tuple[Rule, ...]] = (
    temporal_filter_is_a_window,
    rows_of_this_instant,
    a_stamp_is_now,
    time_begins_at_zero,
    filter_by_now_commutes_with_filter,
    filter_by_now_through_union,
    condition_on_now_out_of_join,
    now_is_the_same_for_all_rows,
    filter_that_ends_through_istream,
)
