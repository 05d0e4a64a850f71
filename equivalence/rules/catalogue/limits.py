"""Limits: λ_n keeps the first n rows of an order O, in each group of P; λ≈ ranks ties alike, λ≡ counts values."""

from typing import Final

from equivalence.rules.idioms import twins
from equivalence.rules.literature import OURS, TEXTBOOK
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import col, max_


@rule("λ_m(λ_n(A)) ≐ λ_min(m,n)(A)", source=TEXTBOOK)
def limits_together(free: Free) -> Sides:
    a, m, n = free.stream("A"), free.number("m"), free.number("n")
    order = free.columns("O", a)
    return a.limit(n, order).limit(m, order), a.limit(min(m, n), order)


@rule("λ_n(A ∪ B) ≐ λ_n(λ_n(A) ∪ λ_n(B))", source=TEXTBOOK)
def limit_into_union(free: Free) -> Sides:
    a, b = twins(free)
    n, order = free.number("n"), free.columns("O", a)
    return a.union(b).limit(n, order), a.limit(n, order).union(b.limit(n, order)).limit(n, order)


@rule("λ_n≈(A ∪ B) ≐ λ_n≈(λ_n≈(A) ∪ λ_n≈(B))", source=OURS)
def limit_with_ties_into_union(free: Free) -> Sides:
    a, b = twins(free)
    n, order = free.number("n"), free.columns("O", a)
    first = a.limit(n, order, ranking="rank").union(b.limit(n, order, ranking="rank"))
    return a.union(b).limit(n, order, ranking="rank"), first.limit(n, order, ranking="rank")


@rule("σ_p(λ_{n,P}(A)) ≐ λ_{n,P}(σ_p(A)) where p is about P", source=TEXTBOOK)
def filter_of_groups_through_limit(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    by = free.columns("P", a)
    p = free.predicate("p", a.select(*by))
    return a.limit(n, by=by).filter(p), a.filter(p).limit(n, by=by)


@rule("λ_{1,P}(A) ≐ δ(A) where P are all columns", source=OURS)
def first_of_each_row_is_distinct(free: Free) -> Sides:
    a = free.stream("A")
    return a.limit(1, by=a.schema.names), a.distinct()


@rule("λ_{m,n}(A) ≐ λ_{m+n}(A) − λ_m(A), m rows skipped", source=OURS)
def offset_as_difference(free: Free) -> Sides:
    a, m, n = free.stream("A"), free.number("m"), free.number("n")
    order = free.columns("O", a)
    return a.limit(n, order, offset=m), a.limit(m + n, order).difference(a.limit(m, order))


@rule("λ_n(A) ∪ λ_{n,∞}(A) ≐ A", source=OURS)
def first_and_rest(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    order = free.columns("O", a)
    return a.limit(n, order).union(a.limit(None, order, offset=n)), a


@rule("λ_n(A) ∩ λ_n≈(A) ≐ λ_n(A)", source=OURS)
def ties_only_add_to_a_limit(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    order = free.columns("O", a)
    return a.limit(n, order).intersection(a.limit(n, order, ranking="rank")), a.limit(n, order)


@rule("δ(λ_n≡(A)) ≐ λ_n≡(δ(A))", source=OURS)
def distinct_through_limit_of_values(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    order = free.columns("O", a)
    return a.limit(n, order, ranking="dense").distinct(), a.distinct().limit(n, order, ranking="dense")


@rule("μ_{k,x}(λ_{1,k}(A)), the greatest x first ≐ γ_{k; max(x)}(A)", source=TEXTBOOK)
def first_of_a_group_is_its_maximum(free: Free) -> Sides:
    """In a falling order NULL comes last, so it is first only where MAX gives NULL, too."""
    a = free.stream("A")
    key, x = a.schema.names[0], a.schema.names[-1]
    first = a.limit(1, f"{x} desc", by=key)
    return first.select(k=col(key), m=col(x)), a.group_by(key).aggregate(m=max_(x)).select(k=col(key), m=col("m"))


@rule("λ_n(λ_m≈(A)) ≐ λ_n(A) where n ≤ m", source=OURS)
def limit_of_a_longer_limit_with_ties(free: Free) -> Sides:
    a, m, n = free.stream("A"), free.number("m"), free.number("n")
    free.require("n ≤ m", n <= m)
    order = free.columns("O", a)
    return a.limit(m, order, ranking="rank").limit(n, order), a.limit(n, order)


RULES: Final[tuple[Rule, ...]] = (
    limits_together,
    limit_into_union,
    limit_with_ties_into_union,
    filter_of_groups_through_limit,
    first_of_each_row_is_distinct,
    offset_as_difference,
    first_and_rest,
    ties_only_add_to_a_limit,
    distinct_through_limit_of_values,
    first_of_a_group_is_its_maximum,
    limit_of_a_longer_limit_with_ties,
)
