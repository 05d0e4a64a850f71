"""Reading goes on in a thread of its own while what was read is treated: Arrow does not hold the interpreter's lock."""

from collections.abc import Callable, Iterator
from queue import Queue
from threading import Event, Thread
from typing import Final, Generic, TypeVar

Item = TypeVar("Item")
AHEAD: Final = 3
"""So many batches may wait."""


class ReadAhead(Generic[Item]):
    """The same items in the same order, and the same error at the same place; reading begins at once.

    >>> list(ReadAhead(lambda: iter("abcdef")).items())
    ['a', 'b', 'c', 'd', 'e', 'f']
    """

    def __init__(self, read: Callable[[], Iterator[Item]]) -> None:
        self._read = read
        self._waiting: Queue[tuple[Item] | None] = Queue(AHEAD)
        self._stopped = Event()
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, name="snapeq-reading", daemon=True)
        self._thread.start()

    def items(self) -> Iterator[Item]:
        """What is read; whoever stops in the middle ends the reading."""
        try:
            while (item := self._waiting.get()) is not None:
                yield item[0]
            if self._error is not None:
                raise self._error
        finally:
            self.stop()

    def stop(self) -> None:
        """End the thread, wherever it is: what it waits to hand over is taken and thrown away."""
        self._stopped.set()
        while self._thread.is_alive():
            while not self._waiting.empty():
                self._waiting.get()
            self._thread.join(0.001)

    def _run(self) -> None:
        try:
            for item in self._read():
                self._waiting.put((item,))
                if self._stopped.is_set():
                    break
        except BaseException as error:  # whoever waits for items gets it
            self._error = error
        self._waiting.put(None)
