"""Where rules come from: the names by which the catalogue cites what it did not find itself."""

from typing import Final

OURS: Final = "snapeq"
TEXTBOOK: Final = "Garcia-Molina, Ullman & Widom 2000"
BAGS: Final = "Dayal, Goodman & Katz 1982 (bag algebra)"
SEMIJOINS: Final = "Bernstein & Chiu 1981 (semijoins)"
OUTER_JOINS: Final = "Galindo-Legaria & Rosenthal 1997 (outer joins)"
EAGER: Final = "Yan & Larson 1995 (eager aggregation)"
PARTIAL: Final = "Gray et al. 1997 (distributive and algebraic aggregates)"
COUNT_BUG: Final = "Kim 1982, corrected by Ganski & Wong 1987 (the count bug)"


def paper(place: str) -> str:
    """A rule or an example of the article that fixes the semantics."""
    return f"Krämer & Seeger 2009, {place}"
