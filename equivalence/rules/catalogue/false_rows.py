"""Tempting claims about count windows that are false: what is among the last depends on all that is there."""

from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER, col


@rule("σ_p(ω^N(A)) ≐ ω^N(σ_p(A))", source="snapeq", valid=False)
def filter_through_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    p = free.predicate("p", a)
    return a.rows(n).filter(p), a.filter(p).rows(n)


@rule("σ_p(ω^N≈(A)) ≐ ω^N≈(σ_p(A))", source="snapeq", valid=False)
def filter_through_rows_with_ties(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    p = free.predicate("p", a)
    return a.rows(n, ties=True).filter(p), a.filter(p).rows(n, ties=True)


@rule("μ_{f,id}(ω^N(A)) ≐ ω^N(μ_{f,id}(A))", source="snapeq", valid=False)
def more_columns_in_front_through_rows(free: Free) -> Sides:
    """No two rows become the same, but their order may change."""
    a, n = free.stream("A"), free.number("N")
    f, names = free.function("f", a), a.schema.names
    columns = {"y": f, **{name: col(name) for name in names}}
    return a.rows(n).select(**columns), a.select(**columns).rows(n)


@rule("ω^N(A ∪ B) ≐ ω^N(A) ∪ ω^N(B)", source="snapeq", valid=False)
def union_through_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    b = free.stream("B", like=a)
    return a.union(b).rows(n), a.rows(n).union(b.rows(n))


@rule("ω^N(δ(A)) ≐ δ(ω^N(A))", source="snapeq", valid=False)
def distinct_through_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.distinct().rows(n), a.rows(n).distinct()


@rule("ω^N(ω^N(A)) ≐ ω^N(A)", source="snapeq", valid=False)
def rows_are_idempotent(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.rows(n).rows(n), a.rows(n)


@rule("ω^1(ω^N(A)) ≐ ω^1(A)", source="snapeq", valid=False)
def last_row_of_the_last_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.rows(n).rows(1), a.rows(1)


@rule("ω_w(ω^N(A)) ≐ ω^N(ω_w(A))", source="snapeq", valid=False)
def time_and_count_windows_commute(free: Free) -> Sides:
    a, w, n = free.stream("A"), free.number("w"), free.number("N")
    return a.rows(n).window(w), a.window(w).rows(n)


@rule("ω^{N,N}(A) ≐ ω^N(A)", source="snapeq", valid=False)
def tumbling_rows_are_the_last_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.rows(n, n), a.rows(n)


@rule("ω^{N,s}(A) ∩ ω^N(A) ≐ ω^{N,s}(A)", source="snapeq", valid=False)
def rows_with_a_slide_are_among_the_last(free: Free) -> Sides:
    a, n, s = free.stream("A"), free.number("N"), free.number("s")
    return a.rows(n, s).intersection(a.rows(n)), a.rows(n, s)


@rule("A ∩ ω^N(A) ≐ A", source="snapeq", valid=False)
def rows_contain_what_is_there(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.intersection(a.rows(n)), a


@rule("ω^1≈(ω_w(A)) ≐ ω_w(A)", source="snapeq", valid=False)
def last_instant_of_a_window(free: Free) -> Sides:
    a, w = free.stream("A"), free.number("w")
    return a.window(w).rows(1, ties=True), a.window(w)


@rule("σ_p(ω^N_P(A)) ≐ ω^N_P(σ_p(A))", source="snapeq", valid=False)
def filter_through_partitions(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    by, p = free.columns("P", a), free.predicate("p", a)
    return a.rows(n, by=by).filter(p), a.filter(p).rows(n, by=by)


@rule("ω^N_P(A) ∩ ω^N(A) ≐ ω^N_P(A)", source="snapeq", valid=False)
def partitions_are_among_the_last(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    by = free.columns("P", a)
    return a.rows(n, by=by).intersection(a.rows(n)), a.rows(n, by=by)


@rule("ω^N_{all columns}(A) ≐ ω_∞(A)", source="snapeq", valid=False)
def own_partitions_keep_everything(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.rows(n, by=a.schema.names), a.window(FOREVER)


@rule("ω^N_P(A ∪ B) ≐ ω^N_P(A) ∪ ω^N_P(B)", source="snapeq", valid=False)
def union_through_partitions(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    b = free.stream("B", like=a)
    by = free.columns("P", a)
    return a.union(b).rows(n, by=by), a.rows(n, by=by).union(b.rows(n, by=by))


FALSE: Final[tuple[Rule, ...]] = (
    filter_through_rows,
    filter_through_rows_with_ties,
    more_columns_in_front_through_rows,
    union_through_rows,
    distinct_through_rows,
    rows_are_idempotent,
    last_row_of_the_last_rows,
    time_and_count_windows_commute,
    tumbling_rows_are_the_last_rows,
    rows_with_a_slide_are_among_the_last,
    rows_contain_what_is_there,
    last_instant_of_a_window,
    filter_through_partitions,
    partitions_are_among_the_last,
    own_partitions_keep_everything,
    union_through_partitions,
)
