"""Threads around the net: receptors bring elements, the scheduler fires factories, emitters deliver results."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Event, Thread
from typing import Final

import numpy as np

from physical.columns.arrow import to_arrow
from physical.columns.stream import PhysicalStream
from physical.engines.dataflow.basket import Basket
from physical.engines.dataflow.channel import In, Out, StopRequested
from physical.engines.dataflow.csv_lines import LineDecoder, decoded, whole_lines
from physical.engines.dataflow.factory import Emitter
from physical.engines.dataflow.scheduler import Scheduler
from physical.engines.dataflow.unordered_basket import UnorderedBasket
from physical.files.errors import FileError
from physical.files.layout import Layout
from physical.files.writer import CsvText
from semantics import Schema

MAX_WAITING_ELEMENTS: Final = 1 << 20
"""A receptor waits while its basket has this many elements."""


class Bell:
    """Rings when a basket has changed; a thread that knows an older number of rings does not wait."""

    def __init__(self) -> None:
        self.rings = 0
        self._condition = Condition()

    def ring(self) -> None:
        with self._condition:
            self.rings += 1
            self._condition.notify_all()

    def wait(self, known: int, seconds: float | None = None) -> None:
        """Wait for another ring, or this long."""
        with self._condition:
            self._condition.wait_for(lambda: self.rings != known, seconds)


@dataclass(frozen=True)
class Control:
    """What all threads of a net share."""

    horizon: int
    failed: Callable[[Exception], None]
    """Called with an error in a thread, so that it can be raised in the user's thread."""
    stopping: Event = field(default_factory=Event)
    bell: Bell = field(default_factory=Bell)

    def wait(self, basket: Basket, condition: Callable[[], bool]) -> None:
        """Wait for a condition on a basket, whose mutex must be held; raises StopRequested if the net is stopping."""
        basket.mutex.wait_for(lambda: self.stopping.is_set() or condition())
        if self.stopping.is_set():
            raise StopRequested


class Worker(Thread):
    """A thread that ends when its work is done or the net stops, and reports errors."""

    def __init__(self, name: str, control: Control) -> None:
        super().__init__(name=name, daemon=True)
        self.control = control

    def run(self) -> None:
        try:
            self.work()
        except StopRequested:
            return
        except Exception as error:
            self.control.failed(error)

    @abstractmethod
    def work(self) -> None: ...


class ReceptorThread(Worker):
    """Reads a channel, checks the elements, and appends them to a basket as soon as it is open."""

    def __init__(
        self, basket: Basket, layout: Layout, channel: In, control: Control, room: int = MAX_WAITING_ELEMENTS
    ) -> None:
        super().__init__(f"receptor {basket.name}", control)
        self.basket, self.channel, self.room = basket, channel, room
        self.place = Path(f"{self.name} at {channel.name}")
        self.decoder = LineDecoder(self.place, layout)
        self.last = 0

    def work(self) -> None:
        row = 0
        with self.channel.reading(self.control.stopping) as read:
            for batch in decoded(self._blocks(read), self.decoder):
                if not isinstance(self.basket, UnorderedBasket):
                    self._check_order(batch, row)
                row += len(batch)
                if len(batch):
                    self._append(batch, self.basket.promise_of(batch), urgent=False)
        self._append(PhysicalStream.empty(self.basket.schema), self.control.horizon, urgent=True)

    def _append(self, batch: PhysicalStream, promised: int, urgent: bool) -> None:
        with self.basket.mutex:
            self.control.wait(self.basket, self._may_append)
            self.basket.append(batch, promised, urgent)

    def _may_append(self) -> bool:
        return self.basket.open and len(self.basket) < self.room

    def _blocks(self, read: Callable[[], bytes]) -> Iterator[bytes]:
        lines = 0
        try:
            for block in whole_lines(read):
                if self.channel.breaks_off and not block.endswith(b"\n"):
                    raise self._broken(lines, "the connection was closed in the middle of this line")
                yield block
                lines += block.count(b"\n")
        except OSError as error:
            raise self._broken(lines, f"the connection broke off: {error.strerror}") from error

    def _broken(self, lines: int, problem: str) -> FileError:
        return FileError(self.place, problem, "lines that end, and then the end", place=f"line {lines + 1}")

    def _check_order(self, batch: PhysicalStream, row: int) -> None:
        back = np.diff(batch.start, prepend=self.last) < 0
        if back.any():
            i = int(np.argmax(back))
            before = int(batch.start[i - 1]) if i else self.last
            column = self.decoder.layout.start or ""
            raise self.decoder.error(row + i, f"{batch.start[i]} comes after {before}", f"{before} or later", column)
        self.last = int(batch.start[-1]) if len(batch) else self.last


class EmitterThread(Worker):
    """Writes the results of one query to a channel, and so removes them from the net."""

    def __init__(self, emitter: Emitter, schema: Schema, channel: Out, control: Control) -> None:
        super().__init__(emitter.name, control)
        self.emitter, self.schema, self.channel = emitter, schema, channel

    def work(self) -> None:
        try:
            self._deliver()
        except OSError as error:
            place, problem = Path(f"{self.name} at {self.channel.name}"), f"it takes no results: {error.strerror}"
            raise FileError(place, problem, "a file that can be written, or a client that stays") from error

    def _deliver(self) -> None:
        (port,) = self.emitter.ports.values()
        with self.channel.writing(self.control.stopping) as write:
            text = CsvText(to_arrow(PhysicalStream.empty(self.schema)).schema, write)
            text.begin()
            while self.emitter.complete < self.control.horizon:
                for batch in self._results(port.basket):
                    text.write(to_arrow(batch))

    def _results(self, basket: Basket) -> list[PhysicalStream]:
        """Wait for results and take them; they are written after the basket is free again, as a client may be slow."""
        results: list[PhysicalStream] = []
        with basket.mutex:
            self.control.wait(basket, self.emitter.ready)
            self.emitter.subscribers[:] = [results.append]
            self.emitter.fire()
        return results


class SchedulerThread(Worker):
    """Fires ready transitions, and sleeps while there are none."""

    def __init__(self, scheduler: Scheduler, control: Control) -> None:
        super().__init__("scheduler", control)
        self.scheduler = scheduler

    def work(self) -> None:
        bell = self.control.bell
        while not self.control.stopping.is_set():
            known = bell.rings
            if not self.scheduler.step():
                bell.wait(known, self.scheduler.net.next_deadline())
