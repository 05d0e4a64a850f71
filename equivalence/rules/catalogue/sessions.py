"""Sessions: Ω_{g,P} gives rows the bounds of the session of their group of P, whose instants are less than g apart."""

from typing import Final

from equivalence.rules.literature import OURS
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import col, now

BOUNDS: Final = ("session_start", "session_end")


@rule("σ_p(Ω_{g,P}(A)) ≐ Ω_{g,P}(σ_p(A)) where p is about P", source=OURS)
def filter_of_groups_through_sessions(free: Free) -> Sides:
    a, g = free.stream("A"), free.number("g")
    by = free.columns("P", a)
    p = free.predicate("p", a.select(*by))
    return a.session(g, by=by).filter(p), a.filter(p).session(g, by=by)


@rule("π_{P,bounds}(Ω_{g,P}(A)) ≐ Ω_{g,P}(π_P(A))", source=OURS)
def projection_on_groups_through_sessions(free: Free) -> Sides:
    a, g = free.stream("A"), free.number("g")
    by = free.columns("P", a)
    return a.session(g, by=by).select(*by, *BOUNDS), a.select(*by).session(g, by=by)


@rule("δ(Ω_{g,P}(A)) ≐ δ(Ω_{g,P}(δ(A)))", source=OURS)
def distinct_around_sessions(free: Free) -> Sides:
    a, g = free.stream("A"), free.number("g")
    by = free.columns("P", a)
    return a.session(g, by=by).distinct(), a.distinct().session(g, by=by).distinct()


@rule("σ_{start ≤ now < end}(Ω_{g,P}(A)) ≐ Ω_{g,P}(A)", source=OURS)
def sessions_hold_between_their_bounds(free: Free) -> Sides:
    a, g = free.stream("A"), free.number("g")
    sessions = a.session(g, by=free.columns("P", a))
    return sessions.filter(col("session_start") <= now(), now() < col("session_end")), sessions


@rule("σ_{start + g ≤ end}(Ω_{g,P}(A)) ≐ Ω_{g,P}(A)", source=OURS)
def sessions_last_a_gap_at_least(free: Free) -> Sides:
    a, g = free.stream("A"), free.number("g")
    sessions = a.session(g, by=free.columns("P", a))
    return sessions.filter(col("session_start") + g <= col("session_end")), sessions


@rule("π_{A,start}(σ_{now < end − 1}(Ω_{g+1,P}(A))) ≐ π_{A,start}(Ω^touching_{g,P}(A))", source=OURS)
def touching_is_a_longer_gap(free: Free) -> Sides:
    """Instants that touch are less than a gap apart that is one longer; only the end tells the two."""
    a, g = free.stream("A"), free.number("g")
    by = free.columns("P", a)
    longer = a.session(g + 1, by=by).filter(now() < col("session_end") - 1)
    kept = (*a.schema.names, "session_start")
    return longer.select(*kept), a.session(g, by=by, touching=True).select(*kept)


RULES: Final[tuple[Rule, ...]] = (
    filter_of_groups_through_sessions,
    projection_on_groups_through_sessions,
    distinct_around_sessions,
    sessions_hold_between_their_bounds,
    sessions_last_a_gap_at_least,
    touching_is_a_longer_gap,
)
