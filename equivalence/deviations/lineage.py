"""Which input rows decide whether, and how often, a row is in an output: why-provenance through the plan.

A demand is a row of a node's output in an interval. Each operator says which rows of its inputs could change it by
going away. Where an operator looks at all rows of an input, those that are there are demanded. That is enough as long
as no row can come because another one goes. Below a difference, an anti-join, an outer join, an aggregate or a window
of rows it can: then all input rows of that time are responsible.
"""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from equivalence.deviations.situation import Situation
from semantics import FOREVER, Instant, Interval, Plan, Row, Type
from semantics.evaluate import key_of
from semantics.expression import Constant, Expression, evaluate, holds, mentions_now
from semantics.now_in_expressions import replace_now
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
from semantics.sparse.evaluate import SparseEvaluation
from semantics.sparse.row_steps import Totals, spans
from semantics.time import End
from semantics.value import identical_row

MONOTONE: Final = (
    Source,
    Filter,
    Map,
    Unnest,
    Union,
    Distinct,
    Intersection,
    Product,
    Join,
    Semijoin,
    TimeWindow,
    LandmarkWindow,
    Rstream,
)
"""Operators of which no row comes because a row of an input goes."""
Demand = tuple[Row, Interval]
Place = tuple[str, int]
"""A row of the input: its source and its number in the order of arrival."""


def responsible(situation: Situation, row: Row, valid: Interval) -> list[Place]:
    """The input rows that decide how often a row is there in an interval.

    Whichever other rows are taken away, the row is there as often as before.

    >>> from equivalence.deviations.situation import situation_of
    >>> from semantics import parse, parse_plan
    >>> plan = parse_plan("S(k int, x int) | window(range 4) | group(k; sum(x) as s)")
    >>> rows = parse("raw(k int, x int): (1, 5)@0 (2, 7)@1 (1, 6)@3")
    >>> responsible(situation_of(plan, {"S": rows}), (1, 11), Interval(3, 4))
    [('S', 0), ('S', 2)]
    """
    streams = {name: given.stream() for name, given in situation.inputs.items()}
    lineage = _Lineage(SparseEvaluation(streams, valid.end), situation)
    lineage.follow(situation.plan, [(identical_row(row), valid)])
    return sorted(lineage.found)


