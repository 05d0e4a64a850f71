"""How much time foreign code has had: the time for which it waited for a processor does not count.

On a busy machine an engine may wait for longer than it works. A limit by the clock on the wall would call that a hang.
Time asleep counts, so that a deadlock is noticed as early as an endless loop. An engine may sleep while a process that
it started works for it, so what these have waited does not count either; nor does time in which all was stopped.
"""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Final

NANOSECONDS: Final = 10**9
LONGEST_WAIT: Final = 2.0
"""Whoever waits looks at the time so often, in seconds: who did not was stopped."""


class Stopwatch:
    """Seconds that a process has had since now or, if a thread is named, only that thread of it."""

    def __init__(self, process: int, thread: int | None = None) -> None:
        self._process, self._thread = process, thread
        self._waited_before = self._waits()
        self._looked = monotonic()
        self._had = 0.0

    @property
    def spent(self) -> float:
        """Threads wait at the same time: of several, the one that waited longest tells how much was lost."""
        now = monotonic()
        self._had, self._looked = self._had + min(now - self._looked, 2 * LONGEST_WAIT), now
        lost = [waited - self._waited_before.get(thread, 0) for thread, waited in self._waits().items()]
        return self._had - max(lost, default=0) / NANOSECONDS

    def _waits(self) -> dict[str, int]:
        """How long each thread was ready to run but had no processor; nothing where the system does not say."""
        named = [] if self._thread is None else [Path(f"/proc/{self._process}/task/{self._thread}")]
        own = named or list(_tasks(self._process))
        started = [task for child in _children(self._process) for task in _tasks(child)]
        return {task.name: _waited(task / "schedstat") for task in (*own, *started)}


def _tasks(process: int | str) -> Iterator[Path]:
    """The folders of its threads; none if it has ended, or where the system does not say."""
    try:
        yield from Path(f"/proc/{process}/task").iterdir()
    except OSError:
        return


def _children(process: int | str) -> Iterator[str]:
    """The processes that it started, and those that they did."""
    for task in list(_tasks(process)):
        try:
            found = (task / "children").read_text().split()
        except OSError:
            continue
        for child in found:
            yield child
            yield from _children(child)


def _waited(schedstat: Path) -> int:
    """The second figure: nanoseconds on the run queue; 0 if the thread has ended meanwhile."""
    try:
        return int(schedstat.read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
