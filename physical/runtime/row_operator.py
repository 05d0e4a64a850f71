"""Operators that treat small batches a row at a time, in plain Python.

An operator on columns takes some 50 µs for a batch, however small it is, and treats what it holds again each time. So
while batches are small, its twin does the work: it takes the state over, and gives it back when a large batch comes or
somebody wants to see it. Ports, watermark and progress stay those of the operator.
"""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from physical.columns.stream import Element
from physical.runtime.operator import AnyOperator

FEW_ELEMENTS = 32
"""A batch of up to this many elements is small."""
LARGE_FACTOR = 2
"""A batch of more than this many times a small one is large; in between, everything stays as it is."""
ELEMENTS_PER_MOVE = 64
"""Held elements that are moved per small batch: moving one to a twin costs about as much as treating it 64 times."""

Served = TypeVar("Served", bound=AnyOperator)


class RowOperator(ABC, Generic[Served]):
    """The twin of an operator. Every output is complete up to the watermark, as that of the operator is."""

    def __init__(self, operator: Served) -> None:
        self.operator = operator

    @abstractmethod
    def accept(self, elements: list[Element], port: int) -> None:
        """Take elements into the state."""

    @abstractmethod
    def release(self, watermark: int) -> list[Element]:
        """The output that is due, in the order of starts."""

    def load(self) -> None:
        """Take the state over from the operator."""

    def unload(self) -> None:
        """Give the state back to the operator."""

    @property
    def size(self) -> int:
        """How many elements it holds."""
        return 0

    def promised(self, watermark: int) -> int:
        """No later output starts before this instant."""
        return watermark

    def process(self, elements: list[Element], port: int) -> list[Element]:
        """Take elements, at least one; give out what is certain by now."""
        self.operator.port_watermarks[port] = elements[-1][1]
        self.accept(elements, port)
        return self._released()

    def heartbeat(self, t: int, port: int) -> list[Element]:
        """Take the promise that nothing at this port will start before t; give out all results before t."""
        self.operator.port_watermarks[port] = t
        return self._released()

    def _released(self) -> list[Element]:
        watermark = min(self.operator.port_watermarks)
        output = self.release(watermark)
        self.operator.progress = self.promised(watermark)
        return output


def is_small(count: int, held: int, by_rows: bool) -> bool:
    """Is a batch of this size better treated by rows? Operators on columns would treat all held elements again."""
    limit = FEW_ELEMENTS + held // ELEMENTS_PER_MOVE
    return count <= (LARGE_FACTOR * limit if by_rows else limit)
