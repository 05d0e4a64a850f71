"""The operators of CQL between streams and relations: Istream, Dstream, Rstream."""

from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER


@rule("Rstream(A) ≐ A", source="snapeq")
def rstream_is_the_identity(free: Free) -> Sides:
    a = free.stream("A")
    return a.rstream(), a


@rule("Istream(ω_∞(A)) ≐ A", source="Arasu, Babu & Widom 2006 (window reduction)")
def istream_of_unbounded_window(free: Free) -> Sides:
    a = free.stream("A")
    return a.window(FOREVER).istream(), a


@rule("Istream(μ_f(σ_p(ω_∞(A)))) ≐ Rstream(μ_f(σ_p(ω_1(A))))", source="Arasu, Babu & Widom 2006 (window reduction)")
def window_reduction(free: Free) -> Sides:
    a = free.stream("A")
    p, f = free.predicate("p", a), free.function("f", a)
    return (
        a.window(FOREVER).filter(p).select(y=f).istream(),
        a.window(1).filter(p).select(y=f).rstream(),
    )


@rule("Istream(ω_∞(A) ∪ ω_∞(B)) ≐ A ∪ B", source="snapeq")
def istream_of_union_of_unbounded_windows(free: Free) -> Sides:
    a = free.stream("A")
    b = free.stream("B", like=a)
    return a.window(FOREVER).union(b.window(FOREVER)).istream(), a.union(b)


@rule("B ∪ Dstream(ω_∞(A)) ≐ B", source="snapeq")
def nothing_leaves_an_unbounded_window(free: Free) -> Sides:
    a = free.stream("A")
    b = free.stream("B", like=a)
    return b.union(a.window(FOREVER).dstream()), b


@rule("ω_∞(Istream(A)) − ω_∞(Dstream(A)) ≐ A", source="snapeq")
def what_came_and_did_not_leave(free: Free) -> Sides:
    a = free.stream("A")
    return a.istream().window(FOREVER).difference(a.dstream().window(FOREVER)), a


@rule("ω_∞(Istream(A)) ≐ A ∪ ω_∞(Dstream(A))", source="snapeq")
def what_came_is_there_or_left(free: Free) -> Sides:
    a = free.stream("A")
    return a.istream().window(FOREVER), a.union(a.dstream().window(FOREVER))


@rule("ω_∞(Istream(ω_[a](A))) ≐ ω_[a](A)", source="snapeq")
def unbounded_window_undoes_istream_of_landmark(free: Free) -> Sides:
    a, start = free.stream("A"), free.number("a", at_least=0)
    return a.landmark(start).istream().window(FOREVER), a.landmark(start)


@rule("ω_∞(Istream(δ(ω_∞(A)))) ≐ δ(ω_∞(A))", source="snapeq")
def unbounded_window_undoes_istream_of_distinct(free: Free) -> Sides:
    seen = free.stream("A").window(FOREVER).distinct()
    return seen.istream().window(FOREVER), seen


@rule("Istream(σ_p(A)) ≐ σ_p(Istream(A))", source="snapeq")
def filter_through_istream(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a.filter(p).istream(), a.istream().filter(p)


@rule("Dstream(σ_p(A)) ≐ σ_p(Dstream(A))", source="snapeq")
def filter_through_dstream(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return a.filter(p).dstream(), a.dstream().filter(p)


@rule("Istream(μ_{id,f}(A)) ≐ μ_{id,f}(Istream(A))", source="snapeq")
def more_columns_through_istream(free: Free) -> Sides:
    """The map keeps all columns and adds one: no two rows become the same."""
    a = free.stream("A")
    f, names = free.function("f", a), a.schema.names
    return a.select(*names, y=f).istream(), a.istream().select(*names, y=f)


@rule("Dstream(μ_{id,f}(A)) ≐ μ_{id,f}(Dstream(A))", source="snapeq")
def more_columns_through_dstream(free: Free) -> Sides:
    a = free.stream("A")
    f, names = free.function("f", a), a.schema.names
    return a.select(*names, y=f).dstream(), a.dstream().select(*names, y=f)


@rule("Istream(Rstream(A)) ≐ Istream(A)", source="snapeq")
def istream_of_rstream(free: Free) -> Sides:
    a = free.stream("A")
    return a.rstream().istream(), a.istream()


@rule("Istream(A) ∩ A ≐ Istream(A)", source="snapeq")
def istream_is_contained(free: Free) -> Sides:
    a = free.stream("A")
    return a.istream().intersection(a), a.istream()


@rule("Istream(A) − Dstream(A) ≐ Istream(A)", source="snapeq")
def nothing_comes_and_goes_at_once(free: Free) -> Sides:
    a = free.stream("A")
    return a.istream().difference(a.dstream()), a.istream()


@rule("Dstream(A) − Istream(A) ≐ Dstream(A)", source="snapeq")
def nothing_goes_and_comes_at_once(free: Free) -> Sides:
    a = free.stream("A")
    return a.dstream().difference(a.istream()), a.dstream()


@rule("δ(Istream(δ(A))) ≐ Istream(δ(A))", source="snapeq")
def istream_of_distinct_has_no_duplicates(free: Free) -> Sides:
    a = free.stream("A")
    return a.distinct().istream().distinct(), a.distinct().istream()


@rule("Istream(ω_w(A)) ∩ A ≐ Istream(ω_w(A))", source="snapeq")
def what_enters_a_window_is_in_its_stream(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).istream().intersection(a), a.window(w).istream()


@rule("Istream(A ∪ B) ∩ (Istream(A) ∪ Istream(B)) ≐ Istream(A ∪ B)", source="snapeq")
def istream_of_union_is_contained(free: Free) -> Sides:
    a = free.stream("A")
    b = free.stream("B", like=a)
    came = a.union(b).istream()
    return came.intersection(a.istream().union(b.istream())), came


@rule("Istream(μ_f(A)) ∩ μ_f(Istream(A)) ≐ Istream(μ_f(A))", source="snapeq")
def istream_of_map_is_contained(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    came = a.select(y=f).istream()
    return came.intersection(a.istream().select(y=f)), came


@rule("Dstream(A ∪ B) ∩ (Dstream(A) ∪ Dstream(B)) ≐ Dstream(A ∪ B)", source="snapeq")
def dstream_of_union_is_contained(free: Free) -> Sides:
    a = free.stream("A")
    b = free.stream("B", like=a)
    went = a.union(b).dstream()
    return went.intersection(a.dstream().union(b.dstream())), went


RULES: Final[tuple[Rule, ...]] = (
    rstream_is_the_identity,
    istream_of_unbounded_window,
    window_reduction,
    istream_of_union_of_unbounded_windows,
    nothing_leaves_an_unbounded_window,
    what_came_and_did_not_leave,
    what_came_is_there_or_left,
    unbounded_window_undoes_istream_of_landmark,
    unbounded_window_undoes_istream_of_distinct,
    filter_through_istream,
    filter_through_dstream,
    more_columns_through_istream,
    more_columns_through_dstream,
    istream_of_rstream,
    istream_is_contained,
    nothing_comes_and_goes_at_once,
    nothing_goes_and_comes_at_once,
    istream_of_distinct_has_no_duplicates,
    what_enters_a_window_is_in_its_stream,
    istream_of_union_is_contained,
    istream_of_map_is_contained,
    dstream_of_union_is_contained,
)
