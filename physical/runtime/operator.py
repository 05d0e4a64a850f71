"""What every operator of a running plan does: take batches and heartbeats at its ports, and give out ordered batches.

Elements arrive at each port in the order of time. A heartbeat t at a port promises that no later element at that port
starts before t. The smallest such promise over all ports is the operator's watermark: everything before it is known
for good, and comes out at once; only an operator with `patience` may wait until there is more to do. `progress` is the
promise that the operator itself makes about its output. After a heartbeat, state that no future element can overlap
must be gone.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from physical.columns.batch import Batch, batch_bytes
from physical.kernels.types import ENDLESS
from semantics import Schema, StreamError
from semantics.dataclass_on_use import dataclass


@dataclass(frozen=True, slots=True)
class StateSize:
    """How much an operator holds."""

    elements: int
    bytes: int


InputBatch = TypeVar("InputBatch", bound=Batch)
OutputBatch = TypeVar("OutputBatch", bound=Batch)


class Operator(ABC, Generic[InputBatch, OutputBatch]):
    """One operator of a running plan. Subclasses say how a batch is taken in and what is given out at a watermark."""

    patience = 0
    """How many new elements an operator may let wait, as long as no heartbeat asks for results; 0 means none."""

    threads = 1
    """How many threads may work on a large batch."""

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        self.name = name
        self.inputs = inputs
        self.schema = schema
        self.port_watermarks = [0] * len(inputs)
        self.progress = 0

    def process(self, batch: InputBatch, port: int) -> OutputBatch:
        """Take a batch without checking it, because another operator made it; give out what is certain by now."""
        self.port_watermarks[port] = int(batch.start[-1])
        self.accept(batch, port)
        return self._released(force=False)

    def heartbeat(self, t: int, port: int = 0, force: bool = True) -> OutputBatch:
        """Take the promise that nothing at this port will start before t; give out all results before t.

        Without force the operator may wait until there is more to do at once.
        """
        self._check_port(port)
        if t < self.port_watermarks[port]:
            raise StreamError(f"{self.name}: heartbeat must not go back before {self.port_watermarks[port]}, got {t}")
        self.port_watermarks[port] = t
        return self._released(force)

    def close(self) -> OutputBatch:
        """Nothing more will come at any port: give out the rest."""
        self.port_watermarks = [ENDLESS] * len(self.inputs)
        return self._released(force=True)

    @property
    def watermark(self) -> int:
        return min(self.port_watermarks)

    @property
    def state(self) -> StateSize:
        held = self.held()
        return StateSize(sum(len(batch) for batch in held), sum(batch_bytes(batch) for batch in held))

    @abstractmethod
    def accept(self, batch: InputBatch, port: int) -> None:
        """Take a batch into the state."""

    @abstractmethod
    def release(self, watermark: int, force: bool) -> tuple[OutputBatch, int]:
        """The output that is due, and the progress after it; without force the operator may wait for more elements."""

    def held(self) -> Sequence[Batch]:
        """Everything in the state."""
        return []

    def waits(self, fresh: int, held: int) -> bool:
        """May new elements wait? With patience, until there are more of them than of those to be treated again."""
        return self.patience > 0 and fresh <= max(held, self.patience)

    def _released(self, force: bool) -> OutputBatch:
        """The output that is due, after noting the progress; every output passes here."""
        output, self.progress = self.release(self.watermark, force)
        return output

    def _check_port(self, port: int) -> None:
        if not 0 <= port < len(self.inputs):
            raise StreamError(f"{self.name}: port must be one of 0 … {len(self.inputs) - 1}, got {port}")


AnyOperator = Operator[Any, Any]
