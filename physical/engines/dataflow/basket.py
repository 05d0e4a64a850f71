"""Places of the net: baskets hold a part of a stream in columns, marks hold one control token."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from threading import Condition, RLock
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from physical.columns import expressions
from physical.columns.stream import PhysicalStream, joined
from physical.kernels.types import Array, Bools
from semantics import Expression, Schema, StreamError


class Mark:
    """An auxiliary basket of one bit: its token is there or not."""

    enabled = True

    def __init__(self, name: str, there: bool = False) -> None:
        self.name = name
        self.there = there

    def has(self, minimum: int) -> bool:
        return self.there or minimum == 0

    def put(self) -> None:
        if self.there:
            raise StreamError(f"{self.name}: a token must be taken before the next one is put, got two")
        self.there = True

    def take(self) -> None:
        if not self.there:
            raise StreamError(f"{self.name}: a token must be there to be taken, got none")
        self.there = False


class Content(NamedTuple):
    """What is read from a basket: elements, the promise that no later one starts earlier, and whether it is urgent."""

    batch: PhysicalStream
    promised: int
    urgent: bool


@dataclass
class Counts:
    """What became of the elements that came to a basket."""

    arrived: int = 0
    dropped: int = 0
    """Those that broke a constraint."""
    expired: int = 0
    """Those that all readers have seen."""
    late: int = 0
    """Those that started before a promise (baskets without order)."""


@dataclass
class Watch:
    """A mark that is set whenever the basket has enough for a reader of several baskets."""

    minimum: int
    mark: Mark


def nothing() -> None:
    """What a basket calls after a change if nobody waits for changes."""


@dataclass(eq=False)
class Basket:
    """A part of a stream, waiting to be read. It has one writer; what all readers have seen is removed at once.

    Constraints are silent filters: an element that breaks one is dropped and counted. As in SQL, NULL breaks none. A
    promise is what other engines call a heartbeat; an urgent one makes readers run however few elements wait.
    """

    name: str
    schema: Schema
    constraints: tuple[Expression, ...] = ()
    enabled: bool = True
    """Nothing flows into or out of a basket that is not enabled."""
    promised: int = 0
    known: int = 0
    """The promise that all readers have seen."""
    urgent: bool = False
    counts: Counts = field(default_factory=Counts)
    watches: list[Watch] = field(default_factory=list)
    changed: Callable[[], None] = nothing
    """Called after every change, so that a scheduler that sleeps can wake up."""
    within: float | None = None
    """Seconds for which an element may wait here until its readers fire; None means that it may wait."""
    clock: Callable[[], float] = monotonic
    stands_for: str = ""
    """The basket whose elements these are, if it is another one."""

    def __post_init__(self) -> None:
        self.free = Mark(f"{self.name} free", there=True)
        """Its token is taken while readers need the content to stay as it is; then the writer may not append."""
        self.mutex = Condition(RLock())
        self._parts: list[PhysicalStream] = []
        self._size = 0
        self._arrivals: list[tuple[float, int]] = []
        """When elements came, and how many each time."""

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name != "mutex"}
        return {**state, "_arrivals": [(-inf, self._size)] if self._size else []}  # clocks of processes differ

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.mutex = Condition(RLock())

    def __len__(self) -> int:
        return self._size

    def has(self, minimum: int) -> bool:
        """Is there enough for a reader? To one that waits for a single element, a new promise is as good as one."""
        return self.urgent or self._size >= minimum or (minimum == 1 and self.promised > self.known)

    @property
    def read_as(self) -> str:
        """Under which name its readers know it."""
        return self.stands_for or self.name

    @property
    def arrivals(self) -> Array:
        """When each waiting element came: the column of arrival times."""
        times, counts = zip(*self._arrivals, strict=True) if self._arrivals else ((), ())
        return np.repeat(np.array(times, np.float64), np.array(counts, np.int64))

    def deadline(self) -> float:
        """Seconds until the oldest element has waited for as long as it may; infinite if there is no such limit."""
        if self.within is None or self.urgent or not self._arrivals:
            return inf
        return self._arrivals[0][0] + self.within - self.clock()

    def hasten(self) -> None:
        """Let readers fire with what is there."""
        with self.mutex:
            self.urgent = True
            self._tell_watches()
        self.notify()

    def promise_of(self, batch: PhysicalStream) -> int:
        """What the last elements of a stream say about those to come."""
        return int(batch.start[-1])

    def adopt(self, earlier: "Basket") -> None:
        """Take the place of an empty basket."""
        self.promised = earlier.promised

    @property
    def open(self) -> bool:
        """May its writer append?"""
        return self.enabled and self.free.there

    def enable(self, enabled: bool = True) -> None:
        """Let the stream flow again, or block it."""
        self.enabled = enabled
        self.notify()

    def append(self, batch: PhysicalStream, promised: int = 0, urgent: bool = False) -> None:
        """Append the elements that break no constraint; none may start before the earlier promise."""
        with self.mutex:
            self._check_open()
            kept = self.valid(batch)
            self.counts.arrived += len(batch)
            self.counts.dropped += len(batch) - len(kept)
            self.promised = max(self.promised, promised)
            self._add(kept)
            self.urgent = self.urgent or urgent
            self._tell_watches()
        self.notify()

    def valid(self, batch: PhysicalStream) -> PhysicalStream:
        """The elements that break no constraint."""
        for constraint in self.constraints:
            found = expressions.evaluate(constraint, batch.columns, len(batch))
            broken: Bools = found.mask() & ~found.values
            batch = batch.take(~broken) if broken.any() else batch
        return batch

    def look(self) -> Content:
        """Everything in the basket."""
        with self.mutex:
            whole = joined(self._parts) if self._parts else PhysicalStream.empty(self.schema)
            self._parts = [whole] if self._size else []
            return Content(whole, self.promised, self.urgent)

    def clear(self) -> None:
        """Remove everything: all readers have seen it."""
        with self.mutex:
            self._expire([])
            self.urgent = False
            self.known = self.promised

    def remove(self, seen: Bools) -> None:
        """Remove these elements: all readers that want them have seen them."""
        with self.mutex:
            whole = self.look().batch
            left, counts = self.arrivals[~seen], [whole.take(~seen)] if not seen.all() else []
            self._expire(counts)
            self._arrivals = [(time, 1) for time in left.tolist()]

    def notify(self) -> None:
        """Wake up all threads that wait for this basket."""
        with self.mutex:
            self.mutex.notify_all()
        self.changed()

    def audit(self) -> None:
        """Raise an error unless every element that came is still there, was dropped, or has been seen by all."""
        counts, waiting = self.counts, sum(len(part) for part in self._parts)
        if counts.arrived != counts.dropped + counts.expired + waiting:
            raise StreamError(f"{self.name}: what came must be dropped, seen or waiting; got {counts}, {waiting} wait")

    def _add(self, batch: PhysicalStream) -> None:
        """Let readers see these elements."""
        if len(batch):
            self._parts.append(batch)
            self._size += len(batch)
            self._arrivals.append((self.clock(), len(batch)))

    def _expire(self, left: list[PhysicalStream]) -> None:
        size = sum(len(part) for part in left)
        self.counts.expired += self._size - size
        self._parts, self._size, self._arrivals = left, size, []

    def _tell_watches(self) -> None:
        """Wake the readers of several baskets for which there is enough now."""
        for watch in self.watches:
            if self.has(watch.minimum):
                watch.mark.there = True

    def _check_open(self) -> None:
        if not self.enabled:
            raise StreamError(f"{self.name}: a basket must be enabled to be appended to, it is disabled")
        if not self.free.there:
            raise StreamError(f"{self.name}: a basket must be free to be appended to, it is locked by its readers")


Place = Basket | Mark
