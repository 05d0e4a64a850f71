"""How much time foreign code has had: the time for which it waited for a processor does not count.

On a busy machine an engine may wait for longer than it works. A limit by the clock on the wall would call that a hang.
Time asleep counts, so that a deadlock is noticed as early as an endless loop.
"""

from pathlib import Path
from time import monotonic

NANOSECONDS = 10**9


class Stopwatch:
    """Seconds that a process has had since now or, if a thread is named, only that thread of it."""

    def __init__(self, process: int, thread: int | None = None) -> None:
        self._process, self._thread = process, thread
        self._waited_before = self._waits()
        self._began = monotonic()

    @property
    def spent(self) -> float:
        """Threads wait at the same time: of several, the one that waited longest tells how much was lost."""
        lost = [waited - self._waited_before.get(thread, 0) for thread, waited in self._waits().items()]
        return monotonic() - self._began - max(lost, default=0) / NANOSECONDS

    def _waits(self) -> dict[str, int]:
        """How long each thread was ready to run but had no processor; nothing where the system does not say."""
        tasks = Path(f"/proc/{self._process}/task")
        try:
            threads = [str(self._thread)] if self._thread is not None else [task.name for task in tasks.iterdir()]
        except OSError:
            return {}
        return {thread: _waited(tasks / thread / "schedstat") for thread in threads}


def _waited(schedstat: Path) -> int:
    """The second figure: nanoseconds on the run queue; 0 if the thread has ended meanwhile."""
    try:
        return int(schedstat.read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
