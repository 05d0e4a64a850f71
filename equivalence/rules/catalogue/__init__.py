"""The catalogue of transformation rules, one file per family; and the tempting ones that are false.

A family's file has the name of the family, because users see it: `snapeq rules --family joins`. Other rooms have files
of the same names for other reasons.
"""

from typing import Final

from equivalence.rules.catalogue import (
    aggregation,
    cql,
    delays,
    distinct,
    eager,
    false_aggregation,
    false_cql,
    false_joins,
    false_keys,
    false_limits,
    false_listings,
    false_now,
    false_over,
    false_rows,
    false_selection,
    false_sessions,
    false_sets,
    false_windows,
    joins,
    keys,
    landmarks,
    limits,
    listing_duplicates,
    listing_intervals,
    listing_order,
    now,
    outer_joins,
    over,
    partials,
    partitions,
    projection,
    pushdown,
    references,
    rows,
    selection,
    semijoins,
    sessions,
    sets,
    slides,
    windows,
)
from equivalence.rules.statement import Rule

CATALOGUE: Final[tuple[Rule, ...]] = (
    *aggregation.RULES,
    *cql.RULES,
    *delays.RULES,
    *distinct.RULES,
    *eager.RULES,
    *joins.RULES,
    *keys.RULES,
    *landmarks.RULES,
    *limits.RULES,
    *listing_duplicates.RULES,
    *listing_intervals.RULES,
    *listing_order.RULES,
    *now.RULES,
    *outer_joins.RULES,
    *over.RULES,
    *partials.RULES,
    *partitions.RULES,
    *projection.RULES,
    *pushdown.RULES,
    *references.RULES,
    *rows.RULES,
    *selection.RULES,
    *semijoins.RULES,
    *sessions.RULES,
    *sets.RULES,
    *slides.RULES,
    *windows.RULES,
)
"""Every rule that is said to be true."""

FALSE: Final[tuple[Rule, ...]] = (
    *false_aggregation.FALSE,
    *false_cql.FALSE,
    *false_joins.FALSE,
    *false_keys.FALSE,
    *false_limits.FALSE,
    *false_listings.FALSE,
    *false_now.FALSE,
    *false_over.FALSE,
    *false_rows.FALSE,
    *false_selection.FALSE,
    *false_sessions.FALSE,
    *false_sets.FALSE,
    *false_windows.FALSE,
)
"""Rules that look true and are not; more follow from true ones by dropping a side condition."""
