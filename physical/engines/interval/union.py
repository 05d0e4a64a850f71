"""Union: an ordered merge of both inputs."""

import numpy as np

from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.operator import IntervalOperator
from semantics.plan import Union


class IntervalUnion(IntervalOperator):
    """∪: every element of both inputs, as soon as no earlier one can come."""

    def __init__(self, node: Union) -> None:
        super().__init__("Union", (node.left.schema, node.right.schema), node.schema)
        self.waiting = PhysicalStream.empty(node.schema)

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # both ports are alike
        self.waiting = in_order(joined([self.waiting, batch.with_columns(self.schema, batch.columns)]))

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:  # noqa: ARG002  # never waits
        due = int(np.searchsorted(self.waiting.start, watermark, side="right"))
        output, self.waiting = self.waiting.take(np.s_[:due]), self.waiting.take(np.s_[due:])
        return output, watermark

    def held(self) -> list[PhysicalStream]:
        return [self.waiting]
