"""What gives out its input unchanged: a source, or Rstream."""

from physical.columns.stream import PhysicalStream
from physical.engines.interval.operator import StatelessOperator
from semantics import Schema


class IntervalForward(StatelessOperator):
    """Gives out its input unchanged: a source, or Rstream."""

    def __init__(self, name: str, schema: Schema) -> None:
        super().__init__(name, (schema,), schema)

    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        return batch.with_columns(self.schema, batch.columns)
