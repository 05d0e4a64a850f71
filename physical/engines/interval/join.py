"""Product and theta-join (Algorithm 2): every new element meets the stored elements of the other side."""

from itertools import pairwise

import numpy as np

from physical.columns.column import taken
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.columns.stream_parts import LARGE_SLICE, cuts_in_time, joined_by
from physical.columns.threads import workers
from physical.engines.interval.operator import IntervalOperator
from physical.join_index.condition import Condition
from physical.join_index.sweep_area import Pairs
from physical.join_index.symmetric_hash import equal_pairs
from physical.kernels.sort import is_sorted, stable_order
from physical.kernels.types import ENDLESS
from semantics import Schema
from semantics.plan import Join, Product

ELEMENTS_PER_STEP = 1 << 15
"""Elements that meet in one step: enough to keep kernels busy, few enough to stay in the processor's caches."""


class IntervalJoin(IntervalOperator):
    """⋈: for every pair that overlaps and satisfies the condition, both rows, valid while both are."""

    def __init__(self, node: Product | Join) -> None:
        super().__init__(node.operator, (node.left.schema, node.right.schema), node.schema)
        condition = node.condition if isinstance(node, Join) else None
        self.condition = Condition.of(condition, node.left.schema, node.right.schema)
        self.areas = (self.condition.area(0), self.condition.area(1))
        self.results = PhysicalStream.empty(node.schema)

    def accept(self, batch: PhysicalStream, port: int) -> None:
        other = self.areas[1 - port]
        other.purge(int(batch.start[0]))
        for probe, met in other.query(batch):
            found = (probe, met) if port == 0 else (met, probe)
            left, right = (batch, other.elements) if port == 0 else (other.elements, batch)
            holds = self.condition.holds(left, right, found)
            kept = found if holds is None else (found[0][holds], found[1][holds])
            self.results = in_order(joined([self.results, paired(self.schema, left, right, kept)]))
        self.areas[port].insert(batch)

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:  # noqa: ARG002  # never waits
        for side, area in enumerate(self.areas):
            area.purge(self.port_watermarks[1 - side])
        due = int(np.searchsorted(self.results.start, watermark, side="right"))
        output, self.results = self.results.take(np.s_[:due]), self.results.take(np.s_[due:])
        return output, watermark

    def held(self) -> list[PhysicalStream]:
        return [self.areas[0].elements, self.areas[1].elements, self.results]


