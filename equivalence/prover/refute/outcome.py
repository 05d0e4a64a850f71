"""What a search for a counterexample came to."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.list_counterexample import ListCounterexample


@dataclass(frozen=True)
class SearchOutcome:
    """What was found: a counterexample, or why there is none."""

    counterexample: Counterexample | ListCounterexample | None = None
    not_replayed: int = 0
    """So many models differ in theory, but not when they are run."""
    unanswered: int = 0
    outside: str | None = None


def first_found(searches: Iterable[SearchOutcome], patience: float = math.inf) -> SearchOutcome:
    """One search after another, until one finds something or cannot look, or too many questions are not answered."""
    failed = unanswered = 0
    for search in searches:
        failed += search.not_replayed
        unanswered += search.unanswered
        if search.counterexample is not None or search.outside is not None:
            return SearchOutcome(search.counterexample, failed, unanswered, search.outside)
        if unanswered >= patience:
            break
    return SearchOutcome(None, failed, unanswered)
