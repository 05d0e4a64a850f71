"""Up to when streams have to be known for a result up to a horizon, if operators look ahead."""

from collections.abc import Callable
from typing import assert_never

from semantics import plan as op
from semantics.errors import TooManyChanges
from semantics.expression import mentions_now, refs
from semantics.plan import Plan
from semantics.stream import Stream, pieces
from semantics.time import FOREVER, End, Instant


def known_until(
    plan: Plan,
    horizon: Instant,
    last_change: Callable[[str], Instant],
    endless: Callable[[str], bool] = lambda _: False,
) -> Instant:
    """The horizon, or with operators that look ahead one from which on nothing changes any more.

    What such an operator gives out before the horizon is then final: a session that still goes on never ends. Rows that
    never end go on after the horizon, too, and LEAD sees as many of them as it reaches over.

    >>> from semantics import parse_plan
    >>> known_until(parse_plan("S(x int) | window(session 5)"), 3, {"S": 40}.get)
    47
    >>> known_until(parse_plan("S(x int) | over(lead(x, 2) as next)"), 50, {"S": 40}.get)
    52

    Where rows that never end depend on now, some may begin at any instant, and no horizon shows which one follows.

    >>> late = parse_plan("S(x int) | filter(now > 9) | over(lead(x, 1) as next)")
    >>> known_until(late, 5, {"S": 4}.get, endless={"S": True}.get)
    Traceback (most recent call last):
    ...
    semantics.errors.TooManyChanges: Over: what follows may come after any horizon: endless rows ask for now in Filter
    """
    if not plan.has_lookahead:
        return horizon
    _check_ends(plan, endless)
    return max(horizon, settled(plan, last_change) + 1) + _reach(plan)


def _check_ends(plan: Plan, endless: Callable[[str], bool]) -> None:
    """Is what follows a row sure to come, once the streams change no more?"""
    for node in plan.walk():
        asking = _asking(node.inputs[0], _keys(node), endless) if node.looks_ahead else None
        if asking is not None:
            why = f"endless rows ask for now in {asking.operator}"
            raise TooManyChanges(f"{node.operator}: what follows may come after any horizon: {why}")


def _keys(node: Plan) -> tuple[int, ...]:
    """The columns by which an operator that looks ahead takes rows together."""
    return node.keys if isinstance(node, op.Over | op.SessionWindow) else ()


def _asking(plan: Plan, keys: tuple[int, ...], endless: Callable[[str], bool]) -> Plan | None:
    """An operator that lets endless rows come or go, or pass into another group, as time goes on.

    A map does not: whatever it computes from now, a row follows at the next instant, unless its key is computed so.
    """
    if isinstance(plan, op.Map):
        computed = [plan.expressions[key] for key in keys]
        if not any(map(mentions_now, computed)):
            below = {ref.index for expression in computed for ref in refs(expression)}
            return _asking(plan.input, tuple(sorted(below)), endless)
    return next((one for one in plan.walk() if _asks_for_ever(one, endless)), None)


def _asks_for_ever(node: Plan, endless: Callable[[str], bool]) -> bool:
    """Does it look at rows without end, and at the instant? Then what it makes of them may change at any time."""
    return node.mentions_now and any(_may_last(child, endless) for child in node.inputs)


def _may_last(plan: Plan, endless: Callable[[str], bool]) -> bool:
    """May rows of it be there for ever?"""
    match plan:
        case op.Source():
            return endless(plan.name)
        case op.TimeWindow(size=size) if size == FOREVER:
            return True
        case op.LandmarkWindow(reset=None) | op.CountWindow() | op.PartitionedWindow():
            return True
        case _:
            return any(_may_last(child, endless) for child in plan.inputs)


def is_endless(stream: Stream) -> bool:
    """Has it rows that never end?"""
    return any(interval.end == FOREVER for _, interval, _ in pieces(stream))


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
