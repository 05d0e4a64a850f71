"""Feldera: Calcite's SQL with LATENESS on columns and views that are kept up to date."""

from semantics.sql.dialects.calcite import Calcite
from semantics.sql.dialects.profile import Profile, timed_by_timestamp

FELDERA = Profile(
    "feldera",
    Calcite,
    now=frozenset(("NOW", "CURRENT_TIMESTAMP")),
    views=True,
    strict_sessions=True,
    integer_average=True,
    window_calls=("TUMBLE", "HOP", "SESSION"),
    completed=timed_by_timestamp,
)
