"""Product and theta-join (Algorithm 2): every new element meets the stored ones of the other side."""

import numpy as np

from physical.interval.condition import Condition
from physical.interval.operator import Operator
from physical.stream import PhysicalStream, in_order, joined
from semantics import Schema
from semantics.plan import Join, Product


class JoinOperator(Operator):
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
            self.results = joined([self.results, paired(self.schema, left.take(kept[0]), right.take(kept[1]))])
        self.areas[port].insert(batch)
        self.results = in_order(self.results)

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:  # noqa: ARG002  # never waits
        for side, area in enumerate(self.areas):
            area.purge(self.seen[1 - side])
        due = int(np.searchsorted(self.results.start, watermark, side="right"))
        output, self.results = self.results.take(np.s_[:due]), self.results.take(np.s_[due:])
        return output, watermark

    def held(self) -> list[PhysicalStream]:
        return [self.areas[0].elements, self.areas[1].elements, self.results]


def paired(schema: Schema, left: PhysicalStream, right: PhysicalStream) -> PhysicalStream:
    """Two streams of equal length side by side, valid while both are."""
    start, end = np.maximum(left.start, right.start), np.minimum(left.end, right.end)
    return PhysicalStream(schema, (*left.columns, *right.columns), start, end)
