"""The definition table: what every plan means, as its snapshots up to a horizon."""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Protocol, assert_never

from semantics import algebra
from semantics.errors import StreamError
from semantics.lookahead import is_endless, known_until, last_change
from semantics.multiset import Multiset
from semantics.now_in_expressions import node_at
from semantics.over import Occurrence
from semantics.plan import (
    Aggregation,
    Antijoin,
    CountWindow,
    Difference,
    Distinct,
    Dstream,
    Filter,
    FullJoin,
    Grouping,
    Intersection,
    Istream,
    Join,
    LandmarkWindow,
    LeftJoin,
    Limit,
    Map,
    Over,
    PartitionedWindow,
    Plan,
    Product,
    RightJoin,
    Rstream,
    Semijoin,
    SessionWindow,
    Source,
    TimeWindow,
    Union,
    Unnest,
)
from semantics.stream import IntervalStream, LogicalStream, RawStream, Stream, to_logical
from semantics.time import Instant, Interval, check_horizon
from semantics.value import INT_MAX, Row, brief

Snapshots = tuple[Multiset, ...]


class Planned(Protocol):
    """Anything with a plan: a plan node, or a query of the builder."""

    @property
    def plan(self) -> Plan: ...


def evaluate(query: Planned, sources: Mapping[str, Stream], horizon: int) -> LogicalStream:
    """The logical stream that a plan means, at the instants 0 … horizon − 1.

    >>> from semantics import RawStream, source
    >>> bids = source("Bid", price=int)
    >>> stream = RawStream(bids.schema, [((5,), 0), ((7,), 2)])
    >>> evaluate(bids.window(2), {"Bid": stream}, horizon=4).snapshots
    (Multiset({(5,): 1}), Multiset({(5,): 1}), Multiset({(7,): 1}), Multiset({(7,): 1}))
    """
    check_horizon(horizon, "evaluate: horizon")
    plan = planned("evaluate", query, sources)
    (snapshots,) = evaluate_together((plan,), sources, horizon)
    return LogicalStream(plan.schema, snapshots)


def planned(what: str, query: Planned, sources: Mapping[str, Stream]) -> Plan:
    """The plan of a query, if it is one and streams are given by name."""
    if not hasattr(query, "plan") or not isinstance(sources, Mapping):
        raise StreamError(f"{what}: expected a query and streams by name, got {brief(query)} and {brief(sources)}")
    return query.plan


def evaluate_together(plans: Iterable[Plan], sources: Mapping[str, Stream], horizon: int) -> list[Snapshots]:
    """The snapshots of several plans, at the same instants; what they have in common is evaluated once."""
    known: dict[tuple[Plan, Instant], Snapshots] = {}
    try:
        return [_snapshots(plan, sources, _until(plan, sources, horizon), known)[:horizon] for plan in plans]
    except RecursionError:
        raise StreamError("evaluate: the plan is nested too deeply") from None


def _until(plan: Plan, sources: Mapping[str, Stream], horizon: Instant) -> Instant:
    """Up to when streams are looked at."""
    until = known_until(plan, horizon, lambda n: last_change(sources[n]), lambda n: is_endless(sources[n]))
    return check_horizon(until, "evaluate: an operator looks ahead, and the horizon that it needs")


def apply(node: Plan, inputs: tuple[Snapshots, ...], since: Instant = 0) -> Snapshots:
    """The output of one operator, given the snapshots of its inputs; the first is that of the instant `since`."""
    if node.mentions_now:
        return _instant_by_instant(node, inputs, since)
    match node:
        case Source():
            raise StreamError(f"apply: {node.name} is a source, it has no inputs to be computed from")
        case Filter(predicate=predicate):
            return _standard(lambda s: algebra.filter(predicate, s), *inputs)
        case Map(expressions=expressions):
            return _standard(lambda s: algebra.map(expressions, s), *inputs)
        case Unnest(array=array, numbered=numbered, outer=outer):
            return _standard(lambda s: algebra.unnest(array, numbered, outer, s), *inputs)
        case Distinct():
            return _standard(algebra.distinct, *inputs)
        case Aggregation(aggregates=aggregates, on_empty=on_empty):
            return _standard(lambda s: algebra.aggregation(aggregates, on_empty, s), *inputs)
        case Grouping(keys=keys, aggregates=aggregates):
            return _standard(lambda s: algebra.grouping(key_of(keys), aggregates, s), *inputs)
        case Limit(keys=keys, order=order, ranking=ranking):
            kept = kept_places(node)
            return _standard(lambda s: algebra.limit(key_of(keys), order, ranking, kept, s), *inputs)
        case Union():
            return _standard(algebra.union, *inputs)
        case Difference():
            return _standard(algebra.difference, *inputs)
        case Intersection():
            return _standard(algebra.intersection, *inputs)
        case Product():
            return _standard(algebra.product, *inputs)
        case Join(condition=condition):
            return _standard(lambda l, r: algebra.join(condition, l, r), *inputs)
        case LeftJoin(condition=condition, right=right):
            return _standard(lambda l, r: algebra.left_join(condition, len(right.schema), l, r), *inputs)
        case RightJoin(condition=condition, left=left):
            return _standard(lambda l, r: algebra.right_join(condition, len(left.schema), l, r), *inputs)
        case FullJoin(condition=condition, left=left, right=right):
            widths = (len(left.schema), len(right.schema))
            return _standard(lambda l, r: algebra.full_join(condition, widths, l, r), *inputs)
        case Semijoin(condition=condition):
            return _standard(lambda l, r: algebra.semijoin(condition, l, r), *inputs)
        case Antijoin(condition=condition):
            return _standard(lambda l, r: algebra.antijoin(condition, l, r), *inputs)
        case TimeWindow(size=size, slide=slide):
            return _windowed(lambda history: algebra.time_window(size, slide, history), *inputs)
        case CountWindow():
            return _windowed(_rows_window(node), *inputs)
        case PartitionedWindow(keys=keys):
            return _windowed(lambda h: algebra.partitioned(key_of(keys), _rows_window(node), h), *inputs)
        case LandmarkWindow(start=start, reset=reset):
            return _windowed(lambda history: algebra.landmark_window(start, reset, history), *inputs)
        case SessionWindow(keys=keys, gap=gap, touching=touching):
            until, occurrences = len(inputs[0]), _occurrences(*inputs)
            return _during(until, algebra.session_window(key_of(keys), gap, touching, until, occurrences))
        case Over(keys=keys, order=order, functions=functions):
            found = algebra.over(key_of(keys), order, functions, _occurrences(*inputs))
            return _during(len(inputs[0]), [(row, Interval(t, t + 1)) for t, row in found])
        case Istream():
            return _windowed(algebra.istream, *inputs)
        case Dstream():
            return _windowed(algebra.dstream, *inputs)
        case Rstream():
            return _standard(algebra.rstream, *inputs)
        case _:
            assert_never(node)