class IntervalEquijoin(IntervalJoin):
    """⋈ with equal keys, as one sweep: elements wait until the other input has come as far, then meet in order of time.

    Results come out ordered by start, so unlike `IntervalJoin` it need not sort them.
    """

    def __init__(self, node: Join) -> None:
        super().__init__(node)
        self.node = node
        self.waiting = tuple(PhysicalStream.empty(schema) for schema in self.inputs)

    def accept(self, batch: PhysicalStream, port: int) -> None:
        both = [*self.waiting]
        both[port] = joined([both[port], batch])
        self.waiting = tuple(both)

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:  # noqa: ARG002  # never waits
        cuts = self._cuts(watermark)
        if cuts:
            return self._in_parts(cuts, watermark), watermark
        outputs = [PhysicalStream.empty(self.schema), *(self._meet(t) for t in self._steps(watermark))]
        self._purge()
        return joined(outputs), watermark

    def _cuts(self, watermark: int) -> list[int]:
        """Instants between which threads let elements meet; none if too few elements are due."""
        starts = max((waiting.start for waiting in self.waiting), key=len)
        if self.threads == 1 or len(starts) < 2 * LARGE_SLICE:
            return []
        starts = starts[: int(np.searchsorted(starts, watermark, side="right"))]
        longest = max(int((held.end - held.start).max()) for held in self.held() if len(held))
        return cuts_in_time(starts, longest, max(-(-len(starts) // self.threads), LARGE_SLICE))

    def _in_parts(self, cuts: list[int], watermark: int) -> PhysicalStream:
        """What comes out until the watermark, by several threads; each has what lives in its part of time."""
        sides = self._sides()
        before = min(int(waiting.start[0]) for waiting in self.waiting if len(waiting)) - 1

        def part(since: int, until: int) -> PhysicalStream:
            alone = IntervalEquijoin(self.node)
            alone.port_watermarks = [since, since]
            alone.hold([_living(side, since, until) for side in sides])
            return alone.release(until, force=True)[0]

        with workers(self.threads) as team:
            found = team.map(lambda bounds: part(*bounds), pairwise([before, *cuts, watermark]))
            self.hold(sides)
            return joined_by(team, [PhysicalStream.empty(self.schema), *found])

    def _sides(self) -> list[PhysicalStream]:
        """All elements of each side, in the order of time."""
        return [joined([area.elements, waiting]) for area, waiting in zip(self.areas, self.waiting, strict=True)]

    def hold(self, sides: list[PhysicalStream]) -> None:
        """Hold these elements of each side instead of others; those up to the watermark have met each other."""
        for area, side in zip(self.areas, sides, strict=True):
            area.purge(ENDLESS)
            area.insert(side.take(side.start <= self.watermark))
        self.waiting = tuple(side.take(side.start > self.watermark) for side in sides)
        self._purge()

    def held(self) -> list[PhysicalStream]:
        return [*super().held(), *self.waiting]

    def _purge(self) -> None:
        for side, area in enumerate(self.areas):
            later = self.waiting[1 - side].start[:1]
            area.purge(min([self.port_watermarks[1 - side], *later.tolist()]))

    def _steps(self, watermark: int) -> list[int]:
        """Instants up to the watermark, with a bounded number of elements between two of them."""
        starts = max((waiting.start for waiting in self.waiting), key=len)[ELEMENTS_PER_STEP::ELEMENTS_PER_STEP]
        return [*np.unique(starts[starts < watermark]).tolist(), watermark]

    def _meet(self, t: int) -> PhysicalStream:
        """Let the waiting elements that start at t or before meet the live elements, and each other."""
        due = [int(np.searchsorted(waiting.start, t, side="right")) for waiting in self.waiting]
        if not any(due):
            return PhysicalStream.empty(self.schema)
        old = (len(self.areas[0].elements), len(self.areas[1].elements))
        for area, waiting, n in zip(self.areas, self.waiting, due, strict=True):
            area.insert(waiting.take(np.s_[:n]))
        self.waiting = tuple(waiting.take(np.s_[n:]) for waiting, n in zip(self.waiting, due, strict=True))
        left, right = self.areas[0].elements, self.areas[1].elements
        at_left, at_right, start, end = equal_pairs(self.condition, left, right, old)
        for area in self.areas:
            area.purge(t)
        return PhysicalStream(self.schema, (*taken(left.columns, at_left), *taken(right.columns, at_right)), start, end)


def _living(side: PhysicalStream, since: int, until: int) -> PhysicalStream:
    """The elements that start at `until` or before, and live after `since`."""
    early = side.take(np.s_[: int(np.searchsorted(side.start, until, side="right"))])
    return early.take(early.end > since)


def join_operator(node: Product | Join) -> IntervalJoin:
    """The operator for a join: one sweep if columns of both sides must be equal, otherwise sweep areas."""
    if isinstance(node, Join) and Condition.of(node.condition, node.left.schema, node.right.schema).equal_columns:
        return IntervalEquijoin(node)
    return IntervalJoin(node)


def paired(schema: Schema, left: PhysicalStream, right: PhysicalStream, found: Pairs) -> PhysicalStream:
    """The elements at these pairs of positions, side by side, valid while both are; ordered by start."""
    at_left, at_right = found
    start = np.maximum(left.start[at_left], right.start[at_right])
    if not is_sorted(start):
        order = stable_order(start)
        start, at_left, at_right = start[order], at_left[order], at_right[order]
    end = np.minimum(left.end[at_left], right.end[at_right])
    return PhysicalStream(schema, (*taken(left.columns, at_left), *taken(right.columns, at_right)), start, end)
