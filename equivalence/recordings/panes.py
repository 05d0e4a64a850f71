"""Panes and queries: the pane with the end e is the snapshot at e − 1 of the query's windows without a slide.

Engines' panes are [e − w, e), and a window RANGE w holds (t − w, t] at t. A pane in which nothing is has no row, not
even one with a count of 0.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Interval, Plan, SnapeqError, SparseStream, Unsupported
from semantics.periods_of_now import Period, Sampling, sampling
from semantics.plan import Aggregation, Filter, LandmarkWindow, TimeWindow
from semantics.sparse import first_difference


def as_panes(plan: Plan, step: int | None = None) -> tuple[Plan, int]:
    """The plan whose snapshots at e − 1 are the panes of this one, and the step between panes."""
    return without_slides(plan), pane_step(plan, step)


def without_slides(plan: Plan) -> Plan:
    """The same windows without slides."""
    return _with_slides(plan, 1)


def sampled_panes(plan: Plan) -> Period | None:
    """The last instants of panes, if the query itself takes samples there; where they differ, every instant may be one.

    >>> from semantics import parse_plan
    >>> sampled_panes(parse_plan("S(x int) | window(range 10) | filter((now + 1) mod 5 = 0)"))
    Period(step=5, first=4)
    """
    found = {sampled.period for node in plan.walk() if isinstance(node, Filter) and (sampled := _sampling(node))}
    if len(found) == 1:
        return found.pop()
    ends_of_sessions = any(isinstance(node, Filter) and node.mentions_now for node in plan.walk())
    return Period(1, 0) if found or ends_of_sessions else None


def _sampling(node: Filter) -> Sampling | None:
    return sampling(node.predicate)


def pane_step(plan: Plan, step: int | None = None) -> int:
    """The step between the panes of a query; panes that grow until a reset have one that is given."""
    samples = sampled_panes(plan)
    if samples is not None:
        return samples.step
    slides = {_step(window) for window in time_windows(plan)}
    landmarks = landmark_windows(plan)
    if landmarks:
        return _cumulative_step(landmarks, slides, step)
    if step is not None:
        raise SnapeqError(f"--step {step}: the query's windows say their step; expected it for WINDOW(LANDMARK …)")
    if len(slides) != 1:
        raise Unsupported("panes: all windows of the query must have the same slide, or the same size without one")
    return slides.pop()


def _cumulative_step(landmarks: list[LandmarkWindow], slides: set[int], step: int | None) -> int:
    if slides or len({(window.start, window.reset) for window in landmarks}) > 1:
        raise Unsupported("panes: all windows of the query must be LANDMARK with the same start and reset, or none")
    if step is None:
        raise SnapeqError("panes of WINDOW(LANDMARK …) grow step by step; expected --step N, in the query's unit")
    reset = landmarks[0].reset
    if step < 1 or (reset is not None and reset % step):
        raise SnapeqError(f"--step {step}: expected a step that divides the reset, {reset}")
    return step


def landmark_windows(plan: Plan) -> list[LandmarkWindow]:
    """All windows of a plan that keep everything since a landmark."""
    return [node for node in plan.walk() if isinstance(node, LandmarkWindow)]


def pane_reset(plan: Plan) -> tuple[int, int] | None:
    """Where panes that grow start: the first start, and the distance of starts."""
    window = next(iter(landmark_windows(plan)), None)
    return None if window is None or window.reset is None else (window.start, window.reset)


def time_windows(plan: Plan) -> list[TimeWindow]:
    """All windows of a plan that are about time."""
    return [node for node in plan.walk() if isinstance(node, TimeWindow)]


def pane_offset(plan: Plan) -> int:
    """Where the panes of a query end, beside multiples of their step."""
    samples = sampled_panes(plan)
    return 0 if samples is None else (samples.first + 1) % samples.step


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
    if landmark_windows(plan):
        return None
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
