"""What a query says in the form of a program's output: intervals, panes of a window, or events.

A pane with the end e is the snapshot at e − 1 of a window without a slide: programs' panes are [e − w, e), and a window
RANGE w holds (t − w, t] at t. A pane in which nothing is has no row, not even one with a count of 0.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from physical.columns.stream import PhysicalStream, in_order
from physical.files.canonical_runs import runs_of
from physical.files.counted import counted_schema
from physical.runtime.run_whole import clipped
from semantics import FOREVER, Interval, Plan, SparseStream, Unsupported
from semantics.plan import Aggregation, TimeWindow
from semantics.sparse import first_difference

OutputKind = Literal["intervals", "panes", "events"]


def as_panes(plan: Plan) -> tuple[Plan, int]:
    """The plan whose snapshots at e − 1 are the panes of this one, and the step between panes."""
    slides = {_pane_step(window) for window in time_windows(plan)}
    if len(slides) != 1:
        raise Unsupported("panes: all windows of the query must have the same slide, or the same size without one")
    return _without_slides(plan), slides.pop()


def time_windows(plan: Plan) -> list[TimeWindow]:
    """All windows of a plan that are about time."""
    return [node for node in plan.walk() if isinstance(node, TimeWindow)]


def _pane_step(window: TimeWindow) -> int:
    """The slide, or the size of a window that does not slide: then its panes follow each other."""
    if window.slide > 1:
        return window.slide
    if window.size == FOREVER:
        raise Unsupported("panes: a window without an end has none; expected WINDOW(RANGE …)")
    return int(window.size)


def _without_slides(plan: Plan) -> Plan:
    below = plan.with_inputs(*map(_without_slides, plan.inputs))
    if isinstance(below, TimeWindow):
        return replace(below, slide=1)
    return replace(below, on_empty=False) if isinstance(below, Aggregation) else below


def counted_answer(answer: PhysicalStream, step: int | None, horizon: int) -> PhysicalStream:
    """The right answer, with its counts; with a step, only at the last instant of each pane."""
    runs = runs_of(clipped(answer, horizon), counted_schema(answer.schema))
    return in_order(runs if step is None else _at_panes(runs, step))


def _at_panes(runs: PhysicalStream, step: int) -> PhysicalStream:
    """A piece of each run for each pane that ends within it: [e − 1, e)."""
    first, last = runs.start // step + 1, runs.end // step
    number = np.maximum(last - first + 1, 0)
    which = np.repeat(np.arange(len(runs)), number)
    within = np.arange(len(which)) - np.repeat(np.cumsum(number) - number, number)
    end = (first[which] + within) * step
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
