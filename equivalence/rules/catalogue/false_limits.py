"""Tempting claims about limits that are false: who is among the first depends on everybody else."""

from typing import Final

from equivalence.rules.idioms import pair, twins
from equivalence.rules.statement import Free, Rule, Sides, rule


@rule("σ_p(λ_n(A)) ≐ λ_n(σ_p(A))", source="snapeq", valid=False)
def filter_through_limit(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    order, p = free.columns("O", a), free.predicate("p", a)
    return a.limit(n, order).filter(p), a.filter(p).limit(n, order)


@rule("λ_n(A ∪ B) ≐ λ_n(A) ∪ λ_n(B)", source="snapeq", valid=False)
def union_through_limit(free: Free) -> Sides:
    a, b = twins(free)
    n, order = free.number("n"), free.columns("O", a)
    return a.union(b).limit(n, order), a.limit(n, order).union(b.limit(n, order))


@rule("δ(λ_n(A)) ≐ λ_n(δ(A))", source="snapeq", valid=False)
def distinct_through_limit(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    order = free.columns("O", a)
    return a.limit(n, order).distinct(), a.distinct().limit(n, order)


@rule("δ(λ_n≈(A)) ≐ λ_n≈(δ(A))", source="snapeq", valid=False)
def distinct_through_limit_with_ties(free: Free) -> Sides:
    """A copy is a row before the next ones, too."""
    a, n = free.stream("A"), free.number("n")
    order = free.columns("O", a)
    return a.limit(n, order, ranking="rank").distinct(), a.distinct().limit(n, order, ranking="rank")


@rule("λ_n(A) ≐ λ_n≈(A)", source="snapeq", valid=False)
def no_ties_in_a_limit(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    order = free.columns("O", a)
    return a.limit(n, order), a.limit(n, order, ranking="rank")


@rule("λ_n(ω_w(A)) ≐ ω_w(λ_n(A))", source="snapeq", valid=False)
def window_through_limit(free: Free) -> Sides:
    """The first of each instant are not the first of a window."""
    a, n, w = free.stream("A"), free.number("n"), free.number("w")
    order = free.columns("O", a)
    return a.window(w).limit(n, order), a.limit(n, order).window(w)


@rule("λ_n(A ⋈_θ B) ≐ λ_n(λ_n(A) ⋈_θ B), ordered by columns of A", source="snapeq", valid=False)
def limit_below_join(free: Free) -> Sides:
    """A row of A that finds no partner takes no place above the join, and one below."""
    a, b, on = pair(free)
    n, order = free.number("n"), free.columns("O", a)
    return a.join(b, on).limit(n, order), a.limit(n, order).join(b, on).limit(n, order)


@rule("λ_{m,n}(A) ≐ λ_n(λ_{m,∞}(A)) in each group of P, m rows skipped of all", source="snapeq", valid=False)
def offset_without_groups(free: Free) -> Sides:
    a, m, n = free.stream("A"), free.number("m"), free.number("n")
    by = free.columns("P", a)
    return a.limit(n, by=by, offset=m), a.limit(None, offset=m).limit(n, by=by)


FALSE: Final[tuple[Rule, ...]] = (
    filter_through_limit,
    union_through_limit,
    distinct_through_limit,
    distinct_through_limit_with_ties,
    no_ties_in_a_limit,
    window_through_limit,
    limit_below_join,
    offset_without_groups,
)
