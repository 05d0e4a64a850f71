"""What every physical operator does: take batches and heartbeats at its ports, and give out ordered batches.

Elements arrive at each port in the order of their starts. A heartbeat t at a port promises that no later element
there starts before t. The smallest such promise over all ports is the operator's watermark: what happened before it
is known for good. `progress` is the promise that the operator itself makes about its output.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from physical.stream import ENDLESS, PhysicalStream
from semantics import Schema, StreamError


@dataclass(frozen=True, slots=True)
class State:
    """What an operator holds."""

    elements: int
    bytes: int


class Operator(ABC):
    """One node of a running plan. Subclasses say what to do with a batch and what to give out by a watermark."""

    patience = 1024
    """How many new elements are worth treating at once, if no heartbeat asks for results."""

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        self.name = name
        self.inputs = inputs
        self.schema = schema
        self.seen = [0] * len(inputs)
        self.progress = 0

    def push(self, batch: PhysicalStream, port: int = 0) -> PhysicalStream:
        """Take a batch; give out what follows for sure."""
        self._check(batch, port)
        return self.process(batch, port) if len(batch) else PhysicalStream.empty(self.schema)

    def process(self, batch: PhysicalStream, port: int) -> PhysicalStream:
        """As push, for a batch that is known to be right because another operator made it."""
        self.seen[port] = int(batch.start[-1])
        self.accept(batch, port)
        return self._released(force=False)

    def heartbeat(self, t: int, port: int = 0, force: bool = True) -> PhysicalStream:
        """Take the promise that nothing at this port will start before t; give out all that is valid before t.

        Without force the operator may wait until there is more to do at once.
        """
        self._check_port(port)
        if t < self.seen[port]:
            raise StreamError(f"{self.name}: heartbeat must not go back before {self.seen[port]}, got {t}")
        self.seen[port] = t
        return self._released(force)

    def close(self) -> PhysicalStream:
        """Nothing more will come at any port; give out the rest."""
        self.seen = [ENDLESS] * len(self.inputs)
        return self._released(force=True)

    @property
    def watermark(self) -> int:
        return min(self.seen)

    @property
    def state(self) -> State:
        held = self.held()
        return State(sum(len(batch) for batch in held), sum(stream_bytes(batch) for batch in held))

    @abstractmethod
    def accept(self, batch: PhysicalStream, port: int) -> None:
        """Take a batch into the state."""

    @abstractmethod
    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:
        """The output that is due, and the progress after it; without force it may wait for more to do at once."""

    def held(self) -> list[PhysicalStream]:
        """Everything in the state."""
        return []

    def _released(self, force: bool) -> PhysicalStream:
        output, self.progress = self.release(self.watermark, force)
        return output

    def _check(self, batch: PhysicalStream, port: int) -> None:
        self._check_port(port)
        if batch.schema.types != self.inputs[port].types:
            expected = self.inputs[port]
            raise StreamError(f"{self.name}: port {port} must get columns {expected}, got {batch.schema}")
        if self.seen[port] == ENDLESS:
            raise StreamError(f"{self.name}: port {port} is closed")
        batch.checked(self.name)
        if len(batch) and batch.start[0] < self.seen[port]:
            earliest = self.seen[port]
            raise StreamError(f"{self.name}: elements must start at {earliest} or later, got {batch.start[0]}")

    def _check_port(self, port: int) -> None:
        if not 0 <= port < len(self.inputs):
            raise StreamError(f"{self.name}: port must be one of 0 … {len(self.inputs) - 1}, got {port}")


def stream_bytes(batch: PhysicalStream) -> int:
    """What the arrays of a batch take."""
    arrays = [batch.start, batch.end, *(column.values for column in batch.columns)]
    masks = [column.valid for column in batch.columns if column.valid is not None]
    return sum(int(np.asarray(array).nbytes) for array in [*arrays, *masks])


class Stateless(Operator):
    """An operator that needs no other element to treat one, and keeps the order of starts."""

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        super().__init__(name, inputs, schema)
        self._waiting = PhysicalStream.empty(schema)

    @abstractmethod
    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        """The output of a batch."""

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # there is one port only
        self._waiting = self.apply(batch)

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:  # noqa: ARG002  # never waits
        output, self._waiting = self._waiting, PhysicalStream.empty(self.schema)
        return output, self.promised(watermark)

    def promised(self, watermark: int) -> int:
        """The start before which no later output starts."""
        return watermark
