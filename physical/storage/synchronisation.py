"""Requests that wait until the store holds an item that fits (Section 6.2)."""

from collections.abc import Callable
from threading import Condition

from semantics.value import Value

Action = Callable[[], None]


class Synchronisation:
    """Requests, each with the value that it waits for; they look again whenever the store changes."""

    def __init__(self, fits: Callable[[Value], bool]) -> None:
        self.fits = fits
        self._changed = Condition()
        self._waiting: list[tuple[Value, Action]] = []

    def changed(self) -> None:
        """The store has changed: start the requests for which an item fits, in the order of their arrival."""
        with self._changed:
            self._changed.notify_all()
            due = [request for request in self._waiting if self.fits(request[0])]
            self._waiting = [request for request in self._waiting if request not in due]
        for _, action in due:
            action()

    def when(self, value: Value, action: Action) -> None:
        """Run the action as soon as an item fits; at once if one does already."""
        if self.fits(value):
            action()
        else:
            self._waiting.append((value, action))

    def wait(self, value: Value, timeout: float | None) -> bool:
        """Block until another thread adds an item that fits; False after the timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: self.fits(value), timeout)

    @property
    def waiting(self) -> int:
        """How many actions wait."""
        return len(self._waiting)
