"""What a plan means over time of any size."""

from collections.abc import Mapping
from functools import partial
from typing import assert_never

from semantics.errors import StreamError
from semantics.evaluate import Planned, apply, given_stream, planned
from semantics.lookahead import is_endless, known_until, last_change
from semantics.periods_of_now import sampling
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
from semantics.sparse.budget import MOST_CHANGES, Budget
from semantics.sparse.instants_of_now import where_now_matters
from semantics.sparse.occurrences import over, session_window
from semantics.sparse.row_steps import Counts
from semantics.sparse.row_windows import count_window, partitions
from semantics.sparse.samples import sampled
from semantics.sparse.stream import SparseStream, counts_of
from semantics.sparse.sweep import aligned, recorded
from semantics.sparse.time_windows import by_row, differences, landmark_window, time_window
from semantics.stream import Stream
from semantics.time import FOREVER, End, check_instant


def evaluate_sparse(
    query: Planned, sources: Mapping[str, Stream], horizon: End = FOREVER, *, limit: int = MOST_CHANGES
) -> SparseStream:
    """The logical stream that a plan means, before the horizon; what it costs depends on changes, not on instants.

    All operators together may change as often as the limit says; TooManyChanges names the one that goes beyond.

    >>> from semantics import RawStream, source
    >>> bids, day = source("Bid", price=int), 86_400_000
    >>> stream = RawStream(bids.schema, [((5,), 0), ((7,), 20 * day)])
    >>> result = evaluate_sparse(bids.window(30 * day), {"Bid": stream})
    >>> [(row, interval.start // day, interval.end // day) for row, interval, _ in result.runs]
    [((5,), 0, 30), ((7,), 20, 50)]
    """
    return SparseEvaluation(sources, horizon, limit=limit).of(query)


class SparseEvaluation:
    """Evaluates plans over the same streams; what they have in common is evaluated once.

    >>> from semantics import parse, parse_plan
    >>> evaluation = SparseEvaluation({"S": parse("raw(x int): (5)@0")})
    >>> [len(evaluation.of(parse_plan(f"S(x int) | window(range {size})")).runs) for size in (600, 601)]
    [1, 1]
    """

    def __init__(self, sources: Mapping[str, Stream], horizon: End = FOREVER, *, limit: int = MOST_CHANGES) -> None:
        if horizon != FOREVER:
            check_instant(horizon, "evaluate_sparse: horizon")
        self._sources, self._horizon, self._limit, self._budget = sources, horizon, limit, Budget(limit)
        self._known: dict[Plan, Counts] = {}
        self._results: dict[Plan, SparseStream] = {}

    def of(self, query: Planned) -> SparseStream:
        """The logical stream that a plan means; each plan may change as often as the limit says."""
        plan = planned("evaluate_sparse", query, self._sources)
        counts = self._of_plan(plan)
        if plan not in self._results:
            self._results[plan] = SparseStream.counted(plan.schema, counts, self._horizon)
        return self._results[plan]

    def same(self, left: Plan, right: Plan) -> bool:
        """Do two plans mean the same here? It takes less time than `of`."""
        return self._of_plan(left) == self._of_plan(right)

    def _of_plan(self, plan: Plan) -> Counts:
        self._budget = Budget(self._limit)
        try:
            until = self._until(plan)
            if until == self._horizon:
                return self.counts(plan)
            whole = SparseEvaluation(self._sources, until, limit=self._limit).counts(plan)
            return {
                row: before for row, steps in whole.items() if (before := [s for s in steps if s[0] < self._horizon])
            }
        except RecursionError:
            raise StreamError("evaluate_sparse: the plan is nested too deeply") from None

    def _until(self, plan: Plan) -> End:
        """Up to when streams are looked at."""
        if self._horizon == FOREVER:
            return FOREVER
        held = self._sources
        return known_until(plan, int(self._horizon), lambda n: last_change(held[n]), lambda n: is_endless(held[n]))

    def counts(self, node: Plan) -> Counts:
        if node not in self._known:
            self._known[node] = self._output(node, [self.counts(child) for child in node.inputs])
        return self._known[node]

    def _output(self, node: Plan, inputs: list[Counts]) -> Counts:
        spend = partial(self._budget.spend, node)
        match node:
            case Source():
                return counts_of(given_stream(node, self._sources), self._horizon)
            case TimeWindow(size=size, slide=slide):
                window = partial(time_window, size, slide, self._horizon)
                return by_row(window, spend, *inputs)
            case LandmarkWindow(start=start, reset=reset):
                window = partial(landmark_window, start, reset, self._horizon)
                return by_row(window, spend, *inputs)
            case CountWindow():
                return self._count_window(node, inputs)
            case PartitionedWindow(keys=keys):
                return self._count_window(node, partitions(keys, *inputs))
            case SessionWindow():
                return session_window(node, self._horizon, spend, *inputs)
            case Over():
                return over(node, self._horizon, spend, *inputs)
            case Istream() | Dstream():
                return self._differences(node, *inputs)
            case Filter(predicate=predicate) if (asked := sampling(predicate)) is not None:
                return sampled(node, asked, self._horizon, spend, *inputs)
            case (
                Filter()
                | Map()
                | Unnest()
                | Distinct()
                | Aggregation()
                | Grouping()
                | Limit()
                | Union()
                | Difference()
                | Intersection()
                | Product()
                | Join()
                | LeftJoin()
                | RightJoin()
                | FullJoin()
                | Semijoin()
                | Antijoin()
                | Rstream()
            ):
                return self._standard(node, inputs)
            case _:
                assert_never(node)

    def _standard(self, node: Plan, inputs: list[Counts]) -> Counts:
        """τ_t(op(S…)) = op(τ_t(S)…), Definition 6.2: the reference's function where something changes."""
        snapshots = aligned(inputs, self._horizon)
        if node.mentions_now:
            snapshots = where_now_matters(node, snapshots, self._horizon, partial(self._budget.check, node))
        results = ((t, apply(node, tuple((now,) for now in held), t)[0]) for t, held in snapshots)
        return recorded(results, partial(self._budget.spend, node))

    def _count_window(self, node: CountWindow | PartitionedWindow, groups: list[Counts]) -> Counts:
        """Groups have no row in common, so their windows do not either."""
        check, spend = partial(self._budget.check, node), partial(self._budget.spend, node)
        windows = [recorded(count_window(node, self._horizon, group, check), spend) for group in groups]
        return {row: steps for window in windows for row, steps in window.items()}

    def _differences(self, node: Istream | Dstream, counts: Counts) -> Counts:
        self._budget.spend(node, sum(2 * len(steps) for steps in counts.values()))
        sign = 1 if isinstance(node, Istream) else -1
        return {row: differences(sign, self._horizon, steps) for row, steps in counts.items()}
