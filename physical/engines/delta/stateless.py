"""Filter, map and Rstream: what happens to a row happens to it when it comes and when it goes. And union."""

from physical.columns import expressions
from physical.engines.delta.delta_stream import DeltaStream, in_order, joined
from physical.engines.delta.operator import DeltaOperator
from semantics.plan import Filter, Map, Rstream, Union


class DeltaUnion(DeltaOperator[DeltaStream]):
    """∪: the elements of both inputs. With one input only, as Rstream, they are handed on."""

    def __init__(self, node: Union | Filter | Map | Rstream) -> None:
        super().__init__(node.operator, tuple(child.schema for child in node.inputs), node.schema)

    def nothing(self) -> DeltaStream:
        return DeltaStream.empty(self.schema)

    def treat(self, due: list[DeltaStream], since: int, until: int) -> DeltaStream:  # noqa: ARG002  # all that is due
        return in_order(joined([self.apply(part) for part in due]))

    def apply(self, batch: DeltaStream) -> DeltaStream:
        """What becomes of the elements."""
        return batch.with_columns(self.schema, batch.columns)


class DeltaFilter(DeltaUnion):
    """σ: rows that satisfy the predicate come and go."""

    def __init__(self, node: Filter) -> None:
        super().__init__(node)
        self.predicate = node.predicate

    def apply(self, batch: DeltaStream) -> DeltaStream:
        return batch.take(expressions.holds(self.predicate, batch.columns, len(batch)))


class DeltaMap(DeltaUnion):
    """μ: for every row that comes or goes a new row does."""

    def __init__(self, node: Map) -> None:
        super().__init__(node)
        self.expressions = node.expressions

    def apply(self, batch: DeltaStream) -> DeltaStream:
        made = [expressions.evaluate(expression, batch.columns, len(batch)) for expression in self.expressions]
        return batch.with_columns(self.schema, made)
