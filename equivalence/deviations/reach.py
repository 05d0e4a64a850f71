"""How far back in time an output looks, and the part of a situation that shows a difference."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from equivalence.deviations.cells import Cell
from equivalence.deviations.deviation import Variant, applied
from equivalence.deviations.judged_counts import clipped
from equivalence.deviations.odd_operators import LooseWindow
from equivalence.deviations.outcome import Outcomes, slide_of
from equivalence.deviations.situation import Situation
from semantics import FOREVER, Instant, Plan
from semantics.plan import CountWindow, Dstream, Istream, LandmarkWindow, PartitionedWindow, TimeWindow
from semantics.sparse.row_steps import Counts
from semantics.time import End

FEW_ROWS: Final = 60
"""A situation with no more rows is not cut: looking at all of it costs as much."""


def reach(plan: Plan) -> End:
    """How many instants before t the output at t depends on."""
    below = max((reach(child) for child in plan.inputs), default=0)
    match plan:
        case TimeWindow(size=size, slide=slide):
            return below + size + slide
        case CountWindow() | PartitionedWindow() | LandmarkWindow():
            return FOREVER
        case Istream() | Dstream():
            return below + 1
        case _:
            other: object = plan
            return below + other.size + other.slide if isinstance(other, LooseWindow) else below


@dataclass
class Neighbourhood:
    """The surroundings of some differences: candidates are tried there before they are tried on everything."""

    situation: Situation
    outcomes: Outcomes
    got: Counts
    spans: tuple[tuple[Instant, Instant], ...] = ()
    _cut: Situation | None = None
    _prefix: Situation | None = None

    @property
    def whole(self) -> bool:
        """Is there nothing to be gained by looking at a part?"""
        return self.situation.rows <= FEW_ROWS

    def grow(self, cells: Sequence[Cell]) -> None:
        """Take in the first of these differences."""
        t, around = cells[0].start, 2 * slide_of(self.situation)
        back = reach(self.situation.plan)
        near = int(min(back, self._spread())) if back != FOREVER else self._spread()
        self.spans = (*self.spans, (max(t - around, 0), t + near + around + 1))
        self._cut = self._prefix = None

    def _spread(self) -> int:
        """About as much time as a few rows take."""
        times = self.situation.times
        return max((times[-1] - times[0]) * FEW_ROWS // (2 * max(len(times), 1)), 1)

    def view(self, counts: Counts) -> Counts:
        """What an output shows in these surroundings."""
        if self.whole:
            return counts
        parts = [clipped(counts, first, end) for first, end in _joined(self.spans)]
        return reduce(_merged, parts, {})

    def output(self, variants: Sequence[Variant]) -> Counts:
        """What deviations make of these surroundings."""
        kinds = {variant.deviation.locality for variant in variants}
        part = (
            self.situation if self.whole or "whole" in kinds else self._before() if "prefix" in kinds else self._near()
        )
        return self.view(self.outcomes.of(applied(variants, part)))

    def _before(self) -> Situation:
        """All rows up to a little after the surroundings."""
        if self._prefix is None:
            self._prefix = _during(self.situation, [(0, max(end for _, end in self.spans) + self._margin())])
        return self._prefix

    def _near(self) -> Situation:
        back = reach(self.situation.plan)
        if back == FOREVER:
            return self._before()
        if self._cut is None:
            margin = int(back) + self._margin()
            self._cut = _during(self.situation, [(first - margin, end + margin) for first, end in self.spans])
        return self._cut

    def _margin(self) -> int:
        """A deviation of a window looks a little further than the window."""
        return 2 * slide_of(self.situation) + 8


def _during(situation: Situation, spans: list[tuple[Instant, Instant]]) -> Situation:
    def keep(time: Instant, end: End) -> bool:
        return any(time < last and end > first for first, last in spans)

    return situation.with_inputs(lambda given: given.kept(lambda a: keep(a.time, a.valid.end)))


def _joined(spans: Sequence[tuple[Instant, Instant]]) -> list[tuple[Instant, Instant]]:
    """The same instants, no two intervals touching."""
    merged: list[tuple[Instant, Instant]] = []
    for first, end in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((first, end))
    return merged


def _merged(left: Counts, right: Counts) -> Counts:
    """Outputs of different times, one after the other."""
    return {row: [*left.get(row, []), *right.get(row, [])] for row in left.keys() | right.keys()}


def smallest_slice(situation: Situation, cells: Sequence[Cell], most_rows: int) -> Situation:
    """As many rows around the first difference as are looked at, if there are more.

    The interval is halved as long as what remains is enough: the window before the difference always stays.
    """
    if situation.rows <= most_rows:
        return situation
    t, back = cells[0].start, reach(situation.plan)
    first = 0 if back == FOREVER else max(t - int(back), 0)
    span = max(situation.times[-1] - t, 1)
    part = situation.during(first, t + span)
    while part.rows > most_rows and span > 1:
        span //= 2
        part = situation.during(first, t + span)
    return part
