"""Partitioned windows: the last N occurrences of every group of the columns P; ω^N_P, with ties ω^N_P≈."""

from typing import Final

from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import FOREVER, Type, col, lit
from semantics.constraint import UniqueInstants


@rule("σ_p(ω^{N,s}_P(A)) ≐ ω^{N,s}_P(σ_p(A)) where p is over P", source="snapeq")
def filter_on_key_through_partitions(free: Free) -> Sides:
    a, n, s = free.stream("A"), free.number("N"), free.number("s")
    by = free.columns("P", a)
    p = free.predicate("p", a.select(*by))
    return a.rows(n, s, by=by).filter(p), a.filter(p).rows(n, s, by=by)


@rule("σ_p(ω^N_P≈(A)) ≐ ω^N_P≈(σ_p(A)) where p is over P", source="snapeq")
def filter_on_key_through_partitions_with_ties(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    by = free.columns("P", a)
    p = free.predicate("p", a.select(*by))
    return a.rows(n, by=by, ties=True).filter(p), a.filter(p).rows(n, by=by, ties=True)


@rule("μ_{P,f}(ω^N_P≈(A)) ≐ ω^N_P≈(μ_{P,f}(A))", source="snapeq")
def map_that_keeps_the_key_through_partitions_with_ties(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    by, f = free.columns("P", a), free.function("f", a)
    return a.rows(n, by=by, ties=True).select(*by, y=f), a.select(*by, y=f).rows(n, by=by, ties=True)


@rule("μ_{P,f}(ω^N_P(A)) ≐ ω^N_P(μ_{P,f}(A)) where no two rows are there at once", source="snapeq")
def map_that_keeps_the_key_through_partitions(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    by, f = free.columns("P", a), free.function("f", a)
    free.given(UniqueInstants("A"))
    return a.rows(n, by=by).select(*by, y=f), a.select(*by, y=f).rows(n, by=by)


@rule("ω^{N,s}_P(A) ≐ ω^{N,s}_P(σ_p(A)) ∪ ω^{N,s}_P(σ_{p is not true}(A)) where p is over P", source="snapeq")
def partitions_by_a_predicate_on_the_key(free: Free) -> Sides:
    a, n, s = free.stream("A"), free.number("N"), free.number("s")
    by = free.columns("P", a)
    p = free.predicate("p", a.select(*by))
    kept, rest = a.filter(p), a.filter(p.is_distinct_from(lit(True)))
    return a.rows(n, s, by=by), kept.rows(n, s, by=by).union(rest.rows(n, s, by=by))


@rule("σ_{a1=c}(ω^{N,s}_{a1}(A)) ≐ ω^{N,s}(σ_{a1=c}(A))", source="snapeq")
def one_partition_is_a_count_window(free: Free) -> Sides:
    a, n, s = free.stream("A", types=(Type.INT, Type.INT)), free.number("N"), free.number("s")
    c = free.constant("c", Type.INT)
    return a.rows(n, s, by="a1").filter(col("a1") == c), a.filter(col("a1") == c).rows(n, s)


@rule("ω^1_{all columns}(A) ≐ δ(ω_∞(A))", source="snapeq")
def every_row_its_own_partition(free: Free) -> Sides:
    a = free.stream("A")
    return a.rows(1, by=a.schema.names), a.window(FOREVER).distinct()


@rule("ω^N_{all columns}(A) and ω_∞(A) hold the same rows", source="snapeq", equivalence="snapshot-set")
def own_partitions_lose_no_row(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    return a.rows(n, by=a.schema.names), a.window(FOREVER)


@rule("δ(π_P(ω^N_P(A))) ≐ δ(π_P(ω_∞(A)))", source="snapeq")
def no_key_is_ever_lost(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    by = free.columns("P", a)
    return a.rows(n, by=by).select(*by).distinct(), a.window(FOREVER).select(*by).distinct()


@rule("π_P(ω^1_P(A)) ≐ δ(π_P(ω_∞(A)))", source="snapeq")
def last_rows_have_every_key_once(free: Free) -> Sides:
    a = free.stream("A")
    by = free.columns("P", a)
    return a.rows(1, by=by).select(*by), a.window(FOREVER).select(*by).distinct()


@rule("ω^N(A) ∩ ω^N_P(A) ≐ ω^N(A)", source="snapeq")
def partitions_only_add_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    by = free.columns("P", a)
    return a.rows(n).intersection(a.rows(n, by=by)), a.rows(n)


@rule("ω^N_P(A) ∩ ω^N_Q(A) ≐ ω^N_P(A) where P ⊆ Q", source="snapeq")
def finer_partitions_only_add_rows(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    fine = free.columns("Q", a)
    coarse = free.columns("P", a.select(*fine))
    return a.rows(n, by=coarse).intersection(a.rows(n, by=fine)), a.rows(n, by=coarse)


@rule("ω^M_P(A) ∩ ω^N_P(A) ≐ ω^M_P(A) where M ≤ N", source="snapeq")
def fewer_rows_of_partitions_are_contained(free: Free) -> Sides:
    a, m, n = free.stream("A"), free.number("M"), free.number("N")
    by = free.columns("P", a)
    free.require("M ≤ N", m <= n)
    return a.rows(m, by=by).intersection(a.rows(n, by=by)), a.rows(m, by=by)


@rule("ω^{M,s}_P(A) ∩ ω^{N,s}_P(A) ≐ ω^{min(M,N),s}_P(A)", source="snapeq")
def intersection_of_partitions(free: Free) -> Sides:
    a, m, n, s = free.stream("A"), free.number("M"), free.number("N"), free.number("s")
    by = free.columns("P", a)
    return a.rows(m, s, by=by).intersection(a.rows(n, s, by=by)), a.rows(min(m, n), s, by=by)


@rule("ω^N_P(A) ∩ ω^N_P≈(A) ≐ ω^N_P(A)", source="snapeq")
def ties_only_add_rows_to_partitions(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    by = free.columns("P", a)
    return a.rows(n, by=by).intersection(a.rows(n, by=by, ties=True)), a.rows(n, by=by)


@rule("ω^1_P(ω^1_P(A)) ≐ ω^1_P(A)", source="snapeq")
def last_rows_of_partitions_twice(free: Free) -> Sides:
    a = free.stream("A")
    by = free.columns("P", a)
    return a.rows(1, by=by).rows(1, by=by), a.rows(1, by=by)


@rule("ω^N_P(γ_{P,f}(A)) ≐ ω^N_P≈(γ_{P,f}(A))", source="snapeq")
def groups_have_no_ties(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("N")
    by, f = free.columns("P", a), free.aggregate("f", a)
    grouped = a.group_by(*by).aggregate(y=f)
    return grouped.rows(n, by=by), grouped.rows(n, by=by, ties=True)


RULES: Final[tuple[Rule, ...]] = (
    filter_on_key_through_partitions,
    filter_on_key_through_partitions_with_ties,
    map_that_keeps_the_key_through_partitions_with_ties,
    map_that_keeps_the_key_through_partitions,
    partitions_by_a_predicate_on_the_key,
    one_partition_is_a_count_window,
    every_row_its_own_partition,
    own_partitions_lose_no_row,
    no_key_is_ever_lost,
    last_rows_have_every_key_once,
    partitions_only_add_rows,
    finer_partitions_only_add_rows,
    fewer_rows_of_partitions_are_contained,
    intersection_of_partitions,
    ties_only_add_rows_to_partitions,
    last_rows_of_partitions_twice,
    groups_have_no_ties,
)
