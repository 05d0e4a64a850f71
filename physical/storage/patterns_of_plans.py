"""What queries do to a store, from their plans (Table 2): how results expire, how consumers read and consume them.

A store is between two queries: the producer's plan gives its items, the consumers' plans read it as a source.
"""

from collections.abc import Collection
from typing import Literal

from physical.storage.parameters import ReadPattern, UpdatePattern
from physical.storage.patterns import Consume, Expire, combined, update_pattern
from semantics import FOREVER, Plan
from semantics import aggregate as agg
from semantics import plan as op

Window = op.TimeWindow | op.LandmarkWindow | op.CountWindow | op.PartitionedWindow


def expire_of(plan: Plan, intervals: Collection[str] = ()) -> Expire:
    """How results of a plan expire, relative to the order in which they come.

    Sources are raw streams, except those named as interval streams, whose elements may end in any order.

    >>> from semantics import parse_plan
    >>> expire_of(parse_plan("S(x int) | window(range 24) | filter(x > 1)")).value
    'ordered expire'
    >>> expire_of(parse_plan("S(x int, y int) | window(range unbounded) | group(x; sum(y) as s)")).value
    'replaced expire'
    """
    if _kind(plan, intervals) != "other":
        return Expire.NEVER
    if plan.mentions_now:
        return Expire.UNORDERED
    match plan:
        case op.Filter() | op.Map() | op.Rstream():
            return expire_of(plan.input, intervals)
        case op.TimeWindow() | op.LandmarkWindow() | op.CountWindow() if _kind(plan.input, intervals) == "events":
            return Expire.ORDERED
        case op.Grouping() | op.Aggregation() if _kind(plan.input, intervals) == "grows":
            return Expire.REPLACED
        case _:
            return Expire.UNORDERED


def consume_of(plan: Plan, store: str) -> Consume:
    """How a query consumes a store, over all places where it reads the store."""
    return combined(_consumed(plan, store, above=None))


def read_of(plan: Plan, store: str) -> ReadPattern:
    """In which order a query reads items of a store: by key, around a place, or one after the other."""
    found = set(_reads(plan, store, ReadPattern.SEQUENTIAL))
    return next(p for p in (ReadPattern.RANDOM, ReadPattern.CLUSTERED, ReadPattern.SEQUENTIAL) if p in found)


def state_pattern(plan: Plan, intervals: Collection[str] = ()) -> UpdatePattern:
    """The update pattern of a store for the state of an operator over this plan; the operator needs elements in order.

    A result that is replaced is an element that ends, and its successor another one: nothing is replaced in place.

    >>> from semantics import parse_plan
    >>> state_pattern(parse_plan("S(x int) | window(range 24)")).value
    'fifo'
    >>> state_pattern(parse_plan("S(x int)"), intervals={"S"}).value
    'random'
    """
    expire = expire_of(plan, intervals)
    return update_pattern(Expire.UNORDERED if expire is Expire.REPLACED else expire, [Consume.ORDERED])


def pattern_of(store: str, producer: Plan, consumers: list[Plan], roomy: bool = False) -> UpdatePattern:
    """The update pattern of the store between a query and those that read its results."""
    return update_pattern(expire_of(producer), [consume_of(plan, store) for plan in consumers], roomy)


def _kind(plan: Plan, intervals: Collection[str]) -> Literal["events", "grows", "other"]:
    """Are results events, each at one instant; or does the result only grow; or neither?"""
    if plan.mentions_now:
        at_one_instant = all(_kind(child, intervals) == "events" for child in plan.inputs)
        return "events" if at_one_instant and isinstance(plan, op.Filter | op.Map) else "other"
    match plan:
        case op.Source(name=name):
            return "other" if name in intervals else "events"
        case op.Istream() | op.Dstream():
            return "events"
        case op.Filter() | op.Map() | op.Rstream():
            return _kind(plan.input, intervals)
        case op.TimeWindow(size=size) if size == FOREVER:
            return "grows" if _kind(plan.input, intervals) == "events" else "other"
        case op.LandmarkWindow(reset=None):
            return "grows" if _kind(plan.input, intervals) == "events" else "other"
        case op.Distinct() | op.Union() | op.Intersection() | op.Product() | op.Join() | op.Semijoin():
            kinds = {_kind(child, intervals) for child in plan.inputs}
            return kinds.pop() if len(kinds) == 1 else "other"
        case _:
            return "other"


def _consumed(plan: Plan, store: str, above: Plan | None) -> list[Consume]:
    """How the store is consumed at each place where it is read; `above` is the window over that place."""
    if isinstance(plan, op.Source):
        return [_through(above)] if plan.name == store else []
    if isinstance(plan, op.Grouping | op.Aggregation) and _only_extremes(plan):
        return [Consume.EAGER if c is Consume.ORDERED else c for c in _consumed(plan.input, store, above)]
    window = plan if isinstance(plan, Window) else above
    return [found for child in plan.inputs for found in _consumed(child, store, window)]


def _through(window: Plan | None) -> Consume:
    match window:
        case op.TimeWindow(size=size):
            return Consume.NEVER if size == FOREVER else Consume.ORDERED
        case op.LandmarkWindow(reset=reset):
            return Consume.NEVER if reset is None else Consume.ORDERED
        case op.PartitionedWindow():
            return Consume.EAGER
        case _:
            return Consume.ORDERED


def _only_extremes(plan: op.Grouping | op.Aggregation) -> bool:
    """Are there only MIN and MAX? Then an item is useless once a later one surpasses it."""
    return bool(plan.aggregates) and all(isinstance(found, agg.Min | agg.Max) for found in plan.aggregates)


def _reads(plan: Plan, store: str, above: ReadPattern) -> list[ReadPattern]:
    match plan:
        case op.Source():
            return [above] if plan.name == store else []
        case op.Grouping() | op.Join() | op.Semijoin() | op.Antijoin():
            pattern = ReadPattern.RANDOM
        case op.LeftJoin() | op.RightJoin() | op.FullJoin():
            pattern = ReadPattern.RANDOM
        case op.PartitionedWindow() | op.CountWindow() | op.Limit():
            pattern = ReadPattern.CLUSTERED  # around the last rows, or around the first or last by an order
        case _:
            pattern = above
    return [found for child in plan.inputs for found in _reads(child, store, pattern)]
