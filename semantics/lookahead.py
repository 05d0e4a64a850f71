"""Up to when streams have to be known for a result up to a horizon, if operators look ahead."""

from collections.abc import Callable
from typing import assert_never

from semantics import plan as op
from semantics.plan import Plan
from semantics.stream import Stream, pieces
from semantics.time import FOREVER, End, Instant


def known_until(plan: Plan, horizon: Instant, last_change: Callable[[str], Instant]) -> Instant:
    """The horizon, or with operators that look ahead one from which on nothing changes any more.

    What such an operator gives out before the horizon is then final: a session that still goes on never ends. Rows that
    never end go on after the horizon, too, and LEAD sees as many of them as it reaches over.

    >>> from semantics import parse_plan
    >>> known_until(parse_plan("S(x int) | window(session 5)"), 3, {"S": 40}.get)
    47
    >>> known_until(parse_plan("S(x int) | over(lead(x, 2) as next)"), 50, {"S": 40}.get)
    52
    """
    if not plan.has_lookahead:
        return horizon
    return max(horizon, settled(plan, last_change) + 1) + _reach(plan)


def last_change(stream: Stream) -> Instant:
    """The last instant at which a stream changes."""
    bounds = [bound for _, i, _ in pieces(stream) for bound in (i.start, i.end) if bound != FOREVER]
    return int(max(bounds, default=0))


def _reach(plan: Plan) -> int:
    """Over how many rows, and so over how many instants at most once nothing changes, the operators look ahead."""
    own = plan.reach if isinstance(plan, op.Over) else 0
    return own + max(map(_reach, plan.inputs), default=0)


def settled(plan: Plan, last_change: Callable[[str], Instant]) -> Instant:
    """An instant from which on the output stays as it is, as far as nothing asks for now.

    >>> from semantics import parse_plan
    >>> settled(parse_plan("S(x int) | window(range 10)"), {"S": 40}.get)
    51
    """
    if isinstance(plan, op.Source):
        return last_change(plan.name)
    return max(settled(child, last_change) for child in plan.inputs) + _delay(plan)


def _delay(plan: Plan) -> Instant:
    """How long the output may still change after the last change of its inputs."""
    match plan:
        case op.TimeWindow(size=size, slide=slide):
            return _instants(size) + slide
        case op.LandmarkWindow(reset=reset):
            return reset or 0
        case op.SessionWindow(gap=gap):
            return gap + 1
        case op.Over():
            return plan.reach + 1
        case op.Istream() | op.Dstream():
            return 1
        case (
            op.Source()
            | op.Filter()
            | op.Map()
            | op.Unnest()
            | op.Distinct()
            | op.Aggregation()
            | op.Grouping()
            | op.Limit()
            | op.Union()
            | op.Difference()
            | op.Intersection()
            | op.Product()
            | op.Join()
            | op.LeftJoin()
            | op.RightJoin()
            | op.FullJoin()
            | op.Semijoin()
            | op.Antijoin()
            | op.CountWindow()
            | op.PartitionedWindow()
            | op.Rstream()
        ):
            return 0
        case _:
            assert_never(plan)


def _instants(size: End) -> Instant:
    return 0 if size == FOREVER else int(size)
