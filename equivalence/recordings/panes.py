"""Panes and queries: the pane with the end e is the snapshot at e − 1 of the query's windows without a slide.

Engines' panes are [e − w, e), and a window RANGE w holds (t − w, t] at t. A pane in which nothing is has no row, not
even one with a count of 0.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Interval, Plan, SparseStream, Unsupported
from semantics.plan import Aggregation, TimeWindow
from semantics.sparse import first_difference


def as_panes(plan: Plan) -> tuple[Plan, int]:
    """The plan whose snapshots at e − 1 are the panes of this one, and the step between panes."""
    return without_slides(plan), pane_step(plan)


def without_slides(plan: Plan) -> Plan:
    """The same windows without slides."""
    return _with_slides(plan, 1)


def pane_step(plan: Plan) -> int:
    """The step between the panes of a query."""
    slides = {_step(window) for window in time_windows(plan)}
    if len(slides) != 1:
        raise Unsupported("panes: all windows of the query must have the same slide, or the same size without one")
    return slides.pop()


def time_windows(plan: Plan) -> list[TimeWindow]:
    """All windows of a plan that are about time."""
    return [node for node in plan.walk() if isinstance(node, TimeWindow)]


def pane_size(plan: Plan) -> int | None:
    """How long a pane is; None if windows differ in it."""
    sizes = {window.size for window in time_windows(plan)}
    return int(size) if len(sizes) == 1 and (size := sizes.pop()) != FOREVER else None


def as_sliding(plan: Plan, step: int) -> Plan | None:
    """The plan whose snapshots at e, over streams one instant later, are the panes; None if there is none.

    ω_{w,s} shows at a boundary e the rows of (e − w, e], and of streams that are one instant later those of [e − w, e):
    the pane. It changes only at boundaries, so it costs far less than a window without a slide. What is above a window
    must not look at other instants than the boundary.
    """
    for node in plan.walk():
        above_a_window = any(isinstance(below, TimeWindow) for child in node.inputs for below in child.walk())
        if not node.reducible and above_a_window:
            return None
    return _with_slides(plan, step)


def _step(window: TimeWindow) -> int:
    """The slide, or the size of a window that does not slide: then its panes follow each other."""
    if window.slide > 1:
        return window.slide
    if window.size == FOREVER:
        raise Unsupported("panes: a window without an end has none; expected WINDOW(RANGE …)")
    return int(window.size)


def _with_slides(plan: Plan, slide: int) -> Plan:
    below = plan.with_inputs(*(_with_slides(child, slide) for child in plan.inputs))
    if isinstance(below, TimeWindow):
        return replace(below, slide=slide)
    return replace(below, on_empty=False) if isinstance(below, Aggregation) else below


def at_panes(runs: PhysicalStream, step: int, offset: int = 0) -> PhysicalStream:
    """A piece of each run for each pane that ends within it: [e − 1, e)."""
    first, last = (runs.start - offset) // step + 1, (runs.end - offset) // step
    if (runs.end == ENDLESS).any():
        raise Unsupported("panes: the query holds a row for ever, so its panes never end; expected a --horizon")
    number = np.maximum(last - first + 1, 0)
    which = np.repeat(np.arange(len(runs)), number)
    within = np.arange(len(which)) - np.repeat(np.cumsum(number) - number, number)
    end = (first[which] + within) * step + offset
    return runs.take(which).valid_during(end - 1, end)


def differ_at_panes(step: int) -> Callable[[SparseStream, SparseStream], bool]:
    """Do two results differ at the last instant of some pane?"""
    return lambda left, right: first_difference(by_pane(left, step), by_pane(right, step)) is not None


def by_pane(result: SparseStream, step: int) -> SparseStream:
    """The same result, its instants replaced by numbers of panes; what no pane sees is left out.

    >>> from semantics import parse, show
    >>> longer = SparseStream.of(parse("interval(x int): (1)@[0,120) (2)@[61,62)"))
    >>> [(row, show(interval), n) for row, interval, n in by_pane(longer, 60).runs]
    [((1,), '[1,3)', 1)]
    """
    numbered = [
        (row, i.start // step + 1, FOREVER if i.end == FOREVER else i.end // step + 1, n) for row, i, n in result.runs
    ]
    runs = tuple((row, Interval(first, after), n) for row, first, after, n in numbered if first < after)
    return SparseStream(result.schema, runs)