class _Lineage:
    """Follows demands down to the sources; each once."""

    def __init__(self, evaluation: SparseEvaluation, situation: Situation) -> None:
        self._evaluation, self._situation = evaluation, situation
        self.found: set[Place] = set()
        self._seen: set[tuple[int, Demand]] = set()

    def follow(self, node: Plan, demands: Iterable[Demand]) -> None:
        for demand in demands:
            if (id(node), demand) in self._seen:
                continue
            self._seen.add((id(node), demand))
            if isinstance(node, Source):
                self._reach(node.name, *demand)
            else:
                for child, below in zip(node.inputs, self._below(node, *demand), strict=True):
                    self.follow(child, below)

    def _reach(self, name: str, row: Row, valid: Interval) -> None:
        for number, arrival in enumerate(self._situation.inputs[name].arrivals):
            overlaps = arrival.time < valid.end and valid.start < arrival.valid.end
            if overlaps and identical_row(arrival.row) == row:
                self.found.add((name, number))

    def _there(self, node: Plan, valid: Interval) -> Iterator[Row]:
        """The rows that a node shows at some instant of an interval; if others may come, all input rows are taken."""
        return iter(dict.fromkeys(row for row, _ in self._shown(node, valid)))

    def _shown(self, node: Plan, valid: Interval) -> Iterator[Demand]:
        """The same rows, each with the parts of the interval in which it is there."""
        if not all(isinstance(below, MONOTONE) for below in node.walk()):
            self._take_all(node, valid)
            return
        for row, steps in self._evaluation.counts(node).items():
            for i, _ in spans(steps, FOREVER):
                if i.start < valid.end and valid.start < i.end:
                    yield row, Interval(max(i.start, valid.start), min(i.end, valid.end))

    def _take_all(self, node: Plan, valid: Interval) -> None:
        """All rows of the sources that a node looks at for an interval."""
        if isinstance(node, Source):
            arrivals = enumerate(self._situation.inputs[node.name].arrivals)
            self.found |= {(node.name, i) for i, a in arrivals if a.time < valid.end and valid.start < a.valid.end}
        for child in node.inputs:
            self._take_all(child, Interval(_earliest(node, valid.start), valid.end))

    def _below(self, node: Plan, row: Row, valid: Interval) -> list[list[Demand]]:
        """The demands on each input."""
        match node:
            case Source():
                return []
            case Filter() | Distinct() | Rstream():
                return [[(row, valid)]]
            case Unnest():
                return [[(row[: len(node.input.schema)], valid)]]
            case Map():
                return [[demand for demand in self._shown(node.input, valid) if _may_make(node, demand, row)]]
            case Aggregation(input=below):
                return [[(member, valid) for member in self._there(below, valid)]]
            case Grouping(input=below, keys=keys):
                group = row[: len(keys)]
                members = [r for r in self._there(below, valid) if identical_row(key_of(keys)(r)) == group]
                return [[(member, valid) for member in members]]
            case Limit(input=below, keys=keys):
                group = key_of(keys)(row)
                peers = [r for r in self._there(below, valid) if identical_row(key_of(keys)(r)) == group]
                return [[(peer, valid) for peer in peers]]
            case Union() | Difference() | Intersection():
                return [[(row, valid)], [(row, valid)]]
            case Product() | Join() | LeftJoin() | RightJoin() | FullJoin():
                return self._joined(node, row, valid)
            case Semijoin() | Antijoin():
                partners = [r for r in self._there(node.right, valid) if _may_hold(node.condition, row + r, valid)]
                return [[(row, valid)], [(partner, valid) for partner in partners]]
            case TimeWindow(size=size, slide=slide):
                return [[(row, _window(valid, size, slide))]]
            case CountWindow() | PartitionedWindow():
                return [self._counted(node, row, valid)]
            case SessionWindow(input=below, keys=keys) | Over(input=below, keys=keys):
                return [self._of_group(below, keys, row)]
            case LandmarkWindow(start=start, reset=reset):
                return [_since_landmark(row, valid, start, reset)]
            case Istream() | Dstream():
                return [[(row, Interval(max(valid.start - 1, 0), valid.end))]]
            case _:
                assert_never(node)

    def _joined(
        self, node: Product | Join | LeftJoin | RightJoin | FullJoin, row: Row, valid: Interval
    ) -> list[list[Demand]]:
        """Both parts of the row; of a padded one also those that are partners at some of the instants."""
        width = len(node.left.schema)
        left, right = row[:width], row[width:]
        lefts, rights = [(left, valid)], [(right, valid)]
        if isinstance(node, LeftJoin | FullJoin) and all(value is None for value in right):
            rights += [(r, valid) for r in self._there(node.right, valid) if _may_hold(node.condition, left + r, valid)]
        if isinstance(node, RightJoin | FullJoin) and all(value is None for value in left):
            lefts += [(l, valid) for l in self._there(node.left, valid) if _may_hold(node.condition, l + right, valid)]
        return [lefts, rights]

    def _of_group(self, below: Plan, keys: tuple[int, ...], row: Row) -> list[Demand]:
        """All rows of the group, whenever they come: any of them may be of the session or the frame."""
        group = identical_row(key_of(keys)(row))
        ever = Interval(0, FOREVER)
        return [(r, ever) for r in self._there(below, ever) if identical_row(key_of(keys)(r)) == group]

    def _counted(self, node: CountWindow | PartitionedWindow, row: Row, valid: Interval) -> list[Demand]:
        """The occurrences that may be among the last; of partitions, those with the same key."""
        keys = node.keys if isinstance(node, PartitionedWindow) else ()
        key = identical_row(key_of(keys)(row))
        upto = Interval(0, valid.end)
        peers = [r for r in self._there(node.input, upto) if identical_row(key_of(keys)(r)) == key]
        if not peers:
            return []
        counts = self._evaluation.counts(node.input)
        first = 0 if node.slide > 1 else _since_when(node.rows, [Totals(counts[r]) for r in peers], valid.start)
        return [(peer, Interval(first, valid.end)) for peer in peers]


def _fixed(expression: Expression, valid: Interval) -> Expression | None:
    """The expression as it is throughout an interval; None if it may change in it."""
    if not mentions_now(expression):
        return expression
    return replace_now(expression, Constant(valid.start, Type.INT)) if valid.end == valid.start + 1 else None


def _may_make(node: Map, source: Demand, row: Row) -> bool:
    """May this row be made of that one? Where a column changes within the interval, any value is taken to be made."""
    made, valid = source
    fixed = [(_fixed(expression, valid), wanted) for expression, wanted in zip(node.expressions, row, strict=True)]
    return all(e is None or identical_row((evaluate(e, made),)) == (wanted,) for e, wanted in fixed)


def _may_hold(condition: Expression, row: Row, valid: Interval) -> bool:
    fixed = _fixed(condition, valid)
    return fixed is None or holds(fixed, row)


def _earliest(node: Plan, t: Instant) -> Instant:
    """How far back a node looks at t."""
    match node:
        case TimeWindow(size=size, slide=slide):
            return _window(Interval(t, t + 1), size, slide).start
        case CountWindow() | PartitionedWindow() | LandmarkWindow() | SessionWindow() | Over():
            return 0
        case Istream() | Dstream():
            return max(t - 1, 0)
        case _:
            return t


def _since_when(rows: int, peers: list[Totals], now: Instant) -> Instant:
    """The latest instant since which there were so many occurrences, or 0."""

    def occurrences(since: Instant) -> int:
        return sum(peer.until(now + 1) - peer.until(since) for peer in peers)

    low, high = 0, now + 1
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if occurrences(middle) >= rows else (low, middle)
    return low


def _window(valid: Interval, size: End, slide: int) -> Interval:
    first = slide * (valid.start // slide) - size + 1
    return Interval(int(max(first, 0)), valid.end)


def _since_landmark(row: Row, valid: Interval, start: Instant, reset: int | None) -> list[Demand]:
    if valid.end <= start:
        return []
    begin = max(valid.start, start)
    return [(row, Interval(begin - (begin - start) % reset if reset else start, valid.end))]
