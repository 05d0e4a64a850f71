"""A basket without order: elements come as they come, and readers see them in the order of time."""

from dataclasses import dataclass

import numpy as np

from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.dataflow.basket import Basket
from semantics import StreamError


@dataclass(eq=False)
class UnorderedBasket(Basket):
    """A multiset of elements. An element may start up to `slack` instants before one that came earlier.

    Elements that may still be preceded by others wait where readers do not see them. One that comes after a promise
    that it breaks is dropped and counted as late.
    """

    slack: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.held = PhysicalStream.empty(self.schema)
        """Elements that readers must not see yet, in the order of time."""

    def promise_of(self, batch: PhysicalStream) -> int:
        return max(int(batch.start.max()) - self.slack, 0)

    def append(self, batch: PhysicalStream, promised: int = 0, urgent: bool = False) -> None:
        early = batch.start < self.promised
        self.counts.arrived += int(early.sum())
        self.counts.late += int(early.sum())
        super().append(batch.take(~early) if early.any() else batch, promised, urgent)

    def adopt(self, earlier: Basket) -> None:
        super().adopt(earlier)
        if isinstance(earlier, UnorderedBasket):
            self.held = earlier.held
            self.counts.arrived = len(self.held)

    def audit(self) -> None:
        counts, waiting = self.counts, len(self) + len(self.held)
        if counts.arrived != counts.dropped + counts.late + counts.expired + waiting:
            raise StreamError(f"{self.name}: what came must be dropped, late, seen or waiting; got {counts}, {waiting}")

    def _add(self, batch: PhysicalStream) -> None:
        whole = in_order(joined([self.held, batch]))
        due = int(np.searchsorted(whole.start, self.promised, side="right"))
        self.held = whole.take(np.s_[due:])
        super()._add(whole.take(np.s_[:due]))
