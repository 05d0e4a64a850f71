"""A stage: the part of a plan between windows, run by an evaluator as one operator of a graph."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from physical.columns.batch import batch_bytes
from physical.columns.stream import PhysicalStream, joined
from physical.engines.incremental.chunks import Fixed, Pace
from physical.engines.incremental.expiring_rows import ExpiringRows
from physical.engines.incremental.operator_classes import PerRow
from physical.engines.incremental.rewriter import rewritten, why_by_intervals
from physical.engines.incremental.window_evaluator import IncrementalEvaluator, Leaf, WindowEvaluator, chunked, leaves
from physical.engines.interval.algebra import operator as interval_operator
from physical.engines.interval.operator import IntervalOperator
from physical.kernels.types import Ints
from physical.planning.planner import CHRONON_SOURCE, PhysicalNode, chronons, physical_plan
from physical.runtime.operator import StateSize
from physical.runtime.operator_graph import Algebra
from semantics import Plan
from semantics import plan as op

Make = Callable[[Plan], WindowEvaluator]
ONE_CHUNK = Fixed()


def algebra(make: Make, pace: Callable[[], Pace]) -> Algebra:
    """An algebra of stages, each with a new evaluator and a new pace."""
    return Algebra(staged, StageMaker(make, pace))


@dataclass(frozen=True)
class StageMaker:
    """Makes the operator of a node: an object and no closure, so that a running session can be pickled."""

    make: Make
    pace: Callable[[], Pace]

    def __call__(self, node: PhysicalNode, horizon: int) -> IntervalOperator:
        if node.kind == "stage":
            return StageOperator(node.logical, horizon, self.make, self.pace())
        return interval_operator(node, horizon)


def staged(plan: Plan, chronon_sources: frozenset[str] = frozenset()) -> PhysicalNode:
    """The rewritten plan, cut at its windows; if it asks for now or has a limit, that of the interval algebra.

    Between two slides nothing begins or ends, but what is asked of now may change there.
    """
    if why_by_intervals(plan) is not None:
        return physical_plan(plan, chronon_sources)
    return _stage(rewritten(plan).plan, chronon_sources)


def _stage(plan: Plan, raw: frozenset[str]) -> PhysicalNode:
    if isinstance(plan, Leaf):
        return _leaf(plan, raw)
    return PhysicalNode("stage", plan, tuple(_leaf(leaf, raw) for leaf in leaves(plan)))


def _leaf(leaf: Leaf, raw: frozenset[str]) -> PhysicalNode:
    match leaf:
        case op.Source(name=name):
            return PhysicalNode("source", leaf, (), CHRONON_SOURCE if name in raw else "an interval stream")
        case op.Istream() | op.Dstream():
            return PhysicalNode("operator", leaf, (_below(leaf.input, raw),))
        case _:
            return PhysicalNode("operator", leaf, (chronons(_below(leaf.input, raw)),))


def _below(plan: Plan, raw: frozenset[str]) -> PhysicalNode:
    """The input of a window; operators that treat one row at a time need no evaluator."""
    if isinstance(plan, PerRow):
        return PhysicalNode("operator", plan, tuple(_below(child, raw) for child in plan.inputs))
    return _stage(plan, raw)


class StageOperator(IntervalOperator):
    """Feeds an evaluator with basic windows, and lets it slide whenever anything begins or ends."""

    def __init__(self, plan: Plan, horizon: int, make: Make = IncrementalEvaluator, pace: Pace = ONE_CHUNK) -> None:
        inputs = tuple(leaf.schema for leaf in leaves(plan))
        super().__init__(plan.operator, inputs, plan.schema)
        self.horizon = horizon
        self.pace = pace
        self.evaluator = make(plan)
        self.waiting = [[PhysicalStream.empty(schema)] for schema in inputs]
        self.fresh = 0
        self.usual = 0
        """How many elements the last basic window had."""
        self.instants = np.empty(0, np.int64)
        """When rows that were fed early begin or end."""

    def accept(self, batch: PhysicalStream, port: int) -> None:
        self.waiting[port].append(batch)
        self.fresh += len(batch)
        if self.pace.chunks > 1 and self.usual:
            self._feed_early(port)

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:
        since = self.progress
        if watermark <= since or (not force and self.waits(self.fresh, 0)):
            return PhysicalStream.empty(self.schema), since
        self.fresh = 0
        until = max(min(watermark, self.horizon), since)
        arrivals = [self._due(port, until) for port in range(len(self.waiting))]
        return self._slide_through(arrivals, since, until), watermark

    @property
    def state(self) -> StateSize:
        kept = self.evaluator.held()
        waiting = [batch for batches in self.waiting for batch in batches]
        elements = sum(len(rows) for rows in kept) + sum(len(batch) for batch in waiting)
        return StateSize(elements, sum(rows.bytes for rows in kept) + sum(batch_bytes(batch) for batch in waiting))

    def _feed_early(self, port: int) -> None:
        """Feed a chunk as soon as it is complete, without waiting for the rest of the basic window."""
        waiting = joined(self.waiting[port])
        if len(waiting) * self.pace.chunks < self.usual:
            return
        self.waiting[port] = [PhysicalStream.empty(self.inputs[port])]
        starts, cuts = np.unique(waiting.start, return_index=True)
        for start, first, last in zip(starts.tolist(), cuts, [*cuts[1:], len(waiting)], strict=True):
            self.evaluator.feed(port, ExpiringRows.of(waiting.take(np.s_[first:last])), start)
        self.instants = np.unique(np.concatenate([self.instants, starts, waiting.end]))

    def _due(self, port: int, until: int) -> PhysicalStream:
        """The elements of a port that start before then; the others keep waiting."""
        whole = joined(self.waiting[port])
        count = int(np.searchsorted(whole.start, until, side="left"))
        self.waiting[port] = [whole.take(np.s_[count:])]
        return whole.take(np.s_[:count])

    def _slide_through(self, arrivals: list[PhysicalStream], since: int, until: int) -> PhysicalStream:
        """The results of all slides from since on, before until."""
        instants = self._instants(arrivals, since, until)
        cuts = [np.searchsorted(stream.start, instants) for stream in arrivals]
        outputs = [PhysicalStream.empty(self.schema)]
        for i, now in enumerate(instants[:-1].tolist()):
            begun = perf_counter()
            parts = [stream.take(np.s_[cut[i] : cut[i + 1]]) for stream, cut in zip(arrivals, cuts, strict=True)]
            fed = [self._feed(port, part, now) for port, part in enumerate(parts)]
            rows = self.evaluator.slide(now, int(instants[i + 1]))
            if any(fed):
                self.usual = max(fed)
                self.pace.note(perf_counter() - begun)
            outputs.append(rows.stream(self.schema, now))
        self.evaluator.expire(until)
        return joined(outputs)

    def _feed(self, port: int, basic_window: PhysicalStream, start: int) -> int:
        """Feed a basic window in chunks; gives its number of elements."""
        if len(basic_window):
            for chunk in chunked(ExpiringRows.of(basic_window), self.pace.chunks):
                self.evaluator.feed(port, chunk, start)
        return len(basic_window)

    def _instants(self, arrivals: list[PhysicalStream], since: int, until: int) -> Ints:
        """The instants at which something begins or ends, from since to until, both included."""
        bounds = np.array([since, until], np.int64)
        known = [array for stream in arrivals for array in (stream.start, stream.end)]
        instants = np.unique(np.concatenate([bounds, self.instants, *known]))
        self.instants = instants[instants > until]
        return instants[(instants >= since) & (instants <= until)]
