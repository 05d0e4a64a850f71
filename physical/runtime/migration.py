"""One plan takes over from another that means the same, in the middle of a stream (Section 6.4.3).

Both run side by side up to an instant from which on the new plan has seen all that matters. The old plan answers for
all instants before it, the new plan for all others. Since both results are cut there, nothing is lost, nothing comes
twice, and nothing comes later than from the old plan alone.
"""

from collections.abc import Callable, Collection, Mapping

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Plan
from semantics import plan as op

Subscriber = Callable[[PhysicalStream], None]


def complete_from(plan: Plan, reached: Mapping[str, int], joined: Collection[Plan], now: int) -> int:
    """The first instant from which on a plan that sees only what comes now gives the whole answer; or ENDLESS.

    `reached` says for every source when the last of its former elements ends. Windows in `joined` are running already;
    what they have said of elements that still last is not said again, so they are complete when these have ended.

    >>> from semantics import parse_plan
    >>> complete_from(parse_plan("S(x int) | window(range 10) | distinct"), {"S": 5}, frozenset(), 5)
    15
    """
    if plan in joined:
        return max(now, *(reached[name] for name in plan.sources()))
    below = [complete_from(child, reached, joined, now) for child in plan.inputs]
    latest = max(below, default=0)
    match plan:
        case op.Source(name=name):
            return reached[name]
        case op.TimeWindow(size=size, slide=slide) if latest:
            return _later(latest, ENDLESS if size == FOREVER else int(size) + slide - 1)
        case op.LandmarkWindow(start=start, reset=reset) if latest > start:
            return ENDLESS if reset is None else min(start + -(-(latest - start) // reset) * reset, ENDLESS)
        case op.CountWindow() | op.PartitionedWindow() | op.SessionWindow() | op.Over() if latest:
            return ENDLESS
        case op.Istream() | op.Dstream():
            return _later(latest, 1)
        case op.Aggregation(on_empty=True):
            return max(latest, now)  # it speaks of every instant, also where nothing came
        case _:
            return latest


def _later(instant: int, by: int) -> int:
    return min(instant + by, ENDLESS)


class PlanSwitch:
    """The results of two plans as those of one: the old plan's before an instant, the new plan's from it on."""

    def __init__(self, instant: int, subscribers: list[Subscriber]) -> None:
        self.instant = instant
        self.subscribers = subscribers
        self._early: list[PhysicalStream] = []
        """Results of the new plan that came before the last of the old one."""

    def old(self, results: PhysicalStream) -> None:
        """Results of the old plan."""
        ends = np.minimum(results.end, self.instant)
        self._give_out(results.valid_during(results.start, ends).take(results.start < self.instant))

    def new(self, results: PhysicalStream) -> None:
        """Results of the new plan."""
        starts = np.maximum(results.start, self.instant)
        due = results.valid_during(starts, results.end).take(results.end > self.instant)
        self._early += [due] if len(due) else []

    def finish(self) -> None:
        """The old plan has said all; what the new one said meanwhile goes out."""
        for results in self._early:
            self._give_out(results)

    def _give_out(self, results: PhysicalStream) -> None:
        if len(results):
            for subscriber in list(self.subscribers):
                subscriber(results)
