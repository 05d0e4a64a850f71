"""How long the windows of a plan keep what they are given, and when it goes."""

from collections.abc import Iterator
from typing import assert_never

from equivalence.cases.dimensions.dimension import Row
from semantics import FOREVER, Interval, Plan
from semantics.over import EdgeValue, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.plan import CountWindow, LandmarkWindow, Over, PartitionedWindow, SessionWindow, TimeWindow
from semantics.time import End


def reach(plan: Plan) -> int:
    """How long after its input a window can change."""
    windows = [(0 if w.size == FOREVER else int(w.size)) + 2 * w.slide for w in _time_windows(plan)]
    gaps = [node.gap + 1 for node in plan.walk() if isinstance(node, SessionWindow)]
    frames = [frame_range(node) for node in plan.walk() if isinstance(node, Over)]
    return max([*windows, *gaps, *frames], default=0) + (reset(plan) or 0)


def reset(plan: Plan) -> int | None:
    """After how long a plan that is a landmark window begins anew."""
    return plan.reset if isinstance(plan, LandmarkWindow) else None


def frame_range(plan: Over) -> int:
    """How many instants its frames go back, if they do so by a number."""
    frames = [f.frame for f in plan.functions if isinstance(f, FrameAggregate | EdgeValue)]
    return max((int(f.preceding) for f in frames if f.unit == "range" and f.preceding != FOREVER), default=0)


def counted_rows(plan: Plan) -> int:
    """How many rows a window or a frame counts until it is full, or how many a function goes back or forth."""
    if isinstance(plan, CountWindow | PartitionedWindow):
        return max(plan.rows, plan.slide)
    return max(map(_rows_of, plan.functions)) if isinstance(plan, Over) else 0


def _rows_of(function: OverFunction) -> int:
    match function:
        case NeighbourValue(distance=distance):
            return abs(distance)
        case FrameAggregate(frame=frame) | EdgeValue(frame=frame):
            return int(frame.preceding) if frame.unit == "rows" and frame.preceding != FOREVER else 0
        case RowPlace():
            return 0
        case _:
            assert_never(function)


def memory(plan: Plan, row: Row) -> End:
    """How long something may stay."""
    if isinstance(plan, CountWindow | PartitionedWindow | LandmarkWindow | SessionWindow | Over):
        return reset(plan) or FOREVER
    if row["lengths"] in ("long", "for ever"):
        return FOREVER
    return max((w.size for w in _time_windows(plan)), default=0)


def gone(plan: Plan, valid: Interval) -> End:
    """The first instant at which nothing is left of an element, as far as a window, a session or a frame decides that.

    >>> from semantics import parse_plan
    >>> gone(parse_plan("S(x int) | window(range 5)"), Interval(3, 4))
    8
    >>> gone(parse_plan("S(x int) | window(range 5 slide 4)"), Interval(3, 4))
    8
    >>> gone(parse_plan("S(x int)"), Interval(3, 4))
    4
    """
    if isinstance(plan, LandmarkWindow):
        return _next_landmark(plan, valid.start)
    if isinstance(plan, SessionWindow):
        return valid.end - 1 + plan.gap
    if isinstance(plan, Over):
        return valid.end + frame_range(plan)
    window = next(_time_windows(plan), None)
    if window is None:
        return valid.end
    ends = valid.end + window.size - 1
    return ends if ends == FOREVER else -(-int(ends) // window.slide) * window.slide


def _next_landmark(plan: LandmarkWindow, start: int) -> End:
    if plan.reset is None:
        return FOREVER
    return plan.start + (max(start - plan.start, 0) // plan.reset + 1) * plan.reset


def _time_windows(plan: Plan) -> Iterator[TimeWindow]:
    return (node for node in plan.walk() if isinstance(node, TimeWindow))
