"""Tempting claims about Istream and Dstream that are false: what comes may replace what goes, unseen."""

from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER, Type, col, count


@rule("Istream(A) ≐ A", source="snapeq", valid=False)
def istream_is_the_identity(free: Free) -> Sides:
    a = free.stream("A")
    return a.istream(), a


@rule("Istream(ω_w(A)) ≐ A", source="snapeq", valid=False)
def istream_undoes_every_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).istream(), a


@rule("ω_∞(Istream(A)) ≐ A", source="snapeq", valid=False)
def unbounded_window_undoes_istream(free: Free) -> Sides:
    a = free.stream("A")
    return a.istream().window(FOREVER), a


@rule("Istream(A ∪ B) ≐ Istream(A) ∪ Istream(B)", source="snapeq", valid=False)
def istream_through_union(free: Free) -> Sides:
    a = free.stream("A")
    b = free.stream("B", like=a)
    return a.union(b).istream(), a.istream().union(b.istream())


@rule("Istream(μ_f(A)) ≐ μ_f(Istream(A))", source="snapeq", valid=False)
def istream_through_map(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    return a.select(y=f).istream(), a.istream().select(y=f)


@rule("Dstream(μ_f(A)) ≐ μ_f(Dstream(A))", source="snapeq", valid=False)
def dstream_through_map(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    return a.select(y=f).dstream(), a.dstream().select(y=f)


@rule("Istream(δ(A)) ≐ δ(Istream(A))", source="snapeq", valid=False)
def istream_through_distinct(free: Free) -> Sides:
    a = free.stream("A")
    return a.distinct().istream(), a.istream().distinct()


@rule("Istream(A − B) ≐ Istream(A) − Istream(B)", source="snapeq", valid=False)
def istream_through_difference(free: Free) -> Sides:
    a = free.stream("A")
    b = free.stream("B", like=a)
    return a.difference(b).istream(), a.istream().difference(b.istream())


@rule("Istream(A ⋈ B) ≐ Istream(A) ⋈ Istream(B)", source="snapeq", valid=False)
def istream_through_join(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT,))
    on = col("a1") == col("b1")
    return a.join(b, on).istream(), a.istream().join(b.istream(), on)


@rule("Istream(Istream(A)) ≐ Istream(A)", source="snapeq", valid=False)
def istream_is_idempotent(free: Free) -> Sides:
    a = free.stream("A")
    return a.istream().istream(), a.istream()


@rule("Istream(ω_w(A)) ≐ ω_w(Istream(A))", source="snapeq", valid=False)
def istream_through_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).istream(), a.istream().window(w)


@rule("Istream(α_count(ω_∞(A))) ≐ Rstream(α_count(ω_1(A)))", source="snapeq", valid=False)
def window_reduction_under_aggregation(free: Free) -> Sides:
    a = free.stream("A")
    return a.window(FOREVER).aggregate(n=count()).istream(), a.window(1).aggregate(n=count()).rstream()


@rule("Istream(ω_∞(A) ⋈ ω_∞(B)) ≐ (A ⋈ ω_∞(B)) ∪ (ω_∞(A) ⋈ B)", source="snapeq", valid=False)
def istream_of_join_without_the_delay(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT,))
    on = col("a1") == col("b1")
    all_a, all_b = a.window(FOREVER), b.window(FOREVER)
    return all_a.join(all_b, on).istream(), a.join(all_b, on).union(all_a.join(b, on))


FALSE: Final[tuple[Rule, ...]] = (
    istream_is_the_identity,
    istream_undoes_every_window,
    unbounded_window_undoes_istream,
    istream_through_union,
    istream_through_map,
    dstream_through_map,
    istream_through_distinct,
    istream_through_difference,
    istream_through_join,
    istream_is_idempotent,
    istream_through_window,
    window_reduction_under_aggregation,
    istream_of_join_without_the_delay,
)
