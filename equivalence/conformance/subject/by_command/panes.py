"""Engines that answer with panes: a pane with the end e is made of the rows of [e − w, e).

Our window RANGE w SLIDE s shows at a boundary b the rows of (b − w, b], and until the next boundary. So that both mean
the same, all input is sent s − 1 instants later. Then a pane with the end e is what the window shows in [e − s, e), and
the engine need not know.
"""

from dataclasses import dataclass

from equivalence.conformance.subject.results import Element
from equivalence.verdicts.fault_kind import Fault, FaultKind
from semantics import FOREVER, Plan, Row
from semantics.plan import Aggregation, Source, TimeWindow

Pane = tuple[Row, int, int]
"""A row, and the start and the end of its window; the first windows may start before 0."""


@dataclass(frozen=True)
class Panes:
    """Panes that end at all multiples of a slide."""

    slide: int
    size: int | None
    """None if there are windows of several sizes, so that it does not follow when a pane starts."""

    @property
    def delay(self) -> int:
        """By how much input is sent later."""
        return self.slide - 1

    def shown(self, pane: Pane) -> Element:
        """What a pane says about the snapshots of the plan."""
        row, start, end = pane
        if end % self.slide:
            raise Fault(FaultKind.INVALID_INTERVAL, f"a pane ends at {end}, but panes end at multiples of {self.slide}")
        if self.size is not None and end - start != self.size:
            raise Fault(
                FaultKind.INVALID_INTERVAL, f"a pane is [{start}, {end}), but the window is of size {self.size}"
            )
        return row, end - self.slide, end


def panes_of(plan: Plan) -> Panes | None:
    """The panes of a plan; None if it has none, because not all rows of all snapshots come through like windows."""
    if not _is_windowed(plan):
        return None
    windows = [node for node in plan.walk() if isinstance(node, TimeWindow)]
    slides, sizes = ({window.slide for window in windows}, {int(window.size) for window in windows})
    return Panes(slides.pop(), sizes.pop() if len(sizes) == 1 else None) if len(slides) == 1 else None


def _is_windowed(plan: Plan) -> bool:
    """Is there a window just above every source, and nothing else that looks back?"""
    if isinstance(plan, TimeWindow):
        return isinstance(plan.input, Source) and plan.size != FOREVER
    if isinstance(plan, Source) or not plan.reducible or (isinstance(plan, Aggregation) and plan.on_empty):
        return False
    return all(map(_is_windowed, plan.inputs))
