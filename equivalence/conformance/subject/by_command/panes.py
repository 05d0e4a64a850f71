"""Engines that answer with panes: a pane with the end e is made of the rows of [e − w, e).

Our window RANGE w SLIDE s shows at a boundary b the rows of (b − w, b], and until the next boundary. So that both mean
the same, all input is sent s − 1 instants later. Then a pane with the end e is what the window shows in [e − s, e), and
the engine need not know.
"""

from dataclasses import dataclass

from equivalence.conformance.subject.results import Element
from equivalence.verdicts.fault_kind import Fault, FaultKind
from semantics import FOREVER, Plan
from semantics.plan import Aggregation, Source, TimeWindow


@dataclass(frozen=True)
class Panes:
    """Panes that end at all multiples of a slide."""

    slide: int

    @property
    def delay(self) -> int:
        """By how much input is sent later."""
        return self.slide - 1

    def shown(self, element: Element) -> Element:
        """What a pane says about the snapshots of the plan."""
        row, _, end = element
        if end % self.slide:
            raise Fault(FaultKind.INVALID_INTERVAL, f"a pane ends at {end}, but panes end at multiples of {self.slide}")
        return row, int(end) - self.slide, end


def panes_of(plan: Plan) -> Panes | None:
    """The panes of a plan; None if it has none, because not all rows of all snapshots come through like windows."""
    slides = _slides(plan)
    return Panes(slides.pop()) if slides is not None and len(slides) == 1 else None


def _slides(plan: Plan) -> set[int] | None:
    """The slides of the windows just above the sources, None if something else is there."""
    if isinstance(plan, TimeWindow):
        return {plan.slide} if isinstance(plan.input, Source) and plan.size != FOREVER else None
    if isinstance(plan, Source) or not plan.reducible or (isinstance(plan, Aggregation) and plan.on_empty):
        return None
    below = [_slides(child) for child in plan.inputs]
    return None if None in below else {slide for slides in below for slide in slides or ()}
