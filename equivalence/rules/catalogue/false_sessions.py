"""Tempting claims about sessions that are false: any row of a group may join two sessions to one."""

from typing import Final

from equivalence.rules.idioms import twins
from equivalence.rules.statement import Free, Rule, Sides, rule


@rule("σ_p(Ω_g(A)) ≐ Ω_g(σ_p(A))", source="snapeq", valid=False)
def filter_through_sessions(free: Free) -> Sides:
    """A row that is filtered out below no longer keeps its session together."""
    a, g = free.stream("A"), free.number("g")
    p = free.predicate("p", a)
    return a.session(g).filter(p), a.filter(p).session(g)


@rule("Ω_g(A ∪ B) ≐ Ω_g(A) ∪ Ω_g(B)", source="snapeq", valid=False)
def union_through_sessions(free: Free) -> Sides:
    a, b = twins(free)
    g = free.number("g")
    return a.union(b).session(g), a.session(g).union(b.session(g))


@rule("δ(Ω_g(A)) ≐ Ω_g(δ(A))", source="snapeq", valid=False)
def distinct_through_sessions(free: Free) -> Sides:
    """A row that comes again in its session is there twice, however distinct it was when it came."""
    a, g = free.stream("A"), free.number("g")
    return a.session(g).distinct(), a.distinct().session(g)


@rule("Ω_g(A) ≐ Ω^touching_g(A)", source="snapeq", valid=False)
def touching_does_not_matter(free: Free) -> Sides:
    a, g = free.stream("A"), free.number("g")
    return a.session(g), a.session(g, touching=True)


@rule("Ω_{g,P}(A) ≐ Ω_g(A)", source="snapeq", valid=False)
def sessions_without_groups(free: Free) -> Sides:
    a, g = free.stream("A"), free.number("g")
    return a.session(g, by=free.columns("P", a)), a.session(g)


FALSE: Final[tuple[Rule, ...]] = (
    filter_through_sessions,
    union_through_sessions,
    distinct_through_sessions,
    touching_does_not_matter,
    sessions_without_groups,
)
