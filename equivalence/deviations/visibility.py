"""What a right recording could not have shown: deviations under which it would have been the same."""

from dataclasses import dataclass
from typing import Final

from equivalence.deviations.catalogue import CATALOGUE
from equivalence.deviations.catalogue.certain_rows import CERTAIN_ROWS
from equivalence.deviations.cells import same
from equivalence.deviations.deviation import Clue, Deviation
from equivalence.deviations.further_rows import Rows, extended, search, tail
from equivalence.deviations.outcome import Outcomes
from equivalence.deviations.situation import Arrival, Situation
from semantics import SnapeqError

GROWING: Final = (60, 300)
"""Rows that are looked at: what shows early need not be looked for again."""
UNNAMED: Final = frozenset({"query", CERTAIN_ROWS, "end of input"})
"""Knobs that say nothing about an engine: every recording shows some of them."""


@dataclass(frozen=True)
class Visibility:
    """The deviations that concern a query, those that a recording would have shown, and those that it would not."""

    shown: tuple[str, ...]
    open: tuple[Deviation, ...]
    rows: int
    """How many rows were looked at."""

    @property
    def of(self) -> int:
        return len(self.shown) + len(self.open)


def visibility(situation: Situation) -> Visibility:
    """Which deviations would have shown in the output of these rows?

    >>> from equivalence.deviations.situation import situation_of
    >>> from semantics import parse, parse_plan
    >>> plan = parse_plan("S(k int) | window(range 4) | group(k; count(*) as n)")
    >>> found = visibility(situation_of(plan, {"S": parse("raw(k int): (1)@0 (2)@1")}))
    >>> "NULL groups dropped" in [deviation.name for deviation in found.open], "never evicted" in found.shown
    (True, True)
    """
    concerned = [d for d in CATALOGUE if d.knob not in UNNAMED and d.concerns(situation)]
    open_: list[Deviation] = concerned
    part = situation
    for rows in GROWING:
        part = _first(situation, rows)
        open_ = [deviation for deviation in open_ if not shows(deviation, part)]
        if part.rows == situation.rows:
            break
    shown = tuple(deviation.name for deviation in concerned if deviation not in open_)
    return Visibility(shown, tuple(open_), part.rows)


def _first(situation: Situation, rows: int) -> Situation:
    """The situation with the first rows of each source, all before the same instant."""
    times = situation.times
    if len(times) <= rows:
        return situation
    return situation.with_inputs(lambda given: given.kept(lambda arrival: arrival.time < times[rows]))


def shows(deviation: Deviation, situation: Situation) -> bool:
    """Does the deviation, with any parameter, change the output?"""
    outcomes = Outcomes()
    try:
        right = outcomes.of(situation)
        return any(
            not same(outcomes.of(variant.applied(situation)), right)
            for variant in deviation.variants(situation, Clue(first=_last(situation)))
        )
    except SnapeqError:
        return False


def _last(situation: Situation) -> int:
    return max(situation.times, default=0)


@dataclass(frozen=True)
class Suggestion:
    """Rows to be added, and what an output for them would show that this one does not."""

    rows: Rows
    shows: tuple[str, ...]
    still_open: tuple[str, ...]


def suggested_input(situation: Situation, open_: tuple[Deviation, ...], seed: object = 0) -> Suggestion:
    """Rows after which as many as possible of these deviations show: those for the first one, then for the next."""
    here = tail(situation)
    added: dict[str, tuple[Arrival, ...]] = {}
    left = list(open_)
    shown: list[str] = []
    still: list[str] = []
    while left:
        deviation = left.pop(0)
        rows = search(here, lambda longer, d=deviation: shows(d, longer), f"{seed}-{deviation.name}")  # type: ignore[misc]
        if rows is None:
            still.append(deviation.name)
            continue
        here = extended(here, rows)
        added = {name: (*added.get(name, ()), *rows.get(name, ())) for name in sorted({*added, *rows})}
        seen = [deviation, *(other for other in left if shows(other, here))]
        shown += [other.name for other in seen]
        left = [other for other in left if other not in seen]
    return Suggestion(added, tuple(shown), tuple(still))