def _snapshots(
    node: Plan, sources: Mapping[str, Stream], horizon: int, known: dict[tuple[Plan, Instant], Snapshots]
) -> Snapshots:
    """What a plan means; equal subplans mean the same, so each is evaluated once."""
    if (node, horizon) not in known:
        if isinstance(node, Source):
            found = to_logical(given_stream(node, sources), horizon).snapshots
        else:
            found = apply(node, tuple(_snapshots(child, sources, horizon, known) for child in node.inputs))
        known[node, horizon] = found
    return known[node, horizon]


def _instant_by_instant(node: Plan, inputs: tuple[Snapshots, ...], since: Instant) -> Snapshots:
    """Snapshot by snapshot, the instant in the place of `now`: τ_t(op_e(S…)) = op_e[now:=t](τ_t(S)…)."""
    held = enumerate(zip(*inputs, strict=True), since)
    return tuple(apply(node_at(node, t), tuple((now,) for now in snapshots))[0] for t, snapshots in held)


def _standard(operator: Callable[..., Multiset], *inputs: Snapshots) -> Snapshots:
    """Snapshot by snapshot: τ_t(op(S…)) = op(τ_t(S)…), Definition 6.2; as long as these stay, so does the result."""
    groups = groupby(zip(*inputs, strict=True))
    return tuple(result for group, equal in groups for result in [operator(*group)] * len(list(equal)))


def _windowed(operator: Callable[[algebra.History], Multiset], history: Snapshots) -> Snapshots:
    """At every instant from all snapshots so far."""
    return tuple(operator(history[: t + 1]) for t in range(len(history)))


def _occurrences(history: Snapshots) -> list[Occurrence]:
    return [(t, row) for t, snapshot in enumerate(history) for row in snapshot]


def _during(until: Instant, elements: list[tuple[Row, Interval]]) -> Snapshots:
    """The snapshots of rows with their intervals."""
    found: list[list[Row]] = [[] for _ in range(until)]
    for row, interval in elements:
        for t in range(interval.start, min(int(interval.end), until)):
            found[t].append(row)
    return tuple(map(Multiset, found))


def _rows_window(node: CountWindow | PartitionedWindow) -> Callable[[algebra.History], Multiset]:
    if node.ties:
        return lambda history: algebra.ties_window(node.rows, history)
    return lambda history: algebra.count_window(node.rows, node.slide, history)


def kept_places(node: Limit) -> range:
    """The places, counted from 0, whose rows are kept."""
    return range(node.offset, node.offset + (INT_MAX if node.count is None else node.count))


def key_of(positions: tuple[int, ...]) -> algebra.Key:
    """The function that takes the columns at these positions out of a row."""

    def key(row: Row) -> Row:
        return tuple(row[position] for position in positions)

    return key


def given_stream(node: Source, sources: Mapping[str, Stream]) -> Stream:
    """The stream that is given for a source, if it fits."""
    if node.name not in sources:
        given = ", ".join(sorted(map(str, sources))) or "none"
        raise StreamError(f"evaluate: no stream is given for source {node.name!r}; given: {given}")
    stream = sources[node.name]
    if not isinstance(stream, RawStream | IntervalStream | LogicalStream):
        raise StreamError(f"evaluate: source {node.name!r} must be a stream, got {brief(stream)}")
    if stream.schema != node.schema:
        raise StreamError(f"evaluate: source {node.name!r} must have columns {node.schema}, got {stream.schema}")
    return stream
