"""Filter, map, Rstream and union: they treat a row in the same way when it comes and when it goes."""

from physical.columns import expressions
from physical.engines.delta.delta_stream import DeltaStream, in_order, joined
from physical.engines.delta.operator import DeltaOperator
from semantics.plan import Filter, Map, Rstream, Union


class DeltaUnion(DeltaOperator[DeltaStream]):
    """∪: the elements of both inputs; with one input only, it is Rstream."""

    def __init__(self, node: Union | Filter | Map | Rstream) -> None:
        super().__init__(node.operator, tuple(child.schema for child in node.inputs), node.schema)

    def nothing(self) -> DeltaStream:
        return DeltaStream.empty(self.schema)

    def treat(self, due: list[DeltaStream], since: int, until: int) -> DeltaStream:  # noqa: ARG002  # all that is due
        return in_order(joined([self.apply(part) for part in due]))

    def apply(self, batch: DeltaStream) -> DeltaStream:
        """The output for some elements."""
        return batch.with_columns(self.schema, batch.columns)


class DeltaFilter(DeltaUnion):
    """σ: the elements whose row satisfies the predicate."""

    def __init__(self, node: Filter) -> None:
        super().__init__(node)
        self.predicate = node.predicate

    def apply(self, batch: DeltaStream) -> DeltaStream:
        return batch.take(expressions.holds(self.predicate, batch.columns, len(batch)))


class DeltaMap(DeltaUnion):
    """μ: every element with a new row."""

    def __init__(self, node: Map) -> None:
        super().__init__(node)
        self.expressions = node.expressions

    def apply(self, batch: DeltaStream) -> DeltaStream:
        made = [expressions.evaluate(expression, batch.columns, len(batch)) for expression in self.expressions]
        return batch.with_columns(self.schema, made)
