"""Operators on intervals: they take elements at each port in the order of starts, and give out elements in that order.

A heartbeat t promises that no later element starts before t.
"""

from abc import abstractmethod

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from physical.runtime.operator import Operator
from semantics import Schema, StreamError


class IntervalOperator(Operator[PhysicalStream, PhysicalStream]):
    """An operator from elements with intervals to elements with intervals."""

    def push(self, batch: PhysicalStream, port: int = 0) -> PhysicalStream:
        """Check and take a batch; give out what is certain by now."""
        self._check(batch, port)
        return self.process(batch, port) if len(batch) else PhysicalStream.empty(self.schema)

    def held(self) -> list[PhysicalStream]:
        return []

    def _check(self, batch: PhysicalStream, port: int) -> None:
        self._check_port(port)
        if batch.schema.types != self.inputs[port].types:
            expected = self.inputs[port]
            raise StreamError(f"{self.name}: port {port} must get columns {expected}, got {batch.schema}")
        if self.port_watermarks[port] == ENDLESS:
            raise StreamError(f"{self.name}: port {port} is closed")
        batch.checked(self.name)
        if len(batch) and batch.start[0] < self.port_watermarks[port]:
            earliest = self.port_watermarks[port]
            raise StreamError(f"{self.name}: elements must start at {earliest} or later, got {batch.start[0]}")


class OrderingOperator(IntervalOperator):
    """An operator whose output waits until no earlier one can come."""

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        super().__init__(name, inputs, schema)
        self.waiting = PhysicalStream.empty(schema)

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:  # noqa: ARG002  # never waits
        due = int(np.searchsorted(self.waiting.start, watermark, side="right"))
        output, self.waiting = self.waiting.take(np.s_[:due]), self.waiting.take(np.s_[due:])
        return output, watermark

    def held(self) -> list[PhysicalStream]:
        return [self.waiting]


class StatelessOperator(IntervalOperator):
    """An operator that treats each element by itself and keeps the order of starts."""

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        super().__init__(name, inputs, schema)
        self._waiting = PhysicalStream.empty(schema)

    @abstractmethod
    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        """The output for a batch."""

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # there is one port only
        self._waiting = self.apply(batch)

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:  # noqa: ARG002  # never waits
        output, self._waiting = self._waiting, PhysicalStream.empty(self.schema)
        return output, self.promised(watermark)

    def promised(self, watermark: int) -> int:
        """No later output starts before this instant."""
        return watermark
