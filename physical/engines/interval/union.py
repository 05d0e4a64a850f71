"""Union: an ordered merge of both inputs."""

from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.operator import OrderingOperator
from semantics.plan import Union


class IntervalUnion(OrderingOperator):
    """∪: every element of both inputs, as soon as no earlier one can come."""

    def __init__(self, node: Union) -> None:
        super().__init__("Union", (node.left.schema, node.right.schema), node.schema)

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # both ports are alike
        self.waiting = in_order(joined([self.waiting, batch.with_columns(self.schema, batch.columns)]))
