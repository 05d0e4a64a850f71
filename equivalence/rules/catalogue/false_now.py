"""Tempting claims about now that are false: each takes an operator that asks for now for a snapshot-reducible one."""

from typing import Final

from equivalence.rules.catalogue.now import stamped
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER, Type, col, now


@rule("σ_{now < f}(ω_w(A)) ≐ ω_w(σ_{now < f}(A))", source="snapeq", valid=False)
def filter_by_now_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    f = free.function("f", a, type_=Type.INT)
    return a.window(w).filter(now() < f), a.filter(now() < f).window(w)


@rule("μ_{…, now as ts}(ω_w(A)) ≐ ω_w(μ_{…, now as ts}(A))", source="snapeq", valid=False)
def stamp_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return stamped(a.window(w)), stamped(a).window(w)


@rule("Istream(σ_{now ≥ c}(A)) ≐ σ_{now ≥ c}(Istream(A))", source="snapeq", valid=False)
def filter_that_begins_through_istream(free: Free) -> Sides:
    a, c = free.stream("A"), free.constant("c", Type.INT)
    return a.filter(now() >= c).istream(), a.istream().filter(now() >= c)


@rule("σ_{now ≤ ts+3}(ω_∞(μ_{…, now as ts}(A))) ≐ ω_3(μ_{…, now as ts}(A))", source="snapeq", valid=False)
def temporal_filter_with_its_end(free: Free) -> Sides:
    events = stamped(free.stream("A"))
    return events.window(FOREVER).filter(now() <= col("ts") + 3), events.window(3)


@rule("A ⟕_{p and now < c} B ≐ σ_{now < c}(A) ⟕_p B", source="snapeq", valid=False)
def condition_on_now_out_of_left_join(free: Free) -> Sides:
    a, b, c = free.stream("A"), free.stream("B"), free.constant("c", Type.INT)
    p = free.predicate("p", a, b)
    return a.left_join(b, p & (now() < c)), a.filter(now() < c).left_join(b, p)


@rule("δ(μ_{…, now as ts}(ω_w(A))) ≐ μ_{…, now as ts}(δ(A))", source="snapeq", valid=False)
def distinct_stamps_forget_the_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return stamped(a.window(w)).distinct(), stamped(a.distinct())


FALSE: Final[tuple[Rule, ...]] = (
    filter_by_now_through_window,
    stamp_through_window,
    filter_that_begins_through_istream,
    temporal_filter_with_its_end,
    condition_on_now_out_of_left_join,
    distinct_stamps_forget_the_window,
)
