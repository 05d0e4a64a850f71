"""Count windows over a whole stream: the last N occurrences, cut (ω^N) or with all their ties (ω^N≈)."""

from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER
from semantics.constraint import UniqueInstants


@rule("ω^N≈(A) ≐ ω^N(A) where no two rows are there at once", source="snapeq")
def no_ties_to_break(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    free.given(UniqueInstants("A"))
    return a.rows(n, ties=True), a.rows(n)


@rule("μ_f(ω^N≈(A)) ≐ ω^N≈(μ_f(A))", source="snapeq")
def map_through_rows_with_ties(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    f = free.function("f", a)
    return a.rows(n, ties=True).select(y=f), a.select(y=f).rows(n, ties=True)


@rule("μ_f(ω^N(A)) ≐ ω^N(μ_f(A)) where no two rows are there at once", source="snapeq")
def map_through_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    f = free.function("f", a)
    free.given(UniqueInstants("A"))
    return a.rows(n).select(y=f), a.select(y=f).rows(n)


@rule("μ_{id,f}(ω^{N,s}(A)) ≐ ω^{N,s}(μ_{id,f}(A))", source="snapeq")
def more_columns_through_rows(free: Free) -> Sides:
    """New columns come last, so the order of the rows stays."""
    a, n, s = free.stream("A"), free.number("N"), free.number("s")
    f, names = free.function("f", a), a.schema.names
    return a.rows(n, s).select(*names, y=f), a.select(*names, y=f).rows(n, s)


@rule("ω^M(A) ∩ ω^N(A) ≐ ω^M(A) where M ≤ N", source="snapeq")
def fewer_rows_are_contained(free: Free) -> Sides:
    a, m, n = free.stream("A"), free.number("M"), free.number("N")
    free.require("M ≤ N", m <= n)
    return a.rows(m).intersection(a.rows(n)), a.rows(m)


@rule("ω^{M,s}(A) ∩ ω^{N,s}(A) ≐ ω^{min(M,N),s}(A)", source="snapeq")
def intersection_of_rows(free: Free) -> Sides:
    a, m, n, s = free.stream("A"), free.number("M"), free.number("N"), free.number("s")
    return a.rows(m, s).intersection(a.rows(n, s)), a.rows(min(m, n), s)


@rule("ω^M≈(A) ∩ ω^N≈(A) ≐ ω^min(M,N)≈(A)", source="snapeq")
def intersection_of_rows_with_ties(free: Free) -> Sides:
    a, m, n = free.stream("A"), free.number("M"), free.number("N")
    return a.rows(m, ties=True).intersection(a.rows(n, ties=True)), a.rows(min(m, n), ties=True)


@rule("ω^N(A) ∩ ω^N≈(A) ≐ ω^N(A)", source="snapeq")
def ties_only_add_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.rows(n).intersection(a.rows(n, ties=True)), a.rows(n)


@rule("ω^{N,s}(A) ∩ ω^M(A) ≐ ω^{N,s}(A) where M ≥ N + s − 1", source="snapeq")
def rows_with_a_slide_are_contained_in_more_rows(free: Free) -> Sides:
    a, m, n, s = free.stream("A"), free.number("M"), free.number("N"), free.number("s")
    free.require("M ≥ N + s − 1", m >= n + s - 1)
    return a.rows(n, s).intersection(a.rows(m)), a.rows(n, s)


@rule("ω^N(A) ∩ ω_∞(A) ≐ ω^N(A)", source="snapeq")
def rows_are_contained_in_all_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.rows(n).intersection(a.window(FOREVER)), a.rows(n)


@rule("ω_N(A) ∩ ω^N(A) ≐ ω_N(A) where no two rows are there at once", source="snapeq")
def so_many_instants_have_no_more_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    free.given(UniqueInstants("A"))
    return a.window(n).intersection(a.rows(n)), a.window(n)


@rule("A ∩ ω^N≈(A) ≐ A", source="snapeq")
def rows_with_ties_contain_what_is_there(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.intersection(a.rows(n, ties=True)), a


@rule("ω^1(ω^1(A)) ≐ ω^1(A)", source="snapeq")
def last_row_twice(free: Free) -> Sides:
    a = free.stream("A")
    return a.rows(1).rows(1), a.rows(1)


@rule("ω^1≈(ω^N(A)) ≐ ω^N(A)", source="snapeq")
def last_instant_of_rows(free: Free) -> Sides:
    """Once there were rows there always are: the last instant that is not empty is now."""
    a, n = free.stream("A"), free.number("N")
    return a.rows(n).rows(1, ties=True), a.rows(n)


@rule("ω^1≈(ω^N≈(A)) ≐ ω^N≈(A)", source="snapeq")
def last_instant_of_rows_with_ties(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.rows(n, ties=True).rows(1, ties=True), a.rows(n, ties=True)


@rule("ω^1≈(ω_[a](A)) ≐ ω_[a](A)", source="snapeq")
def last_instant_of_landmark(free: Free) -> Sides:
    a, start = free.stream("A"), free.number("a", at_least=0)
    return a.landmark(start).rows(1, ties=True), a.landmark(start)


@rule("ω^1≈(δ(A)) ≐ δ(ω^1≈(A))", source="snapeq")
def last_instant_through_distinct(free: Free) -> Sides:
    a = free.stream("A")
    return a.distinct().rows(1, ties=True), a.rows(1, ties=True).distinct()


@rule("ω^1≈(α_f(A)) ≐ α_f(ω^1≈(A))", source="snapeq")
def last_instant_through_aggregation(free: Free) -> Sides:
    a = free.stream("A")
    f = free.aggregate("f", a)
    return a.aggregate(y=f).rows(1, ties=True), a.rows(1, ties=True).aggregate(y=f)


@rule("ω^1≈(γ_{P,f}(A)) ≐ γ_{P,f}(ω^1≈(A))", source="snapeq")
def last_instant_through_grouping(free: Free) -> Sides:
    a = free.stream("A")
    by, f = free.columns("P", a), free.aggregate("f", a)
    return a.group_by(*by).aggregate(y=f).rows(1, ties=True), a.rows(1, ties=True).group_by(*by).aggregate(y=f)


@rule("δ(ω^1(A)) ≐ ω^1(A)", source="snapeq")
def last_row_is_distinct(free: Free) -> Sides:
    a = free.stream("A")
    return a.rows(1).distinct(), a.rows(1)


@rule("ω^N(α_f(A)) ≐ ω^N≈(α_f(A))", source="snapeq")
def aggregation_has_no_ties(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    f = free.aggregate("f", a)
    return a.aggregate(y=f).rows(n), a.aggregate(y=f).rows(n, ties=True)


RULES: Final[tuple[Rule, ...]] = (
    no_ties_to_break,
    map_through_rows_with_ties,
    map_through_rows,
    more_columns_through_rows,
    fewer_rows_are_contained,
    intersection_of_rows,
    intersection_of_rows_with_ties,
    ties_only_add_rows,
    rows_with_a_slide_are_contained_in_more_rows,
    rows_are_contained_in_all_rows,
    so_many_instants_have_no_more_rows,
    rows_with_ties_contain_what_is_there,
    last_row_twice,
    last_instant_of_rows,
    last_instant_of_rows_with_ties,
    last_instant_of_landmark,
    last_instant_through_distinct,
    last_instant_through_aggregation,
    last_instant_through_grouping,
    last_row_is_distinct,
    aggregation_has_no_ties,
)
