"""What every operator of a running plan does: take batches and heartbeats at its ports, and give out ordered batches.

Elements arrive at each port in the order of time. A heartbeat t at a port promises that no later element there comes
before t. The smallest such promise over all ports is the operator's watermark: what happened before it is known for
good. `progress` is the promise that the operator itself makes about its output.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from physical.columns.batch import Batch, batch_bytes
from physical.kernels.types import ENDLESS
from semantics import Schema, StreamError


@dataclass(frozen=True, slots=True)
class State:
    """What an operator holds."""

    elements: int
    bytes: int


Taken = TypeVar("Taken", bound=Batch)
Given = TypeVar("Given", bound=Batch)


class Processing(ABC, Generic[Taken, Given]):
    """One node of a running plan. Subclasses say what to do with a batch and what to give out by a watermark."""

    patience = 1024
    """How many new elements are worth treating at once, if no heartbeat asks for results."""

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        self.name = name
        self.inputs = inputs
        self.schema = schema
        self.seen = [0] * len(inputs)
        self.progress = 0

    def process(self, batch: Taken, port: int) -> Given:
        """Take a batch that is known to be right because another operator made it; give out what follows for sure."""
        self.seen[port] = int(batch.start[-1])
        self.accept(batch, port)
        return self._released(force=False)

    def heartbeat(self, t: int, port: int = 0, force: bool = True) -> Given:
        """Take the promise that nothing at this port will start before t; give out all that is valid before t.

        Without force the operator may wait until there is more to do at once.
        """
        self._check_port(port)
        if t < self.seen[port]:
            raise StreamError(f"{self.name}: heartbeat must not go back before {self.seen[port]}, got {t}")
        self.seen[port] = t
        return self._released(force)

    def close(self) -> Given:
        """Nothing more will come at any port; give out the rest."""
        self.seen = [ENDLESS] * len(self.inputs)
        return self._released(force=True)

    @property
    def watermark(self) -> int:
        return min(self.seen)

    @property
    def state(self) -> State:
        held = self.held()
        return State(sum(len(batch) for batch in held), sum(batch_bytes(batch) for batch in held))

    @abstractmethod
    def accept(self, batch: Taken, port: int) -> None:
        """Take a batch into the state."""

    @abstractmethod
    def release(self, watermark: int, force: bool) -> tuple[Given, int]:
        """The output that is due, and the progress after it; without force it may wait for more to do at once."""

    def held(self) -> Sequence[Batch]:
        """Everything in the state."""
        return []

    def _released(self, force: bool) -> Given:
        """The output that is due, with the progress after it noted: all that comes out passes here."""
        output, self.progress = self.release(self.watermark, force)
        return output

    def _check_port(self, port: int) -> None:
        if not 0 <= port < len(self.inputs):
            raise StreamError(f"{self.name}: port must be one of 0 … {len(self.inputs) - 1}, got {port}")


AnyOperator = Processing[Any, Any]
