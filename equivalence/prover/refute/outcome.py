"""The outcome of a search for a counterexample."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.list_counterexample import ListCounterexample


@dataclass(frozen=True)
class SearchOutcome:
    """A counterexample, or why there is none."""

    counterexample: Counterexample | ListCounterexample | None = None
    not_replayed: int = 0
    """Models in which the sides differ for the solver, but not for the reference."""
    unanswered: int = 0
    """Questions that the solver could not answer within its limit."""
    outside: str | None = None
    """Why the search could not look at all."""


def first_found(searches: Iterable[SearchOutcome], patience: float = math.inf) -> SearchOutcome:
    """One search after another, until one finds something or cannot look, or too many questions stay unanswered."""
    failed = unanswered = 0
    for search in searches:
        failed += search.not_replayed
        unanswered += search.unanswered
        if search.counterexample is not None or search.outside is not None:
            return SearchOutcome(search.counterexample, failed, unanswered, search.outside)
        if unanswered >= patience:
            break
    return SearchOutcome(None, failed, unanswered)
